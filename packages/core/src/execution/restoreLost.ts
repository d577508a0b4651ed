/**
 * Writes again what a database that went back to an earlier moment has lost while it was being sent. The provider has it,
 * and its caller is about to be answered, so its row must be there.
 */
import { Effect } from "effect"
import { changed } from "../domain/transition/change.ts"
import type { OperationId } from "../domain/Ids.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { KeyBinding, PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"
import { eventRows } from "./eventRows.ts"
import type { EventServices } from "./eventRows.ts"

interface RestoreServices extends EventServices {
  readonly store: PaymentStore["Service"]
}

/**
 * The payment with the operation, and its key bound again. `null`: the key was used anew meanwhile, or the operation
 * belongs to an attempt that is gone; nothing was written.
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
    if (lost.kind === "create") return null
    const now = yield* store.now
    const change = changed({ ...stored, operations: [...stored.operations, lost] }, now, {}, null)
    const { events, record } = eventRows(services, stored, change)
    const commit = { before: stored, after: record, events, evidence: null, binding, answer: null }
    const { _tag } = yield* store.advance(commit)
    if (_tag === "Advanced") return record
    if (_tag === "KeyTaken") return null
  }
})

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
