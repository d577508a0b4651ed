/** Handlers of refunds. */
import { Payments } from "@paymux/core"
import { refundId } from "@paymux/core/store"
import { decodeCreateRefund, isRefundId, paymentError, refundBody, RefundNotFound } from "@paymux/core/wire"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api, CREATE_REFUND } from "./Api.ts"
import { answered } from "../auth/RouteError.ts"
import { currentTenant } from "../auth/Authentication.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { replayHeaders } from "../server/Exchange.ts"
import { paymentId, requestOptions } from "./paymentHandlers.ts"
import { queryOf, queryRefusal, unknownParameter } from "../request/QueryParameters.ts"
import { refundList } from "./RefundList.ts"
import { readJsonObject } from "../request/RequestBody.ts"
import { notePayment } from "../request/RequestNote.ts"

export const refundHandlers = HttpApiBuilder.group(Api, "refunds", (handlers) =>
  Effect.map(Payments, (payments) =>
    handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* ({ params, request }) {
          const id = yield* paymentId(params.id)
          const options = yield* requestOptions(request, CREATE_REFUND)
          const refund = yield* decodeCreateRefund(yield* readJsonObject(request))
          const { body, operation, replayed } = yield* payments.refund(id, refund, options)
          const headers = { location: `/v1/refunds/${refundId(operation.id)}`, ...replayHeaders(replayed) }
          return jsonResponse(body, { status: 201, headers })
        }, answered)
      )
      .handleRaw(
        "list",
        Effect.fnUntraced(function* ({ params, request }) {
          const id = yield* paymentId(params.id)
          // Unknown parameters are rejected, not ignored, as in the list of payments.
          const names = new Set(queryOf(request.url).map(([name]) => name))
          if (names.size > 0) return yield* queryRefusal([...names].slice(0, 100).map(unknownParameter))
          return jsonResponse(JSON.stringify(refundList(yield* payments.get(yield* currentTenant, id))))
        }, answered)
      )
      .handleRaw(
        "get",
        Effect.fnUntraced(function* ({ params }) {
          if (!isRefundId(params.id)) return yield* paymentError(new RefundNotFound())
          const { operation, record } = yield* payments.findRefund(yield* currentTenant, params.id)
          yield* notePayment(record.payment.id)
          return jsonResponse(refundBody(record, operation))
        }, answered)
      )
  )
)
