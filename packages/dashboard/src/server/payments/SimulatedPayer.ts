/**
 * Plays the payer of a sandbox payment. A port: the sandbox is not a part of this package. `null`: the providers are real, and
 * their payers decide.
 */
import type { Payment, PaymentRecord, Tenant } from "@paymux/core"
import type { ApiProblem } from "@paymux/http"
import { Context } from "effect"
import type { Effect } from "effect"

export const simulatedDecisions = ["approve", "decline", "expire"] as const
export type SimulatedDecision = (typeof simulatedDecisions)[number]

export interface SimulatedPayerService {
  /** Whether a simulated provider has the payment, and its payer has not decided. */
  readonly decides: (record: PaymentRecord) => boolean
  /** Returns the payment after the engine was notified. */
  readonly decide: (
    tenant: Tenant,
    payment: Payment,
    decision: SimulatedDecision
  ) => Effect.Effect<PaymentRecord, ApiProblem>
}

export const SimulatedPayer = Context.Reference<SimulatedPayerService | null>("@paymux/dashboard/SimulatedPayer", {
  defaultValue: () => null
})
