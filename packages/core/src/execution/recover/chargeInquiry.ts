/** The inquiry about a charge beyond the first of a create, which is refunded once it is confirmed. Pure. */
import { isUnconfirmed, unconfirmedCharges } from "../../domain/books/reversal.ts"
import type { Operation } from "../../domain/Operation.ts"
import { takesMoney } from "../../domain/transition/reportedMoney.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { RunningProvider } from "../../provider/ProviderRegistry.ts"
import type { DueOperation } from "../../store/PaymentStore.ts"

/** The references of the charges to inquire about, in order; empty: inquire about the operation itself. */
export const chargesToConfirm = (
  { operation, record }: DueOperation,
  { declared }: Pick<RunningProvider, "declared">
): ReadonlyArray<string> => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (operation.kind !== "create" || attempt === undefined || !declared("create").chargesByReference) return []
  return isUnconfirmed(record, attempt) ? [] : unconfirmedCharges(record, attempt)
}

/**
 * The answer as evidence about this charge: it does not show which charge is the payment's own. `null`: the provider shows no money
 * under this reference, which proves nothing about the operation.
 */
export const aboutCharge = ({ provider }: Operation, charge: string, evidence: Evidence | null): Evidence | null => {
  if (evidence === null || !takesMoney(evidence.outcome)) return null
  const { reference = charge, ...outcome } = evidence.outcome
  return reference === charge ? { ...evidence, about: { provider, providerReference: charge }, outcome } : null
}
