/** The metrics of the engine: payments, attempts and calls of providers in this process. */
import { Context, Effect, Metric } from "effect"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { PaymentKind } from "../routing/servedFlow.ts"
import { count, counter, histogram } from "./MetricFamily.ts"
import type { MetricDescription } from "./MetricFamily.ts"

const payments = counter(
  "paymux_payments_total",
  "Payments that reached a status in this process; a new payment counts as pending.",
  ["status", "payment_method", "mode"]
)
const attempts = counter(
  "paymux_attempts_total",
  "Attempts by outcome; an unknown attempt counts again when its outcome is known.",
  ["provider", "outcome"]
)
const calls = histogram("paymux_provider_call_duration_seconds", "Duration of calls to providers, by outcome.", [
  "provider",
  "operation",
  "outcome"
])
const refusals = counter(
  "paymux_provider_refusals_total",
  "Calls that were not made, because the breaker was open or too many calls were in flight.",
  ["provider", "operation", "cause"]
)

const accounts = counter(
  "paymux_account_not_enabled_total",
  "Payments that a provider refused because the account is not enabled for their kind, or requires a detail that they lack.",
  ["provider", "payment_method", "flow", "currency", "code"]
)

const foreign = counter(
  "paymux_foreign_reports_total",
  "Provider reports of charges that other systems made at the same provider account.",
  ["provider"]
)

const keptDropped = counter(
  "paymux_kept_webhooks_dropped_total",
  "Webhooks that were kept while their instance was not configured, and that it rejected for a day after its return.",
  ["provider", "reason"]
)

export const engineMetricDescriptions: ReadonlyArray<MetricDescription> = [
  payments,
  attempts,
  calls,
  refusals,
  accounts,
  foreign,
  keptDropped
]

/**
 * The maximum number of distinct vendor codes. A vendor has some dozens; the limit is for adapters that report other
 * values, such as ids.
 */
const mostCodes = 500
const codes = new Set<string>()

const countedCode = (code: string): string => {
  if (codes.size < mostCodes) codes.add(code)
  return codes.has(code) ? code : "other"
}

/** Creates the metrics in the registry of the current context. */
export const engineMetrics = Effect.contextWith((context: Context.Context<never>) => {
  const registry = Context.make(Metric.MetricRegistry, Context.get(context, Metric.MetricRegistry))
  const begun = ({ payment }: PaymentRecord) =>
    count(payments.of(payment.state.status, payment.method.rail, payment.livemode ? "live" : "test"), registry)
  return Effect.succeed({
    begun,
    changed: (before: PaymentRecord, after: PaymentRecord) => {
      if (after.payment.state.status !== before.payment.state.status) begun(after)
      if (after.attempts === before.attempts) return
      after.attempts.forEach(({ provider, status }, place) => {
        if (status !== "sending" && before.attempts[place]?.status !== status) {
          count(attempts.of(provider, status), registry)
        }
      })
    },
    called: (provider: string, operation: string, outcome: string, seconds: number) =>
      calls.of(provider, operation, outcome).updateUnsafe(seconds, registry),
    refused: (provider: string, operation: string, cause: string) =>
      count(refusals.of(provider, operation, cause), registry),
    accountNotEnabled: ({ currency, flow, provider, rail }: PaymentKind, code: string) =>
      count(accounts.of(provider, rail, flow, currency, countedCode(code)), registry),
    /** Counts a report that is not about a payment of ours. */
    foreign: (provider: string) => count(foreign.of(provider), registry),
    keptWebhookDropped: (provider: string, reason: string) => count(keptDropped.of(provider, reason), registry)
  })
})

export type EngineMetrics = Effect.Success<typeof engineMetrics>
