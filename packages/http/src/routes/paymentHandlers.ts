/** Handlers of payments: they decode the request and call the service. */
import { Payments } from "@paymux/core"
import type { OperationAnswer, PaymentError, PaymentId } from "@paymux/core"
import {
  decodeCancelPayment,
  decodeCapturePayment,
  HostedPage,
  isPaymentId,
  paymentError,
  paymentJson,
  PaymentNotFound
} from "@paymux/core/wire"
import type { ServerSecrets } from "@paymux/core/wire"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { HttpApiBuilder } from "effect/http-api"
import { Api, CANCEL_PAYMENT, CAPTURE_PAYMENT, CREATE_PAYMENT } from "./Api.ts"
import { answered } from "../auth/RouteError.ts"
import { currentTenant } from "../auth/Authentication.ts"
import { cursors } from "../request/Cursor.ts"
import { toResponse } from "../problems/Answer.ts"
import { lineOf, ReadShare } from "../server/ReadShare.ts"
import { createFrom } from "./createPayment.ts"
import { queryOf } from "../request/QueryParameters.ts"
import { keyScope } from "../request/IdempotencyKey.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { replayHeaders } from "../server/Exchange.ts"
import { listPayments } from "./PaymentList.ts"
import { readJsonObject, readOptionalJsonObject } from "../request/RequestBody.ts"

/** Creates the handlers of payments. Cursors of lists are signed with the first of the `secrets`. */
export const paymentHandlers = (secrets: ServerSecrets) =>
  HttpApiBuilder.group(Api, "payments", (handlers) =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const hostedUrl = yield* HostedPage
      const reads = yield* ReadShare
      const signed = cursors(secrets)
      return handlers
        .handleRaw(
          "create",
          Effect.fnUntraced(function* ({ request }) {
            const options = yield* requestOptions(request, CREATE_PAYMENT)
            return toResponse(yield* createFrom(payments, yield* readJsonObject(request), options))
          }, answered)
        )
        .handleRaw(
          "list",
          Effect.fnUntraced(
            function* ({ request }) {
              const tenant = yield* currentTenant
              const page = Effect.map(listPayments(tenant, queryOf(request.url), signed), (read) =>
                JSON.stringify(read)
              )
              return jsonResponse(yield* reads.run(lineOf(tenant), page))
            },
            Effect.provideService(Payments, payments),
            Effect.provideService(HostedPage, hostedUrl),
            answered
          )
        )
        .handleRaw(
          "get",
          Effect.fnUntraced(function* ({ params }) {
            const record = yield* payments.get(yield* currentTenant, yield* paymentId(params.id))
            return jsonResponse(JSON.stringify(paymentJson(record, hostedUrl)))
          }, answered)
        )
        .handleRaw(
          "capture",
          Effect.fnUntraced(function* ({ params, request }) {
            const id = yield* paymentId(params.id)
            const options = yield* requestOptions(request, CAPTURE_PAYMENT)
            const capture = yield* decodeCapturePayment(yield* readJsonObject(request))
            return operationResponse(yield* payments.capture(id, capture, options))
          }, answered)
        )
        .handleRaw(
          "cancel",
          Effect.fnUntraced(function* ({ params, request }) {
            const id = yield* paymentId(params.id)
            const options = yield* requestOptions(request, CANCEL_PAYMENT)
            yield* decodeCancelPayment(yield* readOptionalJsonObject(request))
            return operationResponse(yield* payments.cancel(id, options))
          }, answered)
        )
    })
  )

/**
 * Returns the account and mode of a request that changes a payment, and the request's idempotency key with the scope
 * `endpoint`.
 */
export const requestOptions = Effect.fnUntraced(function* ({ headers }: HttpServerRequest, endpoint: string) {
  return { tenant: yield* currentTenant, idempotency: yield* keyScope(headers, endpoint) }
})

/** Validates a payment id from the path. A malformed id gets the same response as the id of an unknown payment. */
export const paymentId = (text: string): Effect.Effect<PaymentId, PaymentError> =>
  isPaymentId(text) ? Effect.succeed(text) : Effect.fail(paymentError(new PaymentNotFound()))

const operationResponse = ({ body, replayed }: OperationAnswer) =>
  jsonResponse(body, { headers: replayHeaders(replayed) })
