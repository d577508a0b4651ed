/** Counts the rulesets and providers of the original routing and of the draft, and payments without a provider. */
import type { Dropped, RoutingResult } from "@paymux/core/routing"
import type { RoutingDecision } from "@paymux/core/store"
import type { BacktestReport, Changes, NoRouteReport } from "./BacktestReport.ts"

export interface ChangeCounts {
  /**
   * Counts a payment. `before` is the provider that was tried first; `after` is the one that the draft would try first,
   * `null` if it has no provider.
   */
  readonly count: (decided: RoutingDecision, before: string, answer: RoutingResult, after: string | null) => void
  readonly report: (payments: number) => Pick<BacktestReport, "rulesetsBefore" | "changes" | "noRoute">
}

export const changeCounts = (): ChangeCounts => {
  const rulesets = new Map<string, number>()
  const providers: Pairs<string, string | null> = new Map()
  const rules: Pairs<string, string> = new Map()
  const dropped = new Map<string, Drop>()
  let changed = 0
  let unserved = 0
  return {
    count: (decided, before, answer, after) => {
      if (after !== before) changed++
      increase(rulesets, decided.ruleset)
      pair(providers, before, after)
      pair(rules, decided.rule, answer._tag === "Plan" ? answer.decision.rule : answer.rule)
      if (answer._tag === "Plan") return
      unserved++
      for (const { provider, reason } of answer.candidates) {
        const key = JSON.stringify([answer.rule, provider, reason])
        const drop = dropped.get(key) ?? { rule: answer.rule, provider, reason, payments: 0 }
        drop.payments++
        dropped.set(key, drop)
      }
    },
    report: (payments) => ({
      rulesetsBefore: [...rulesets].map(([ruleset, payments]) => ({ ruleset, payments })).sort(mostFirst),
      changes: {
        payments: changed,
        share: shareOf(changed, payments),
        providers: listed(providers),
        rules: listed(rules)
      } satisfies Changes,
      noRoute: {
        payments: unserved,
        share: shareOf(unserved, payments),
        dropped: [...dropped.values()].map((drop) => ({ ...drop })).sort(mostFirst)
      } satisfies NoRouteReport
    })
  }
}

interface Drop {
  readonly rule: string
  readonly provider: string
  readonly reason: Dropped["reason"]
  payments: number
}

type Pairs<B, A> = Map<B, Map<A, number>>

const pair = <B, A>(pairs: Pairs<B, A>, before: B, after: A): void => {
  const known = pairs.get(before)
  if (known === undefined) pairs.set(before, new Map([[after, 1]]))
  else increase(known, after)
}

export const increase = <A>(counts: Map<A, number>, key: A): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const listed = <B, A>(pairs: Pairs<B, A>) =>
  [...pairs]
    .flatMap(([before, byAfter]) => [...byAfter].map(([after, payments]) => ({ before, after, payments })))
    .sort(mostFirst)

export const mostFirst = (a: { readonly payments: number }, b: { readonly payments: number }): number =>
  b.payments - a.payments

export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
