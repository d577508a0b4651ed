/** Capture, cancel and refund of a simulated payment. A repeated idempotency key returns the first result. */
import { invalidRequest, Outcome } from "@paymux/core"
import type { ProviderError, ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import { applyDue, isOpen, recordMovement } from "./LedgerEntry.ts"
import type { LedgerChange, LedgerEntry, Movement } from "./LedgerEntry.ts"
import type { LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"

type Kind = Movement["kind"]

export const followUpOperation =
  (ledger: SandboxLedger["Service"], provider: string, kind: Kind) =>
  (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError | LedgerUnavailable> =>
    Effect.gen(function* () {
      const done = yield* ledger.findMovement(provider, operation.key)
      if (done !== null) return movementOutcome(operation, done)
      const { original } = operation
      if (original === null) return yield* invalidRequest(`There is nothing to ${kind}.`)
      const now = yield* Clock.currentTimeMillis
      const movement: Movement = {
        provider,
        key: operation.key,
        operationId: operation.id,
        paymentId: operation.paymentId,
        kind,
        minorUnits: operation.amount.minorUnits,
        currency: operation.amount.currency,
        at: now
      }
      while (true) {
        const entry = yield* ledger.findByKey(provider, original.key)
        if (entry === null) return yield* invalidRequest(`The provider has no such payment to ${kind}.`)
        // The movements are read after the entry: a movement in between increments the entry's revision, so that the
        // write fails.
        const movements = (yield* ledger.movements(operation.paymentId)).filter((each) => each.provider === provider)
        const written = applyDue(entry, now) ?? change(entry, movement, movements)
        if (written === null) return yield* invalidRequest(`The payment is not in a state to ${kind}.`)
        if ((yield* ledger.advance(entry, written)) && written.movements.includes(movement))
          return movementOutcome(operation, movement)
      }
    })

/** The outcome of a movement: a success with the movement's own reference, which is derived from the operation's id. */
export const movementOutcome = ({ id }: ProviderOperation, { currency, minorUnits }: Movement): Outcome.SendOutcome =>
  Outcome.succeeded({ reference: `sbx_${id.replace(/^op_/, "")}`, amount: { minorUnits, currency } })

/**
 * Computes the change of the ledger that performs the movement; `null`: the state of the payment, or the amount, does
 * not allow it.
 */
const change = (entry: LedgerEntry, movement: Movement, before: ReadonlyArray<Movement>): LedgerChange | null => {
  const { amount, state } = entry
  const within = movement.currency === amount.currency
  switch (movement.kind) {
    case "capture":
      return state === "authorized" && within && movement.minorUnits <= amount.minorUnits
        ? recordMovement(entry, movement, "approved")
        : null
    case "cancel":
      return state === "authorized" || isOpen(entry) ? recordMovement(entry, movement, "canceled") : null
    case "refund": {
      const refunded = before.filter(({ kind }) => kind === "refund").reduce((sum, each) => sum + each.minorUnits, 0)
      return state === "approved" && within && refunded + movement.minorUnits <= (entry.received ?? 0)
        ? recordMovement(entry, movement, "approved")
        : null
    }
  }
}
