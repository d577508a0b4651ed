/** Handlers of payments: they decode the request and call the service. */
import { Payments } from "@paymux/core"
import type { OperationAnswer, PaymentError, PaymentId, Tenant } from "@paymux/core"
import {
  decodeCancelPayment,
  decodeCapturePayment,
  HostedPage,
  isPaymentId,
  paymentError,
  paymentJson,
  PaymentNotFound
} from "@paymux/core/wire"
import type { HostedUrl, ServerSecrets } from "@paymux/core/wire"
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api, CANCEL_PAYMENT, CAPTURE_PAYMENT, CREATE_PAYMENT } from "./Api.ts"
import { answered } from "../auth/RouteError.ts"
import { currentTenant } from "../auth/Authentication.ts"
import { cursors } from "../request/Cursor.ts"
import type { Cursors } from "../request/Cursor.ts"
import { toResponse } from "../problems/Answer.ts"
import { ReadShare } from "../server/ReadShare.ts"
import { createFrom } from "./createPayment.ts"
import { queryOf } from "../request/QueryParameters.ts"
import { keyScope } from "../request/IdempotencyKey.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { replayHeaders } from "../server/Exchange.ts"
import { listPayments } from "./PaymentList.ts"
import { readJsonObject, readOptionalJsonObject } from "../request/RequestBody.ts"

/** `secrets`: sign cursors. */
export const paymentHandlers = (secrets: ServerSecrets) =>
  HttpApiBuilder.group(Api, "payments", (handlers) =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const hostedUrl = yield* HostedPage
      const create = createPayment(payments)
      const reads = yield* ReadShare
      const list = answerList(reads, cursors(secrets))
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

const createPayment = (payments: Payments["Service"]) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, tenant: Tenant) {
    const idempotency = yield* keyScope(request.headers, CREATE_PAYMENT)
    return toResponse(yield* createFrom(payments, yield* readJsonObject(request), { tenant, idempotency }))
  })

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
  const capture = yield* decodeCapturePayment(yield* readJsonObject(request))
  return operationResponse(yield* payments.capture(id, capture, { tenant: yield* currentTenant, idempotency }))
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

/** Decodes the id of a payment. A malformed id cannot exist. */
export const paymentId = (text: string): Effect.Effect<PaymentId, PaymentError> =>
  isPaymentId(text) ? Effect.succeed(text) : Effect.fail(paymentError(new PaymentNotFound()))

const operationResponse = ({ body, replayed }: OperationAnswer): HttpServerResponse.HttpServerResponse =>
  jsonResponse(body, { headers: replayHeaders(replayed) })

const answerList = (reads: ReadShare["Service"], cursors: Cursors) =>
  Effect.fnUntraced(function* ({ url }: HttpServerRequest.HttpServerRequest) {
    const tenant = yield* currentTenant
    const list = Effect.map(listPayments(tenant, queryOf(url), cursors), (page) => jsonResponse(JSON.stringify(page)))
    return yield* reads.run(`/v1 ${tenant.account} ${tenant.livemode}`, list)
  })
