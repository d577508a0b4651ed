/** The handlers of payments: decode, call the service, answer bytes. */
import { decodeCreatePayment, Payments } from "@paymux/core"
import type { Created, NewPayment, OperationAnswer, PaymentError, PaymentId, Tenant } from "@paymux/core"
import {
  decodeCancelPayment,
  decodeCapturePayment,
  HostedPage,
  InvalidPayment,
  isLocalReturnUrl,
  isPaymentId,
  paymentError,
  paymentJson,
  PaymentNotFound
} from "@paymux/core/wire"
import type { HostedUrl } from "@paymux/core/wire"
import { Effect } from "effect"
import type { Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api, CANCEL_PAYMENT, CAPTURE_PAYMENT, CREATE_PAYMENT } from "../openapi/Api.ts"
import type { ApiKeys } from "../auth/ApiKeys.ts"
import { answered } from "../problems/ApiProblem.ts"
import { currentTenant, principals, tenantOf } from "../auth/Authentication.ts"
import { cursors } from "../request/Cursor.ts"
import type { Cursors } from "../request/Cursor.ts"
import type { DirectRoute } from "../server/Edge.ts"
import { keyScope } from "../request/IdempotencyKey.ts"
import { jsonResponse, replayHeaders } from "./jsonResponse.ts"
import { listPayments } from "./PaymentList.ts"
import type { RateLimits } from "../auth/RateLimits.ts"
import { readJsonObject, readOptionalJsonObject } from "../request/RequestBody.ts"

/** `secret` signs cursors. */
export const paymentHandlers = (secret: Redacted.Redacted) =>
  HttpApiBuilder.group(Api, "payments", (handlers) =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const hostedUrl = yield* HostedPage
      const create = createPayment(payments)
      const list = answerList(cursors(secret))
      return handlers
        .handleRaw("create", ({ request }) =>
          answered(Effect.flatMap(currentTenant, (tenant) => create(request, tenant)))
        )
        .handleRaw("list", ({ request }) =>
          answered(
            list(request).pipe(Effect.provideService(Payments, payments), Effect.provideService(HostedPage, hostedUrl))
          )
        )
        .handleRaw("get", ({ params }) => answered(getPayment(payments, hostedUrl, params.id)))
        .handleRaw("capture", ({ params, request }) => answered(capturePayment(payments, params.id, request)))
        .handleRaw("cancel", ({ params, request }) => answered(cancelPayment(payments, params.id, request)))
    })
  )

/**
 * The response of `POST /v1/payments`, computed from the request alone. Most requests are of this kind: the router and
 * the declared API would cost more than the rest of its way through HTTP.
 */
export const directCreate: Effect.Effect<DirectRoute, never, Payments | ApiKeys | RateLimits> = Effect.gen(
  function* () {
    const principal = yield* principals
    const create = createPayment(yield* Payments)
    return {
      method: "POST",
      url: "/v1/payments",
      answer: (request) =>
        answered(Effect.flatMap(principal(request), (principal) => create(request, tenantOf(principal))))
    }
  }
)

const createPayment = (payments: Payments["Service"]) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, tenant: Tenant) {
    const idempotency = yield* keyScope(request.headers, CREATE_PAYMENT)
    const payment = yield* decodeCreatePayment(yield* readJsonObject(request))
    yield* refuseLocalReturn(payment, tenant)
    return createdResponse(yield* payments.create(payment, { tenant, idempotency }))
  })

const refuseLocalReturn = ({ returnUrl }: NewPayment, tenant: Tenant): Effect.Effect<void, PaymentError> =>
  tenant.livemode && returnUrl !== null && isLocalReturnUrl(returnUrl)
    ? Effect.fail(
        paymentError(
          new InvalidPayment({ errors: [{ pointer: "/return_url", message: "must be https in live mode" }] })
        )
      )
    : Effect.void

const createdResponse = ({ body, record, replayed }: Created): HttpServerResponse.HttpServerResponse => {
  const headers = { location: `/v1/payments/${record.payment.id}`, ...replayHeaders(replayed) }
  return jsonResponse(body, { status: 201, headers })
}

const getPayment = Effect.fnUntraced(function* (payments: Payments["Service"], hostedUrl: HostedUrl, text: string) {
  const id = yield* paymentId(text)
  return jsonResponse(JSON.stringify(paymentJson(yield* payments.get(yield* currentTenant, id), hostedUrl)))
})

const capturePayment = Effect.fnUntraced(function* (
  payments: Payments["Service"],
  text: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const id = yield* paymentId(text)
  const idempotency = yield* keyScope(request.headers, CAPTURE_PAYMENT)
  const asked = yield* decodeCapturePayment(yield* readJsonObject(request))
  return operationResponse(yield* payments.capture(id, asked, { tenant: yield* currentTenant, idempotency }))
})

const cancelPayment = Effect.fnUntraced(function* (
  payments: Payments["Service"],
  text: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const id = yield* paymentId(text)
  const idempotency = yield* keyScope(request.headers, CANCEL_PAYMENT)
  yield* decodeCancelPayment(yield* readOptionalJsonObject(request))
  return operationResponse(yield* payments.cancel(id, { tenant: yield* currentTenant, idempotency }))
})

/** An id that has another shape cannot exist. */
export const paymentId = (text: string): Effect.Effect<PaymentId, PaymentError> =>
  isPaymentId(text) ? Effect.succeed(text) : Effect.fail(paymentError(new PaymentNotFound()))

const operationResponse = ({ body, replayed }: OperationAnswer): HttpServerResponse.HttpServerResponse =>
  jsonResponse(body, { headers: replayHeaders(replayed) })

const answerList = (cursors: Cursors) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    return jsonResponse(JSON.stringify(yield* listPayments(yield* currentTenant, queryOf(request.url), cursors)))
  })

/** The parameters of an address, in the order they came. */
export const queryOf = (url: string) => [...new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")]
