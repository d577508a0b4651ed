/** What the engine counts: payments, attempts and calls of providers, as they come about in this process. */
import { Context, Effect, Metric } from "effect"
import type { PaymentRecord } from "../domain/Payment.ts"
import { count, counter, histogram } from "./MetricFamily.ts"
import type { MetricDescription } from "./MetricFamily.ts"

const payments = counter(
  "paymux_payments_total",
  "Payments that came to a status in this process; a new one comes to pending.",
  ["status", "payment_method", "mode"]
)
const attempts = counter(
  "paymux_attempts_total",
  "Attempts that came to an outcome; one that was unknown comes to another later.",
  ["provider", "outcome"]
)
const calls = histogram("paymux_provider_call_duration_seconds", "Calls of providers, by how they ended.", [
  "provider",
  "operation",
  "outcome"
])
const refusals = counter(
  "paymux_provider_refusals_total",
  "Calls that were not made, because the breaker was open or too many were under way.",
  ["provider", "operation", "cause"]
)

const foreign = counter(
  "paymux_foreign_reports_total",
  "Reports of charges that other systems made at the same provider account.",
  ["provider"]
)

export const engineMetricDescriptions: ReadonlyArray<MetricDescription> = [payments, attempts, calls, refusals, foreign]

export interface EngineMetrics {
  readonly begun: (record: PaymentRecord) => void
  readonly changed: (before: PaymentRecord, after: PaymentRecord) => void
  readonly called: (provider: string, operation: string, outcome: string, seconds: number) => void
  readonly refused: (provider: string, operation: string, cause: string) => void
  /** A report that is about nothing of ours. */
  readonly foreign: (provider: string) => void
}

/** They count into the registry of where they are made. */
export const engineMetrics: Effect.Effect<EngineMetrics> = Effect.contextWith((context: Context.Context<never>) => {
  const registry = Context.make(Metric.MetricRegistry, Context.get(context, Metric.MetricRegistry))
  const cameTo = ({ payment }: PaymentRecord) =>
    count(payments.of(payment.state.status, payment.method.rail, payment.livemode ? "live" : "test"), registry)
  return Effect.succeed<EngineMetrics>({
    begun: cameTo,
    changed: (before, after) => {
      if (after.payment.state.status !== before.payment.state.status) cameTo(after)
      if (after.attempts === before.attempts) return
      after.attempts.forEach(({ provider, status }, place) => {
        if (status !== "sending" && before.attempts[place]?.status !== status) {
          count(attempts.of(provider, status), registry)
        }
      })
    },
    called: (provider, operation, outcome, seconds) =>
      calls.of(provider, operation, outcome).updateUnsafe(seconds, registry),
    refused: (provider, operation, cause) => count(refusals.of(provider, operation, cause), registry),
    foreign: (provider) => count(foreign.of(provider), registry)
  })
})
