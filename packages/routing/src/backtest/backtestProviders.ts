/** Payments, money, acceptance and cost of each provider, before and after. */
import type { Rail } from "@paymux/core"
import type { Attempt } from "@paymux/core/store"
import { attemptSample } from "../learn/attemptSample.ts"
import { shareOf } from "./backtestChanges.ts"
import type {
  BacktestReport,
  CurrencyReport,
  Expected,
  Measured,
  ProviderReport,
  ProviderSide,
  Sums
} from "./BacktestReport.ts"
import type { Facts } from "../Facts.ts"
import { feeOf } from "../choose/Fees.ts"
import type { Fee } from "../choose/Fees.ts"
import type { Fees } from "../language/Fees.ts"

export interface ProviderCounts {
  /** `before`, `after`: the provider that was, and would be, tried first; `null`: none. */
  readonly count: (facts: Facts, attempts: ReadonlyArray<Attempt>, before: string, after: string | null) => void
  readonly report: (payments: number) => Pick<BacktestReport, "acceptance" | "providers" | "currencies">
}

export const providerCounts = (fees: Fees): ProviderCounts => {
  const providers = new Map<string, Provider>()
  let refused = 0
  const providerOf = (name: string): Provider => {
    const known = providers.get(name)
    if (known !== undefined) return known
    const made: Provider = {
      fee: feeOf(Object.hasOwn(fees, name) ? (fees[name] ?? {}) : {}),
      first: noSamples(),
      segments: new Map()
    }
    providers.set(name, made)
    return made
  }
  return {
    count: (facts, attempts, before, after) => {
      const key = segmentKey(facts)
      for (const { code, provider, seq, status } of attempts) {
        const sample = attemptSample(status, code)
        // Later attempts are of payments that were declined before: they would make the second provider look bad.
        if (seq !== 1 || (sample !== "success" && sample !== "failure")) continue
        const { first, segments } = providerOf(provider)
        add(first, sample === "success")
        add(segmentOf(segments, key, facts).first, sample === "success")
      }
      const was = providerOf(before)
      addPayment(segmentOf(was.segments, key, facts).before, facts, was.fee)
      if (after === null) {
        refused++
        return
      }
      const would = after === before ? was : providerOf(after)
      addPayment(segmentOf(would.segments, key, facts).after, facts, would.fee)
    },
    report: (payments) => {
      const counted = [...providers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => expecting(name, each))
      const all = counted.flatMap(({ segments }) => segments)
      return {
        acceptance: {
          measured: measured(merged(counted.map(({ first }) => first))),
          before: expected(all, "before", payments, 0),
          // A refused payment has no fee: a draft must not look better because it leaves payments out.
          after: expected(all, "after", payments, refused)
        },
        providers: counted.map((each) => providerReport(each, payments)),
        currencies: byCurrency(all)
      }
    }
  }
}

interface Provider {
  readonly fee: Fee
  /** First attempts. */
  readonly first: Samples
  readonly segments: Map<string, Segment>
}

interface Samples {
  counted: number
  succeeded: number
}

/** Payments of one method, currency and card network. */
interface Segment {
  readonly rail: Rail
  readonly currency: string
  readonly network: string | null
  /** First attempts. */
  readonly first: Samples
  readonly before: Mutable<Sums>
  readonly after: Mutable<Sums>
}

type Mutable<A> = { -readonly [key in keyof A]: A[key] }

const noSamples = (): Samples => ({ counted: 0, succeeded: 0 })
const noSums = (): Mutable<Sums> => ({ payments: 0, amount: 0, cost: 0, feeUnknown: 0 })

/** No method and no currency has a space in it. */
const segmentKey = (facts: Facts): string =>
  `${facts.payment_method} ${facts.currency} ${facts["card.network"] === null ? "" : `=${facts["card.network"]}`}`

const segmentOf = (segments: Map<string, Segment>, key: string, facts: Facts): Segment => {
  const known = segments.get(key)
  if (known !== undefined) return known
  const made: Segment = {
    rail: facts.payment_method,
    currency: facts.currency,
    network: facts["card.network"],
    first: noSamples(),
    before: noSums(),
    after: noSums()
  }
  segments.set(key, made)
  return made
}

const add = (samples: Samples, isSuccess: boolean): void => {
  samples.counted++
  if (isSuccess) samples.succeeded++
}

const addPayment = (sums: Mutable<Sums>, facts: Facts, fee: Fee): void => {
  const cost = fee(facts)
  sums.payments++
  sums.amount += facts.amount
  if (cost === null) sums.feeUnknown++
  else sums.cost += cost
}

/** A segment with the acceptance to expect there; `null`: nothing was ever counted of its provider. */
interface ExpectingSegment extends Segment {
  readonly rate: number | null
}

interface ExpectingProvider {
  readonly provider: string
  readonly first: Samples
  readonly segments: ReadonlyArray<ExpectingSegment>
}

const expecting = (provider: string, { first, segments }: Provider): ExpectingProvider => {
  const all = [...segments.values()]
  const overall = rateOf(merged(all.map((segment) => segment.first)))
  const pooled = new Map<string, Array<Samples>>()
  for (const { currency, first: samples, rail } of all) {
    pooled.set(`${rail} ${currency}`, [...(pooled.get(`${rail} ${currency}`) ?? []), samples])
  }
  const rates = new Map([...pooled].map(([key, all]) => [key, rateOf(merged(all))]))
  const expectedIn = ({ currency, first: samples, network, rail }: Segment): number | null =>
    (network === null ? null : rateOf(samples)) ?? rates.get(`${rail} ${currency}`) ?? overall
  return { provider, first, segments: all.map((segment) => ({ ...segment, rate: expectedIn(segment) })) }
}

const merged = (all: ReadonlyArray<Samples>): Samples => {
  const sum = noSamples()
  for (const { counted, succeeded } of all) {
    sum.counted += counted
    sum.succeeded += succeeded
  }
  return sum
}

const rateOf = ({ counted, succeeded }: Samples): number | null => (counted === 0 ? null : succeeded / counted)

const measured = (samples: Samples): Measured => ({ rate: rateOf(samples), counted: samples.counted })

type Side = "before" | "after"

/** Of `payments`, of which `refused` have no provider. */
const expected = (
  segments: ReadonlyArray<ExpectingSegment>,
  side: Side,
  payments: number,
  refused: number
): Expected => {
  let known = refused
  let accepted = 0
  for (const segment of segments) {
    if (segment.rate === null) continue
    known += segment[side].payments
    accepted += segment[side].payments * segment.rate
  }
  return { rate: known === 0 ? null : accepted / known, coverage: shareOf(known, payments) }
}

const providerReport = ({ first, provider, segments }: ExpectingProvider, payments: number): ProviderReport => {
  const side = (name: Side): ProviderSide => {
    const own = segments.reduce((sum, segment) => sum + segment[name].payments, 0)
    return { payments: own, share: shareOf(own, payments), expected: expected(segments, name, own, 0) }
  }
  return {
    provider,
    measured: measured(first),
    before: side("before"),
    after: side("after"),
    currencies: byCurrency(segments)
  }
}

const byCurrency = (segments: ReadonlyArray<Segment>): ReadonlyArray<CurrencyReport> => {
  const sums = new Map<string, { readonly before: Mutable<Sums>; readonly after: Mutable<Sums> }>()
  for (const { after, before, currency } of segments) {
    const sum = sums.get(currency) ?? { before: noSums(), after: noSums() }
    addSums(sum.before, before)
    addSums(sum.after, after)
    sums.set(currency, sum)
  }
  return [...sums]
    .map(([currency, { after, before }]) => ({ currency, before: rounded(before), after: rounded(after) }))
    .filter(({ after, before }) => before.payments + after.payments > 0)
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

const addSums = (to: Mutable<Sums>, sums: Sums): void => {
  to.payments += sums.payments
  to.amount += sums.amount
  to.cost += sums.cost
  to.feeUnknown += sums.feeUnknown
}

const rounded = (sums: Sums): Sums => ({ ...sums, cost: Math.round(sums.cost) })
