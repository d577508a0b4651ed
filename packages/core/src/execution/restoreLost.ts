/**
 * Writes again what a database that went back to an earlier moment has lost while it was being sent. The provider has it,
 * and its caller is about to be answered, so its row must be there.
 */
import { Effect } from "effect"
import { isEarlier } from "../domain/earlierState.ts"
import { changed } from "../domain/transition/change.ts"
import type { Changed } from "../domain/transition/change.ts"
import type { OperationId } from "../domain/Ids.ts"
import { createOf } from "../domain/openOperations.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { KeyBinding, PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"
import { eventRows } from "./eventRows.ts"
import type { EventServices } from "./eventRows.ts"

interface RestoreServices extends EventServices {
  readonly store: PaymentStore["Service"]
}

/**
 * The payment with the operation, and its key bound again. What was decided before the operation was sent, and is lost with it,
 * is written again as well. `null`: the key was used anew meanwhile, or the payment has gone another way since, in which
 * the operation has no place; nothing was written.
 *
 * @param known the payment as it was when the operation was sent
 */
export const restoreLost = Effect.fnUntraced(function* (
  services: RestoreServices,
  known: PaymentRecord,
  id: OperationId | undefined,
  binding: KeyBinding | null
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  const { store } = services
  const lost = known.operations.find((operation) => operation.id === id)
  if (lost === undefined) return null
  while (true) {
    const stored = yield* store.get(known.payment.id)
    if (stored === null) return yield* beginAgain(store, known, binding)
    if (stored.operations.some((operation) => operation.id === id)) return stored
    const change = restored(stored, known, lost, yield* store.now)
    if (change === null) return null
    const { events, record } = eventRows(services, stored, change)
    const commit = { before: stored, after: record, events, evidence: null, binding, answer: null }
    const { _tag } = yield* store.advance(commit)
    if (_tag === "Advanced") return record
    if (_tag !== "Conflict") return null
  }
})

const restored = (stored: PaymentRecord, known: PaymentRecord, lost: Operation, now: number): Changed | null => {
  if (isEarlier(stored, known)) {
    const { eventSequence, version } = stored.payment
    const { status } = known.payment.state
    const event = status === stored.payment.state.status || status === "pending" ? null : (`payment.${status}` as const)
    return changed({ ...known, payment: { ...known.payment, eventSequence, version } }, now, {}, event)
  }
  return hasPlace(stored, known, lost)
    ? changed({ ...stored, operations: [...stored.operations, lost] }, now, {}, null)
    : null
}

/**
 * It belongs to the very charge that it was sent for. The engine refunds only what is not the payment's: where the charge is
 * the payment's by now, the refund would leave a payment that is paid by nothing.
 */
const hasPlace = (stored: PaymentRecord, known: PaymentRecord, { attemptSeq, purpose }: Operation): boolean => {
  const create = createOf(stored, attemptSeq)
  const isOverpayment = ({ attempts }: PaymentRecord) => attempts[attemptSeq - 1]?.isOverpayment
  return (
    create !== undefined &&
    create.id === createOf(known, attemptSeq)?.id &&
    (purpose !== "reversal" || isOverpayment(stored) === isOverpayment(known))
  )
}

const beginAgain = (store: PaymentStore["Service"], record: PaymentRecord, binding: KeyBinding | null) =>
  store.begin({ record, binding }).pipe(
    Effect.map(({ _tag }) => (_tag === "Begun" ? record : null)),
    // The repeated request has begun another payment with the operation.
    Effect.catch((unavailable) =>
      Effect.flatMap(repeatedPayment(store, record), (other) =>
        other === null ? Effect.fail(unavailable) : Effect.succeed(null)
      )
    )
  )

const repeatedPayment = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  { operations: [first], payment }: PaymentRecord
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  const found = first === undefined ? null : yield* store.findByOperation(first.id)
  return found === null || found.payment.id === payment.id ? null : found
})
