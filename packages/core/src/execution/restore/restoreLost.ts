/**
 * Inserts the row of a payment or operation again if the database was restored while the provider was called, and lost
 * the row. The provider has received the request and the caller is about to be answered, so the row must exist.
 */
import { Effect } from "effect"
import { isEarlier, laterState } from "./earlierState.ts"
import type { OperationId } from "../../domain/Ids.ts"
import { isErased } from "../../domain/erasure.ts"
import { missedEvents } from "./missedEvents.ts"
import { createOf } from "../../domain/Payment.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { PaymentEvent } from "../../domain/PaymentEvent.ts"
import { changed } from "../../domain/transition/change.ts"
import type { Changed } from "../../domain/transition/change.ts"
import type { KeyBinding, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import { beginWithoutOrder } from "./beginWithoutOrder.ts"
import { begunRecord } from "../begin/newRecords.ts"
import { eventRows } from "../conclude/PaymentWriter.ts"
import type { EventServices } from "../conclude/PaymentWriter.ts"

interface RestoreServices extends EventServices {
  readonly store: PaymentStore["Service"]
}

/**
 * Inserts the lost operation and the binding of its idempotency key again, and returns the payment. Other lost changes
 * of the payment, made before the send, are also written and announced again. `null` if the operation was not written,
 * because the idempotency key was used for another request since, or the payment has changed in a way that excludes the
 * operation.
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
    if (stored === null) {
      // Binds only a payment's idempotency key here; the key of a later operation is bound together with that
      // operation.
      const ofPayment = unbound?.operationId === null ? unbound : null
      if (!(yield* isBegunAgain(services, known, ofPayment))) return null
      if (ofPayment !== null) unbound = null
      continue
    }
    if (stored.operations.some((operation) => operation.id === id)) return stored
    const restored = restoredOf(services, stored, known, lost, yield* store.now)
    if (restored === null) return null
    const { events, record } = restored
    const commit = { before: stored, after: record, events, evidence: null, binding: unbound, answer: null }
    const written = yield* store.advance(commit)
    if (written._tag === "Advanced") return record
    // Accepts a key that is bound already to this payment, by another process that answers the request.
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
  const added = isErased(stored.payment) ? { ...lost, reason: null } : lost
  return hasPlace(stored, known, lost)
    ? eventRows(services, stored, changed({ ...stored, operations: [...stored.operations, added] }, now, {}, null))
    : null
}

/** Adds the events that the database has lost to a change. */
const announced = (services: EventServices, stored: PaymentRecord, change: Changed): Announced => {
  const missed = missedEvents(stored, change.record)
  const all: Array<PaymentEvent> = []
  let { record } = change
  let before = stored
  for (const each of missed.length === 0 ? [{ event: null, refund: null }] : missed) {
    const rows = eventRows(services, before, { ...change, ...each, record })
    all.push(...rows.events)
    record = rows.record
    before = record
  }
  return { record, events: all }
}

/**
 * Whether the lost operation can be added to the stored payment: the payment has the charge that the operation was sent
 * for, in a state that allows the operation. The engine's own refunds return only overpayments: if the charge now pays
 * for the payment, the refund must not be added.
 */
const hasPlace = (
  stored: PaymentRecord,
  known: PaymentRecord,
  { attemptSeq, charge, kind, purpose }: Operation
): boolean => {
  const create = createOf(stored, attemptSeq)
  const before = createOf(known, attemptSeq)
  const attemptOf = ({ attempts }: PaymentRecord) => attempts[attemptSeq - 1]
  const attempt = attemptOf(stored)
  return (
    create !== undefined &&
    attempt !== undefined &&
    create.id === before?.id &&
    (charge === null || create.reference === before.reference) &&
    (kind !== "capture" || attempt.status === "authorized" || attempt.status === "succeeded") &&
    (purpose !== "reversal" || attempt.isOverpayment === attemptOf(known)?.isOverpayment)
  )
}

/**
 * Begins the lost payment again; `true` if the payment is stored with this idempotency key. Its later changes are
 * written in a separate commit.
 */
const isBegunAgain = Effect.fnUntraced(function* (
  services: RestoreServices,
  known: PaymentRecord,
  binding: KeyBinding | null
): Effect.fn.Return<boolean, StoreUnavailable> {
  const { store } = services
  const record = begunRecord(known)
  if (record === null) return false
  return yield* store.begin({ record, binding }).pipe(
    Effect.flatMap((begun) =>
      begun._tag === "OrderTaken"
        ? beginWithoutOrder(services, { record: known, binding }, ({ id }) => id < known.payment.id)
        : Effect.succeed(begun)
    ),
    // Accepts a payment that another process, which answers the request, has begun at the same time.
    Effect.map((begun) =>
      begun._tag === "KeyTaken" ? begun.kept.paymentId === known.payment.id : begun._tag !== "OrderTaken"
    ),
    // On a store error, looks up the operation id: a repeated request may have begun another payment with the same
    // operation id.
    Effect.catch((unavailable) =>
      Effect.flatMap(repeatedPayment(store, known), (other) =>
        other === null ? Effect.fail(unavailable) : Effect.succeed(false)
      )
    )
  )
})

const repeatedPayment = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  { operations: [first], payment }: PaymentRecord
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  const found = first === undefined ? null : yield* store.findByOperation(first.id)
  return found === null || found.payment.id === payment.id ? null : found
})
