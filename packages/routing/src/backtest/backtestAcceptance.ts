/**
 * Computes acceptance rates and costs with the original routing and with the draft: for all payments, for each
 * provider, and for each currency.
 */
import type { Attempt } from "@paymux/core/store"
import { isInFlight } from "@paymux/core/store"
import { feeOf } from "../choose/Fees.ts"
import type { Fee } from "../choose/Fees.ts"
import type { Fees } from "../language/Fees.ts"
import { segmentOf } from "../learn/Segment.ts"
import { shareOf } from "./backtestChanges.ts"
import { outcomeOf, paymentGroups } from "./backtestPayments.ts"
import type { Group, Outcome, Replayed } from "./backtestPayments.ts"
import type { BacktestReport, CurrencyReport, Expected, Measured, ProviderReport, Sums } from "./BacktestReport.ts"
import { combine, otherTime, rangeOf } from "./Draws.ts"
import type { Draws } from "./Draws.ts"
import { isPaid } from "./periodCounts.ts"
import { periodEvidence } from "./periodEvidence.ts"
import type { PeriodEvidence } from "./periodEvidence.ts"

export interface AcceptanceCounts {
  readonly count: (replayed: Replayed) => void
  readonly report: (payments: number) => Pick<BacktestReport, "acceptance" | "providers" | "currencies">
}

export const acceptanceCounts = (fees: Fees): AcceptanceCounts => {
  const evidence = periodEvidence()
  const known = new Map<string, Fee>()
  const feeOfProvider = (provider: string): Fee => {
    const fee = known.get(provider) ?? feeOf(Object.hasOwn(fees, provider) ? (fees[provider] ?? {}) : {})
    known.set(provider, fee)
    return fee
  }
  const payments = paymentGroups(feeOfProvider)
  const firsts = new Map<string, { counted: number; paid: number }>()
  const all = { counted: 0, paid: 0 }
  return {
    count: (replayed) => {
      const { attempts, facts, rule } = replayed
      evidence.count(segmentOf(facts, rule), attempts)
      payments.add(replayed)
      const [first] = attempts
      if (first === undefined) return
      measure(all, attempts)
      const own = firsts.get(first.provider) ?? { counted: 0, paid: 0 }
      firsts.set(first.provider, own)
      measure(own, [first])
    },
    report: (total) => {
      const groups = [...payments.groups()].map((group) => expecting(group, evidence))
      const names = new Set([
        ...firsts.keys(),
        ...groups.flatMap(({ group }) => [group.before, ...group.chain.slice(0, 1)])
      ])
      return {
        acceptance: { measured: measured(all), ...acceptanceOf(groups, total) },
        providers: [...names]
          .toSorted()
          .map((provider) => providerReport(provider, groups, firsts.get(provider), total)),
        currencies: byCurrency(
          groups,
          () => true,
          ({ chain }) => chain.length > 0
        )
      }
    }
  }
}

interface Counted {
  counted: number
  paid: number
}

const measure = (to: Counted, attempts: ReadonlyArray<Attempt>): void => {
  if (attempts.some(isPaid)) {
    to.counted++
    to.paid++
  } else if (attempts.every(({ status }) => !isInFlight(status))) to.counted++
}

const measured = ({ counted, paid }: Counted): Measured => ({ rate: counted === 0 ? null : paid / counted, counted })

interface Expecting {
  readonly group: Group
  readonly outcome: Outcome
  /** The number of payments that were paid originally, and the expected number with the draft. */
  readonly paidBefore: number
  /** Whether the result with the draft can be estimated: the draft's provider has had similar payments. */
  readonly isKnown: boolean
}

const expecting = (group: Group, evidence: PeriodEvidence): Expecting => {
  const { chain, segment, open, paid, start } = group
  const stillPaid = open.reduce(
    (sum, { provider, startedAt }) => sum + (evidence.stillSucceeds(provider, segment, startedAt)[0] ?? 0),
    0
  )
  const asked = start._tag === "New" ? chain[0] : start._tag === "After" ? chain[start.place] : undefined
  return {
    group,
    outcome: outcomeOf(group, evidence),
    paidBefore: paid + stillPaid,
    isKnown: asked === undefined || evidence.had(asked, segment)
  }
}

/**
 * Compares acceptance originally and with the draft for the same payments: those whose result with the draft can be
 * estimated.
 */
const acceptanceOf = (groups: ReadonlyArray<Expecting>, total: number) => {
  const known = groups.filter(({ isKnown }) => isKnown)
  const payments = known.reduce((sum, { group }) => sum + group.payments, 0)
  return { before: expectedBefore(known, payments, total), after: expectedAfter(known, payments, total) }
}

const expectedBefore = (groups: ReadonlyArray<Expecting>, payments: number, total: number): Expected => {
  const paid = groups.reduce((sum, { paidBefore }) => sum + paidBefore, 0)
  const sampled = otherTime(paid, payments)
  return expected(
    combine((at) => paid + sampled(at)),
    payments,
    total
  )
}

const expectedAfter = (groups: ReadonlyArray<Expecting>, payments: number, total: number): Expected => {
  const same = groups.filter(({ group }) => group.start._tag === "Known")
  const paid = same.reduce((sum, { group, outcome }) => sum + group.payments * (outcome.paid[0] ?? 0), 0)
  const sampled = otherTime(
    paid,
    same.reduce((sum, { group }) => sum + group.payments, 0)
  )
  const sums = combine((at) =>
    groups.reduce((sum, { group, outcome }) => sum + group.payments * (outcome.paid[at] ?? 0), 0)
  )
  return expected(
    combine((at) => (sums[at] ?? 0) + sampled(at)),
    payments,
    total
  )
}

/**
 * Computes the expected share of paid payments for a group. `payments` is the number of payments with an estimate, and
 * `paid` the expected number of paid ones among them. `total` also counts payments without an estimate.
 */
const expected = (paid: Draws, payments: number, total: number): Expected => {
  const coverage = shareOf(payments, total)
  if (payments === 0) return { rate: null, range: null, coverage }
  const { high, low } = rangeOf(paid)
  const share = (sum: number) => Math.min(1, Math.max(0, sum / payments))
  return { rate: share(paid[0] ?? 0), range: { low: share(low), high: share(high) }, coverage }
}

const providerReport = (
  provider: string,
  groups: ReadonlyArray<Expecting>,
  first: Counted | undefined,
  total: number
): ProviderReport => {
  const was = groups.filter(({ group }) => group.before === provider)
  const is = groups.filter(({ group }) => group.chain[0] === provider)
  const known = is.filter(({ isKnown }) => isKnown)
  const count = (some: ReadonlyArray<Expecting>) => some.reduce((sum, { group }) => sum + group.payments, 0)
  return {
    provider,
    measured: measured(first ?? { counted: 0, paid: 0 }),
    before: {
      payments: count(was),
      share: shareOf(count(was), total),
      expected: expectedBefore(was, count(was), count(was))
    },
    after: {
      payments: count(is),
      share: shareOf(count(is), total),
      expected: expectedAfter(known, count(known), count(is))
    },
    currencies: byCurrency(
      groups,
      ({ before }) => before === provider,
      ({ chain }) => chain[0] === provider
    )
  }
}

type Mutable<A> = { -readonly [key in keyof A]: A[key] }

const noSums = (): Mutable<Sums> => ({ payments: 0, amount: 0, cost: 0, feeUnknown: 0 })

const byCurrency = (
  groups: ReadonlyArray<Expecting>,
  isBefore: (group: Group) => boolean,
  isAfter: (group: Group) => boolean
): ReadonlyArray<CurrencyReport> => {
  const sums = new Map<string, { readonly before: Mutable<Sums>; readonly after: Mutable<Sums> }>()
  for (const { group, outcome } of groups) {
    const { currency } = group.segment
    const sum = sums.get(currency) ?? { before: noSums(), after: noSums() }
    sums.set(currency, sum)
    const { amount, before, feeUnknownAfter, feeUnknownBefore } = group.money
    if (isBefore(group)) addSums(sum.before, group.payments, amount, before, feeUnknownBefore)
    if (isAfter(group)) addSums(sum.after, group.payments, amount, costAfter(group, outcome), feeUnknownAfter)
  }
  return [...sums]
    .map(([currency, { after, before }]) => ({ currency, before: rounded(before), after: rounded(after) }))
    .filter(({ after, before }) => before.payments + after.payments > 0)
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

const addSums = (to: Mutable<Sums>, payments: number, amount: number, cost: number, feeUnknown: number): void => {
  to.payments += payments
  to.amount += amount
  to.cost += cost
  to.feeUnknown += feeUnknown
}

/**
 * The cost of all attempts in a group with the draft. A paid attempt costs the whole fee. Any other attempt costs the
 * fixed part of the fee, unless the provider did not execute it.
 */
const costAfter = ({ money }: Group, { attempts }: Outcome): number =>
  attempts.reduce(
    (sum, { made, notExecuted, paid }, place) =>
      sum + paid * (money.whole[place] ?? 0) + (made - paid - notExecuted) * (money.fixed[place] ?? 0),
    money.kept
  )

const rounded = (sums: Sums): Sums => ({ ...sums, cost: Math.round(sums.cost) })
