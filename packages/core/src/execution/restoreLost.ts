/**
 * Writes again what a database that went back to an earlier moment has lost while it was being sent. The provider has it,
 * and its caller is about to be answered, so its row must be there.
 */
import { Effect } from "effect"
import { isEarlier, laterState } from "../domain/earlierState.ts"
import type { OperationId } from "../domain/Ids.ts"
import { missedEvents } from "../domain/missedEvents.ts"
import { createOf } from "../domain/openOperations.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import { changed } from "../domain/transition/change.ts"
import type { Changed } from "../domain/transition/change.ts"
import type { KeyBinding, PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"
import { eventRows } from "./eventRows.ts"
import type { EventServices } from "./eventRows.ts"

interface RestoreServices extends EventServices {
  readonly store: PaymentStore["Service"]
}

/**
 * The payment with the operation, and its key bound again. What was decided before the operation was sent, and is lost with it,
 * is written and announced again as well. `null`: the key was used anew meanwhile, or the payment has gone another way
 * since, in which the operation has no place; nothing was written.
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
  let unbound = binding
  while (true) {
    const stored = yield* store.get(known.payment.id)
    if (stored === null) return yield* beginAgain(services, known, binding)
    if (stored.operations.some((operation) => operation.id === id)) return stored
    const restored = restoredOf(services, stored, known, lost, yield* store.now)
    if (restored === null) return null
    const { events, record } = restored
    const commit = { before: stored, after: record, events, evidence: null, binding: unbound, answer: null }
    const written = yield* store.advance(commit)
    if (written._tag === "Advanced") return record
    // The answer of the request may have bound it already.
    const isBound = written._tag === "KeyTaken" && unbound !== null && written.kept.paymentId === known.payment.id
    if (isBound) unbound = null
    else if (written._tag !== "Conflict") return null
  }
})

interface Announced {
  readonly record: PaymentRecord
  readonly events: ReadonlyArray<PaymentEvent>
}

const restoredOf = (
  services: EventServices,
  stored: PaymentRecord,
  known: PaymentRecord,
  lost: Operation,
  now: number
): Announced | null => {
  if (isEarlier(stored, known)) return announced(services, stored, changed(laterState(stored, known), now, {}, null))
  return hasPlace(stored, known, lost)
    ? eventRows(services, stored, changed({ ...stored, operations: [...stored.operations, lost] }, now, {}, null))
    : null
}

/** The change with the events that were lost with it; `stored`: `null` if none was kept. */
const announced = (services: EventServices, stored: PaymentRecord | null, change: Changed): Announced => {
  const missed = missedEvents(stored, change.record)
  const all: Array<PaymentEvent> = []
  let { record } = change
  let before: PaymentRecord = stored ?? { ...record, payment: { ...record.payment, reviews: [] } }
  for (const each of missed.length === 0 ? [{ event: null, refund: null }] : missed) {
    const rows = eventRows(services, before, { ...change, ...each, record })
    all.push(...rows.events)
    record = rows.record
    before = record
  }
  return { record, events: all }
}

/**
 * It belongs to the very charge that it was sent for, which has come as far. The engine refunds only what is not the payment's:
 * where the charge is the payment's by now, the refund would leave a payment that is paid by nothing.
 */
const hasPlace = (stored: PaymentRecord, known: PaymentRecord, { attemptSeq, kind, purpose }: Operation): boolean => {
  const create = createOf(stored, attemptSeq)
  const attemptOf = ({ attempts }: PaymentRecord) => attempts[attemptSeq - 1]
  const attempt = attemptOf(stored)
  return (
    create !== undefined &&
    attempt !== undefined &&
    create.id === createOf(known, attemptSeq)?.id &&
    (kind !== "capture" || attempt.status === "authorized" || attempt.status === "succeeded") &&
    (purpose !== "reversal" || attempt.isOverpayment === attemptOf(known)?.isOverpayment)
  )
}

const beginAgain = Effect.fnUntraced(function* (
  services: RestoreServices,
  known: PaymentRecord,
  binding: KeyBinding | null
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  const { store } = services
  const begun: PaymentRecord = { ...known, payment: { ...known.payment, eventSequence: 0 } }
  const isBegun = yield* store.begin({ record: begun, binding }).pipe(
    Effect.map(({ _tag }) => _tag === "Begun"),
    // The repeated request has begun another payment with the operation.
    Effect.catch((unavailable) =>
      Effect.flatMap(repeatedPayment(store, known), (other) =>
        other === null ? Effect.fail(unavailable) : Effect.succeed(false)
      )
    )
  )
  if (!isBegun || missedEvents(null, begun).length === 0) return isBegun ? begun : null
  const { events, record } = announced(services, null, changed(begun, yield* store.now, {}, null))
  const commit = { before: begun, after: record, events, evidence: null, binding: null, answer: null }
  const { _tag } = yield* store.advance(commit)
  return _tag === "Advanced" ? record : yield* store.get(known.payment.id)
})

const repeatedPayment = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  { operations: [first], payment }: PaymentRecord
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  const found = first === undefined ? null : yield* store.findByOperation(first.id)
  return found === null || found.payment.id === payment.id ? null : found
})
