/** Counts the payments that each rule of a draft decides and matches, to find shadowed and dead rules. */
import { increase, mostFirst, shareOf } from "./backtestChanges.ts"
import type { BacktestReport, RuleReport } from "./BacktestReport.ts"
import type { CompiledRouting } from "../CompiledRouting.ts"
import type { Facts } from "../Facts.ts"

export interface RuleCounts {
  readonly count: (facts: Facts) => void
  readonly report: (payments: number) => Pick<BacktestReport, "rules" | "default">
}

/**
 * The maximum number of matching rules that are counted for a payment, including the one that decides. It limits the
 * cost of a draft of 10,000 rules that always match. Drafts of up to 200 rules are counted exactly, and counts of
 * deciding rules always are.
 *
 * @internal Exported for tests that reach this bound.
 */
export const MOST_MATCHES = 200

/** The maximum number of deciding rules that are reported for a shadowed rule. */
const MOST_TAKERS = 100

export const ruleCounts = ({ firstMatch, rules }: CompiledRouting): RuleCounts => {
  const takes = new Uint32Array(rules.length)
  const matches = new Uint32Array(rules.length)
  /**
   * Candidates for shadowed rules: for each rule that has decided no payment so far, the rules that decided its
   * matching payments instead, with their numbers of payments.
   */
  const takers = new Map<number, Map<number, number>>()
  let byDefault = 0
  /**
   * The index of the first rule for which `matches` may be too low, because the limit of counted rules was reached for
   * some payment before this rule.
   */
  let uncountedFrom = rules.length

  const take = (rule: number) => {
    if (takes[rule] === 0) takers.delete(rule)
    takes[rule] = (takes[rule] ?? 0) + 1
    matches[rule] = (matches[rule] ?? 0) + 1
  }
  const miss = (rule: number, taker: number) => {
    matches[rule] = (matches[rule] ?? 0) + 1
    if (takes[rule] !== 0) return
    const known = takers.get(rule)
    if (known === undefined) takers.set(rule, new Map([[taker, 1]]))
    else if (known.has(taker) || known.size < MOST_TAKERS) increase(known, taker)
  }

  const report = (name: string, rule: number): RuleReport => {
    const exact = rule < uncountedFrom
    const counts = { name, takes: takes[rule] ?? 0, matches: matches[rule] ?? 0, exact }
    if (counts.takes > 0) return { ...counts, state: "used", shadowedBy: [] }
    if (counts.matches === 0) return { ...counts, state: exact ? "dead" : "unknown", shadowedBy: [] }
    const shadowedBy = [...(takers.get(rule) ?? [])].map(([by, payments]) => ({
      rule: rules[by]?.name ?? "",
      payments
    }))
    return { ...counts, state: "shadowed", shadowedBy: shadowedBy.sort(mostFirst) }
  }

  return {
    count: (facts) => {
      const taker = firstMatch(facts, 0)
      if (taker < 0) {
        byDefault++
        return
      }
      take(taker)
      let found = 1
      for (let rule = firstMatch(facts, taker + 1); rule >= 0; rule = firstMatch(facts, rule + 1)) {
        if (found === MOST_MATCHES) {
          uncountedFrom = Math.min(uncountedFrom, rule)
          return
        }
        miss(rule, taker)
        found++
      }
    },
    report: (payments) => ({
      rules: rules.map(({ name }, rule) => report(name, rule)),
      default: { payments: byDefault, share: shareOf(byDefault, payments) }
    })
  }
}
