/** The handlers of refunds: decode, call the service, answer bytes. */
import { Payments } from "@paymux/core"
import { refundId } from "@paymux/core/store"
import { decodeCreateRefund, isRefundId, paymentError, refundBody, RefundNotFound } from "@paymux/core/wire"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api, CREATE_REFUND } from "./Api.ts"
import { answered } from "../auth/RouteError.ts"
import { currentTenant } from "../auth/Authentication.ts"
import { keyScope } from "../request/IdempotencyKey.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { replayHeaders } from "../server/Exchange.ts"
import { paymentId } from "./paymentHandlers.ts"
import { queryOf, queryRefusal, unknownParameter } from "../request/QueryParameters.ts"
import { refundList } from "./RefundList.ts"
import { readJsonObject } from "../request/RequestBody.ts"
import { CurrentRequestNote } from "../request/RequestNote.ts"

export const refundHandlers = HttpApiBuilder.group(Api, "refunds", (handlers) =>
  Effect.map(Payments, (payments) =>
    handlers
      .handleRaw("create", ({ params, request }) => answered(createRefund(payments, params.id, request)))
      .handleRaw("list", ({ params, request }) => answered(listRefunds(payments, params.id, request)))
      .handleRaw("get", ({ params }) => answered(getRefund(payments, params.id)))
  )
)

const createRefund = Effect.fnUntraced(function* (
  payments: Payments["Service"],
  text: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const id = yield* paymentId(text)
  const idempotency = yield* keyScope(request.headers, CREATE_REFUND)
  const refund = yield* decodeCreateRefund(yield* readJsonObject(request))
  const tenant = yield* currentTenant
  const { body, operation, replayed } = yield* payments.refund(id, refund, { tenant, idempotency })
  const headers = { location: `/v1/refunds/${refundId(operation.id)}`, ...replayHeaders(replayed) }
  return jsonResponse(body, { status: 201, headers })
})

const listRefunds = Effect.fnUntraced(function* (
  payments: Payments["Service"],
  text: string,
  { url }: HttpServerRequest.HttpServerRequest
) {
  const id = yield* paymentId(text)
  // As in the list of payments: unknown parameters are rejected, not ignored.
  const names = new Set(queryOf(url).map(([name]) => name))
  if (names.size > 0) {
    return yield* queryRefusal([...names].slice(0, 100).map(unknownParameter))
  }
  return jsonResponse(JSON.stringify(refundList(yield* payments.get(yield* currentTenant, id))))
})

const getRefund = Effect.fnUntraced(function* (payments: Payments["Service"], id: string) {
  if (!isRefundId(id)) return yield* paymentError(new RefundNotFound())
  const { operation, record } = yield* payments.findRefund(yield* currentTenant, id)
  const note = yield* CurrentRequestNote
  if (note !== null) note.paymentId = record.payment.id
  return jsonResponse(refundBody(record, operation))
})
