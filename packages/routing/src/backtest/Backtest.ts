/**
 * Replays payments that were made against rules that are a draft: what would change, for whom, and at what price.
 *
 * A fold: it is given payments one at a time, in the order they were made, and keeps counts only, so that a million of
 * them need little more memory than a thousand. Pure but for those counts; the same payments always give the same report.
 *
 * Failover is replayed as far as the code of a decline shows. Circuit breakers and bulkheads are not, and a payment that was
 * refused for want of a route was never kept, so it cannot come back. Success rates learn from the payments that are given:
 * a server learns from those of all tenants.
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

/** `after`: `null` if the draft has no provider for the payment. `rule`: of the draft. */
export interface FirstAsked {
  readonly before: string
  readonly after: string | null
  readonly rule: string
}

export interface Backtest {
  /** How far before the first payment the draft's success rates reach, ms; 0: it has none. */
  readonly learnsFromMs: number
  /** A payment from before the period: success rates learn of it, and nothing is counted. */
  readonly learn: (routed: RoutedPayment) => void
  /** The next payment of the period. Returns which provider was, and would be, asked first. */
  readonly add: (routed: RoutedPayment) => FirstAsked
  /** Of all that was added. */
  readonly report: () => BacktestReport
}

/**
 * Of a draft, whose fees are what payments cost.
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
