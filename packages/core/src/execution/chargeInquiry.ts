/** The inquiry about a charge beyond the first of a create, which is refunded once it is confirmed. Pure. */
import { isUnconfirmed, unconfirmedCharges } from "../domain/books/reversal.ts"
import type { Operation } from "../domain/Operation.ts"
import { takesMoney } from "../domain/transition/overpayment.ts"
import type { Evidence } from "../provider/Evidence.ts"
import type { RunningProvider } from "../provider/ProviderRegistry.ts"
import type { DueOperation } from "../store/PaymentStore.ts"

/** The references of the charges to inquire about one after the other; empty: the operation's own comes first. */
export const chargesToConfirm = (
  { operation, record }: DueOperation,
  { declared }: Pick<RunningProvider, "declared">
): ReadonlyArray<string> => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (operation.kind !== "create" || attempt === undefined || !declared("create").chargesByReference) return []
  return isUnconfirmed(record, attempt) ? [] : unconfirmedCharges(record, attempt)
}

/**
 * Evidence about this charge, and not about the operation: it does not say which of the charges is the payment's own. `null`: no
 * money is shown under this reference, which decides nothing about the operation.
 */
export const aboutCharge = ({ provider }: Operation, charge: string, evidence: Evidence | null): Evidence | null => {
  if (evidence === null || !takesMoney(evidence.outcome)) return null
  const { reference = charge, ...outcome } = evidence.outcome
  return reference === charge ? { ...evidence, about: { provider, providerReference: charge }, outcome } : null
}
