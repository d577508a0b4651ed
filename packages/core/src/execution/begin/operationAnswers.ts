/**
 * Answers requests about operations, and finds refunds. The bytes of a first response are stored with the request's
 * idempotency key.
 */
import { Deferred, Effect } from "effect"
import type { PaymentId, RefundId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord, Tenant } from "../../domain/Payment.ts"
import { paymentError, RefundNotFound } from "../../domain/PaymentError.ts"
import { isRefund, refundOperationId } from "../../domain/Refund.ts"
import { operationDifference } from "../../domain/requestDifference.ts"
import type { OperationRequest } from "../../domain/transition/requestOperation.ts"
import type { KeptKey, KeyBinding, StoreUnavailable } from "../../store/PaymentStore.ts"
import { paymentBody } from "../../wire/PaymentJson.ts"
import { refundBody } from "../../wire/RefundJson.ts"
import type { Created, PaymentResult } from "../PaymentResult.ts"
import { restoreLost } from "../restore/restoreLost.ts"
import type { LivePayment } from "./LivePayments.ts"
import type { RequestDeadline } from "./RequestDeadlines.ts"
import { firstAnswer, keepAnswer, mapStoreError, unlessLost } from "./requests.ts"
import type { RequestKey } from "./requests.ts"
import type { RequestServices } from "./requestServices.ts"

/** The response to a request for an operation. It is given when the operation is decided, or after ten seconds. */
export interface OperationAnswer extends Created {
  readonly operation: Operation
  /**
   * The public JSON of the refund or, for other operations, of the payment. A repeated request with the same
   * idempotency key gets the same bytes as the first one.
   */
  readonly body: string
}

/** An operation whose first commit is durable and which is being sent now. */
export interface BegunOperation {
  readonly record: PaymentRecord
  readonly operation: Operation
  readonly waiting: LivePayment
}

export const answerOperation = Effect.fnUntraced(function* (
  services: RequestServices,
  { operation, record, waiting }: BegunOperation,
  deadline: RequestDeadline
) {
  const { store } = services
  const settled = yield* Deferred.await(waiting.answer)
  // The response body that the commit produced is used only if the commit stored it with the idempotency key.
  const written = settled?.body ?? null
  const begun = settled?.record ?? record
  const kept =
    waiting.binding !== null && settled !== null && written !== null
      ? { record: settled.record, body: written }
      : yield* Effect.catch(
          deadline.untilAnswered(keepLatest(services, operation, waiting.binding, settled?.record ?? null, record)),
          unlessLost(store, { record: begun, body: bodyOf(services, begun, operation) })
        )
  return { ...kept, operation: standing(kept.record, operation), replayed: false } satisfies OperationAnswer
})

/**
 * Stores the response for the latest state of the payment, and returns it. `settled` is the payment after the operation
 * ended; if it is `null`, the payment is read again.
 */
const keepLatest = Effect.fnUntraced(function* (
  services: RequestServices,
  operation: Operation,
  binding: KeyBinding | null,
  settled: PaymentRecord | null,
  begun: PaymentRecord
): Effect.fn.Return<PaymentResult<string>, StoreUnavailable> {
  const latest = settled ?? (yield* restoreLost(services, begun, operation.id, binding)) ?? begun
  return binding === null
    ? { record: latest, body: bodyOf(services, latest, operation) }
    : yield* keepAnswer(services.store, binding, latest, (record) => bodyOf(services, record, operation))
})

/** Returns the stored response to an earlier request with the same idempotency key. */
export const replayOperation = Effect.fnUntraced(function* (
  services: RequestServices,
  kept: KeptKey,
  key: RequestKey | null,
  requested: OperationRequest & { readonly id: PaymentId }
) {
  const operationIn = ({ operations }: PaymentRecord) => operations.find(({ id }) => id === kept.operationId)
  const { body, record } = yield* firstAnswer(
    services,
    kept,
    key,
    (record) => {
      const operation = operationIn(record)
      return operation === undefined ? paymentBody(record, services.hostedUrl) : bodyOf(services, record, operation)
    },
    (first) => operationDifference(requested, requested.id, first.payment, operationIn(first))
  )
  const operation = operationIn(record)
  if (operation === undefined) return yield* Effect.die(new Error(`Operation ${String(kept.operationId)} is gone`))
  return { record, operation, body, replayed: true } satisfies OperationAnswer
})

export const findRefund = Effect.fnUntraced(function* (
  { store }: Pick<RequestServices, "store">,
  tenant: Tenant,
  id: RefundId
) {
  const operationId = refundOperationId(id)
  const record = yield* mapStoreError(store.findByOperation(operationId))
  const operation = record?.operations.find((each) => each.id === operationId && isRefund(each))
  const isOurs = record?.payment.account === tenant.account && record.payment.livemode === tenant.livemode
  if (record === null || operation === undefined || !isOurs) return yield* paymentError(new RefundNotFound())
  return { record, operation }
})

/** Returns the operation as it is now in `record`. */
const standing = (record: PaymentRecord, operation: Operation): Operation =>
  record.operations.find(({ id }) => id === operation.id) ?? operation

const bodyOf = (
  { hostedUrl }: Pick<RequestServices, "hostedUrl">,
  record: PaymentRecord,
  operation: Operation
): string => {
  const latest = standing(record, operation)
  return isRefund(latest) ? refundBody(record, latest) : paymentBody(record, hostedUrl)
}
