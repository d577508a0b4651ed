/**
 * Replays past payments with draft rules, and reports the changes in providers, rules and costs.
 *
 * A backtest gets payments one at a time, in the order of their creation, and keeps only counts, so a million payments
 * need little more memory than a thousand. The same payments always give the same report.
 *
 * Failover is replayed as far as the codes of declines allow. Circuit breakers and bulkheads are not replayed, and
 * payments without a route were never stored. Success rates are learned from the given payments only, although a server
 * learns from the payments of all tenants.
 */
import type { RoutedPayment } from "@paymux/core/store"
import type { BacktestReport } from "./BacktestReport.ts"
import { changeCounts } from "./backtestChanges.ts"
import { acceptanceCounts } from "./backtestAcceptance.ts"
import { replayedRates } from "./backtestRates.ts"
import { ruleCounts } from "./backtestRules.ts"
import type { CompiledRouting } from "../CompiledRouting.ts"
import { facts } from "../Facts.ts"
import { plan } from "../choose/plan.ts"

/**
 * The first provider of a payment, originally and with the draft. `before` is the provider that was tried first.
 * `after` is the provider that the draft would try first; `null` if the draft has no provider for the payment. `rule`
 * is the draft's rule for the payment.
 */
export interface FirstAsked {
  readonly before: string
  readonly after: string | null
  readonly rule: string
}

export interface Backtest {
  /**
   * The length of the history before the first payment from which the draft's success rates have to be learned, ms. It
   * is 0 if the draft uses no success rates.
   */
  readonly learnsFromMs: number
  /** Learns success rates from a payment in the history before the period. The payment is not counted in the report. */
  readonly learn: (routed: RoutedPayment) => void
  /**
   * Adds the next payment of the period. Returns the provider that was tried first, and the one that the draft would
   * try first.
   */
  readonly add: (routed: RoutedPayment) => FirstAsked
  /** Returns the report on all added payments. */
  readonly report: () => BacktestReport
}

/**
 * Creates the backtest of draft rules. Costs are computed from the fees in the draft.
 *
 * @example
 * ```ts
 * const backtest = Backtest.make(yield* compile(draft, providers))
 * for (const routed of yield* store.routed(tenant, query)) backtest.add(routed)
 * backtest.report().changes.share // => 0.12
 * ```
 */
export const make = (routing: CompiledRouting): Backtest => {
  const rates = replayedRates(routing.lenses)
  const changes = changeCounts()
  const acceptance = acceptanceCounts(routing.fees)
  const rules = ruleCounts(routing)
  let payments = 0
  let from: number | null = null
  let to = 0
  return {
    learnsFromMs: rates.reachMs,
    learn: (routed) => {
      rates.reach(routed.payment.createdAt)
      rates.learn(routed)
    },
    add: (routed) => {
      const { attempts, payment } = routed
      payments++
      from ??= payment.createdAt
      to = payment.createdAt
      rates.reach(payment.createdAt)
      const asked = facts(payment, payment, payment.id, payment.createdAt)
      const answer = plan(routing, payment, asked, rates.health)
      const before = attempts[0]?.provider ?? payment.provider
      const chain = answer._tag === "Plan" ? answer.candidates.map(({ provider }) => provider) : []
      const after = chain[0] ?? null
      const rule = answer._tag === "Plan" ? answer.decision.rule : answer.rule
      rules.count(asked)
      changes.count(payment.routing, before, answer, after)
      acceptance.count({ facts: asked, attempts, before, chain, rule, policy: routing.failover(rule) })
      rates.learn(routed)
      return { before, after, rule }
    },
    report: () => ({
      estimate: true,
      usesLearnedRates: routing.lenses.length > 0,
      period: from === null ? null : { from, to },
      payments,
      ruleset: routing.ruleset,
      ...changes.report(payments),
      ...acceptance.report(payments),
      ...rules.report(payments)
    })
  }
}
