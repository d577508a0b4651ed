/** The handlers of payments: decode, call the service, answer bytes. */
import {
  decodeCreatePayment,
  InvalidPayment,
  isLocalReturnUrl,
  isPaymentId,
  paymentError,
  paymentJson,
  PaymentNotFound,
  Payments
} from "@paymux/core"
import type { Created, NewPayment, PaymentError, Tenant } from "@paymux/core"
import { Effect } from "effect"
import type { Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api, CREATE_PAYMENT } from "./Api.ts"
import { ApiKeys } from "./ApiKeys.ts"
import type { Principal } from "./ApiKeys.ts"
import { answered } from "./ApiProblem.ts"
import { CurrentPrincipal } from "./Authentication.ts"
import { cursors } from "./Cursor.ts"
import type { Cursors } from "./Cursor.ts"
import type { DirectRoute } from "./Edge.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { listPayments } from "./PaymentList.ts"
import { readJsonObject } from "./RequestBody.ts"

/** `secret` signs cursors. */
export const paymentHandlers = (secret: Redacted.Redacted) =>
  HttpApiBuilder.group(Api, "payments", (handlers) =>
    Effect.map(Payments, (payments) => {
      const create = createPayment(payments)
      const list = answerList(cursors(secret))
      return handlers
        .handleRaw("create", ({ request }) =>
          answered(Effect.flatMap(currentTenant, (tenant) => create(request, tenant)))
        )
        .handleRaw("list", ({ request }) => answered(Effect.provideService(list(request), Payments, payments)))
        .handleRaw("get", ({ params }) => answered(getPayment(payments, params.id)))
    })
  )

/**
 * What `POST /v1/payments` answers, for whoever has the request alone. It is the request that everybody sends: going by
 * the router and the declared API costs more than the rest of its way through HTTP.
 */
export const directCreate: Effect.Effect<DirectRoute, never, Payments | ApiKeys> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const create = createPayment(yield* Payments)
  return {
    method: "POST",
    url: "/v1/payments",
    answer: (request) =>
      answered(
        Effect.flatMap(keys.authenticate(request.headers["authorization"]), (principal) =>
          create(request, tenantOf(principal))
        )
      )
  }
})

const createPayment = (payments: Payments["Service"]) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, tenant: Tenant) {
    const key = yield* idempotencyKey(request.headers)
    const payment = yield* decodeCreatePayment(yield* readJsonObject(request))
    yield* refuseLocalReturn(payment, tenant)
    const idempotency = key === null ? null : { endpoint: CREATE_PAYMENT, key }
    return createdResponse(yield* payments.create(payment, { tenant, idempotency }))
  })

/** Stored data is scoped by account and mode alone: which key asked is not a part of it. */
const tenantOf = ({ account, livemode }: Principal): Tenant => ({ account, livemode })

const currentTenant: Effect.Effect<Tenant, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, tenantOf)

const refuseLocalReturn = ({ returnUrl }: NewPayment, tenant: Tenant): Effect.Effect<void, PaymentError> =>
  tenant.livemode && returnUrl !== null && isLocalReturnUrl(returnUrl)
    ? Effect.fail(
        paymentError(
          new InvalidPayment({ errors: [{ pointer: "/return_url", message: "must be https in live mode" }] })
        )
      )
    : Effect.void

const createdResponse = ({ body, record, replayed }: Created): HttpServerResponse.HttpServerResponse => {
  const location = `/v1/payments/${record.payment.id}`
  return HttpServerResponse.text(body, {
    status: 201,
    contentType: "application/json",
    headers: replayed ? { location, "idempotent-replayed": "true" } : { location }
  })
}

const getPayment = Effect.fnUntraced(function* (payments: Payments["Service"], id: string) {
  if (!isPaymentId(id)) return yield* paymentError(new PaymentNotFound())
  const record = yield* payments.get(yield* currentTenant, id)
  return jsonResponse(paymentJson(record))
})

const answerList = (cursors: Cursors) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    return jsonResponse(yield* listPayments(yield* currentTenant, queryOf(request.url), cursors))
  })

const queryOf = (url: string) => [...new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")]

const jsonResponse = (body: unknown): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(body), { contentType: "application/json" })
