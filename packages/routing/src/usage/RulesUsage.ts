/**
 * Counts the past payments that rules match, and the metadata keys of these payments.
 *
 * The count gets payments one at a time and keeps only counts. Rules are matched again instead of using the stored
 * decisions, so that new and renamed rules have counts too. All payments belong to one account and mode.
 */
import { ruleCounts } from "../backtest/backtestRules.ts"
import type { RuleReport } from "../backtest/BacktestReport.ts"
import type { CompiledRouting } from "../CompiledRouting.ts"
import type { Facts } from "../Facts.ts"
import { metadataKeys } from "./metadataKeys.ts"
import type { NamedKey } from "./metadataKeys.ts"
import { scopeOf } from "./scope.ts"

export interface RulesUsage {
  /** Adds the next payment, approximately in the order of creation. */
  readonly add: (payment: Facts) => void
  /** Returns the report on all added payments. */
  readonly report: () => UsageReport
}

export interface UsageReport {
  readonly payments: number
  /** The usage of each rule, in the order of the rules. */
  readonly rules: ReadonlyArray<RuleUsage>
  /** Metadata keys that the rules name and no payment has. */
  readonly absentKeys: ReadonlyArray<NamedKey>
  /** The distinct metadata keys of payments. Keys that the rules do not name are limited to 1,000. */
  readonly seenKeys: ReadonlyArray<string>
}

export interface RuleUsage extends RuleReport {
  /**
   * The number of payments whose account, mode and time the rule can match. If it is 0, the usage of the rule cannot be
   * judged.
   */
  readonly inScope: number
}

/**
 * Creates the counter.
 *
 * @param written the rules as written, from which `routing` was compiled
 *
 * @example
 * ```ts
 * const usage = RulesUsage.make(config, yield* compile(config, providers))
 * for (const { payment } of yield* store.routed(tenant, query)) {
 *   usage.add(facts(payment, payment, payment.id, payment.createdAt))
 * }
 * usageWarnings(config, usage.report(), "2026-10-26")
 * ```
 */
export const make = (written: unknown, routing: CompiledRouting): RulesUsage => {
  const rules = ruleCounts(routing)
  const scopes = scopeCounts(routing)
  const keys = metadataKeys(written, routing)
  let payments = 0
  return {
    add: (payment) => {
      payments++
      rules.count(payment)
      scopes.count(payment)
      keys.count(payment.metadata)
    },
    report: () => ({
      payments,
      rules: rules.report(payments).rules.map((rule, index) => ({ ...rule, inScope: scopes.of(index, payments) })),
      absentKeys: keys.absent(),
      seenKeys: keys.seen()
    })
  }
}

interface ScopeCounts {
  readonly count: (facts: Facts) => void
  /**
   * Counts the payments in the scope of a rule, out of `payments`. A rule without restrictions on account, mode or time
   * has all payments in scope.
   */
  readonly of: (rule: number, payments: number) => number
}

const MINUTE = 60_000

const scopeCounts = ({ rules }: CompiledRouting): ScopeCounts => {
  const scoped = rules.flatMap(({ condition }, rule) => {
    const mayMatch = scopeOf(condition)
    return mayMatch === null ? [] : [{ rule, mayMatch }]
  })
  const counts = new Map(scoped.map(({ rule }) => [rule, 0]))
  // Caches the result of a condition on time by minute, since time windows begin and end at full minutes. A month has
  // 43,200 minutes.
  let minute = Number.NaN
  let open: ReadonlyArray<number> = []
  return {
    count: (facts) => {
      const now = Math.floor(facts.time / MINUTE)
      if (now !== minute) {
        minute = now
        open = scoped.flatMap(({ mayMatch, rule }) => (mayMatch(facts) ? [rule] : []))
      }
      for (const rule of open) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    },
    of: (rule, payments) => counts.get(rule) ?? payments
  }
}
