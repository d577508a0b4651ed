/** The buttons of the payment page and of the dashboard in test mode: they decide a pending sandbox payment. */
import type { Payment } from "@paymux/core"
import type { SimulatedDecision } from "@paymux/checkout"
import type { SimulatedPayerService } from "@paymux/dashboard"
import type { SandboxSimulator, SimulateJson } from "@paymux/sandbox"
import { Effect } from "effect"
import { simulateProblem } from "./simulateExtension.ts"

export const simulatedPayer =
  (simulator: SandboxSimulator["Service"]) =>
  (payment: Payment, decision: SimulatedDecision): Effect.Effect<void> =>
    simulator.simulate(payment, payment.id, bodyOf(payment, decision)).pipe(
      Effect.asVoid,
      Effect.catch(({ reason }) =>
        // A second click finds the payment decided: the page shows its result.
        reason._tag === "Unavailable"
          ? Effect.logError("The payment could not be simulated", reason.cause)
          : Effect.void
      )
    )

export const simulatedPayerOf = (
  simulator: SandboxSimulator["Service"],
  providers: ReadonlySet<string>
): SimulatedPayerService => ({
  decides: ({ payment }) => !payment.livemode && payment.state.status === "pending" && providers.has(payment.provider),
  decide: (tenant, payment, decision) =>
    Effect.mapError(simulator.simulate(tenant, payment.id, bodyOf(payment, decision)), simulateProblem)
})

const bodyOf = ({ captureMethod }: Payment, decision: SimulatedDecision): SimulateJson => {
  switch (decision) {
    case "approve":
      return { outcome: captureMethod === "manual" ? "authorized" : "succeeded" }
    case "decline":
      return { outcome: "failed", code: "customer_canceled" }
    case "expire":
      return { outcome: "expired" }
  }
}
