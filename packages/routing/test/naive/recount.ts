/** A backtest said a second time, as plainly as it can be: every figure is counted anew, over all payments, by its definition. */
import type { RoutedPayment } from "@paymux/core/store"
import type { Sums } from "../../src/backtest/BacktestReport.ts"
import type { CompiledRouting } from "../../src/CompiledRouting.ts"
import { facts } from "../../src/Facts.ts"
import type { Health } from "../../src/Health.ts"
import type { Evidence } from "../../src/learn/Evidence.ts"
import { plan } from "../../src/choose/plan.ts"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import { language, whenHolds } from "./conditions.ts"
import type { Written } from "./conditions.ts"

/** What happened to one payment, and what would have. */
interface Replayed extends RoutedPayment {
  readonly before: string
  readonly after: string | null
  readonly ruleAfter: string
  readonly dropped: ReadonlyArray<{ readonly provider: string; readonly reason: string }>
  /** Rules whose conditions hold. */
  readonly matching: ReadonlyArray<string>
}

export const recount = (
  config: RoutingConfigInput,
  routing: CompiledRouting,
  earlier: ReadonlyArray<RoutedPayment>,
  payments: ReadonlyArray<RoutedPayment>
) => {
  const replayed = payments.map((routed) => replay(config, routing, [...earlier, ...payments], routed))
  const names = (config.rules ?? []).map(({ name }) => name)
  const providers = unique(
    replayed.flatMap(({ after, attempts, before }) => [
      before,
      ...(after === null ? [] : [after]),
      ...attempts.filter((attempt) => attempt.seq === 1 && isPlain(sampleOf(attempt))).map(({ provider }) => provider)
    ])
  ).toSorted()
  const total = payments.length
  const lost = replayed.filter(({ after }) => after === null)
  const moved = replayed.filter(({ after, before }) => after !== before)
  const firsts = (provider: string | null) =>
    replayed.flatMap(({ attempts }) =>
      attempts.slice(0, 1).filter((attempt) => provider === null || attempt.provider === provider)
    )
  const expected = (side: "before" | "after", provider: string | null) => {
    const own = replayed.filter((one) => provider === null || one[side] === provider)
    const rates = own.flatMap((one) => {
      const name = one[side]
      // Without a candidate, no provider is paid a fee.
      const rate = name === null ? 0 : expectedRate(replayed, name, one)
      return rate === null ? [] : [rate]
    })
    return {
      rate: rates.length === 0 ? null : sum(rates) / rates.length,
      coverage: part(rates.length, provider === null ? total : own.length)
    }
  }
  const currencies = (provider: string | null) => {
    const sums = (side: "before" | "after", currency: string): Sums => {
      const own = replayed.filter(
        (one) =>
          one.payment.amount.currency === currency && (provider === null ? one[side] !== null : one[side] === provider)
      )
      const costs = own.map((one) => costOf(config, one, one[side] ?? ""))
      return {
        payments: own.length,
        amount: sum(own.map(({ payment }) => payment.amount.minorUnits)),
        cost: Math.round(sum(costs.flatMap((cost) => cost ?? []))),
        feeUnknown: costs.filter((cost) => cost === null).length
      }
    }
    return unique(payments.map(({ payment }) => payment.amount.currency as string))
      .toSorted()
      .map((currency) => ({ currency, before: sums("before", currency), after: sums("after", currency) }))
      .filter(({ after, before }) => after.payments + before.payments > 0)
  }
  return {
    estimate: true,
    usesLearnedRates: JSON.stringify(config).includes(`"success_rate"`),
    period: total === 0 ? null : { from: payments[0]?.payment.createdAt, to: payments[total - 1]?.payment.createdAt },
    payments: total,
    ruleset: routing.ruleset,
    rulesetsBefore: tally(replayed.map(({ payment }) => ({ ruleset: payment.routing.ruleset }))),
    changes: {
      payments: moved.length,
      share: part(moved.length, total),
      providers: tally(replayed.map(({ after, before }) => ({ before, after }))),
      rules: tally(replayed.map(({ payment, ruleAfter }) => ({ before: payment.routing.rule, after: ruleAfter })))
    },
    noRoute: {
      payments: lost.length,
      share: part(lost.length, total),
      dropped: tally(lost.flatMap(({ dropped, ruleAfter }) => dropped.map((drop) => ({ rule: ruleAfter, ...drop }))))
    },
    acceptance: { measured: measured(firsts(null)), before: expected("before", null), after: expected("after", null) },
    providers: providers.map((provider) => {
      const side = (name: "before" | "after") => {
        const own = replayed.filter((one) => one[name] === provider).length
        return { payments: own, share: part(own, total), expected: expected(name, provider) }
      }
      return {
        provider,
        measured: measured(firsts(provider)),
        before: side("before"),
        after: side("after"),
        currencies: currencies(provider)
      }
    }),
    currencies: currencies(null),
    rules: names.map((name) => {
      const takes = replayed.filter(({ ruleAfter }) => ruleAfter === name).length
      const matched = replayed.filter(({ matching }) => matching.includes(name))
      return {
        name,
        takes,
        matches: matched.length,
        exact: true,
        state: takes > 0 ? "used" : matched.length > 0 ? "shadowed" : "dead",
        shadowedBy: takes > 0 ? [] : tally(matched.map(({ ruleAfter }) => ({ rule: ruleAfter })))
      }
    }),
    default: {
      payments: replayed.filter(({ matching }) => matching.length === 0).length,
      share: part(replayed.filter(({ matching }) => matching.length === 0).length, total)
    }
  }
}

const replay = (
  config: RoutingConfigInput,
  routing: CompiledRouting,
  everything: ReadonlyArray<RoutedPayment>,
  routed: RoutedPayment
): Replayed => {
  const { attempts, payment } = routed
  const now = payment.createdAt
  const asking = { payment, tenant: payment, id: payment.id, now }
  const matching = (config.rules ?? []).filter(({ when }) => whenHolds(asWritten(when), asking, language, () => {}))
  // The router has a recount of its own; whom it chooses is asked of it.
  const answer = plan(routing, payment, facts(payment, payment, payment.id, now), healthAt(now, everything, payment))
  return {
    ...routed,
    before: attempts[0]?.provider ?? payment.provider,
    after: answer._tag === "Plan" ? (answer.candidates[0]?.provider ?? null) : null,
    ruleAfter: matching[0]?.name ?? "default",
    dropped: answer._tag === "Plan" ? [] : answer.candidates,
    matching: matching.map(({ name }) => name)
  }
}

// Boundary: the type of a `when` knows its keys one by one.
const asWritten = (when: object): Written => when as Written

/** What is known at `now` for `decided`, by its definition, over every attempt that had ended. */
export const healthAt = (now: number, everything: ReadonlyArray<RoutedPayment>, decided: Payment): Health => {
  const ended = everything.flatMap(({ attempts, payment }) =>
    attempts.flatMap((attempt): ReadonlyArray<Ended> => {
      const { endedAt, provider, seq, startedAt, status } = attempt
      const sample = status === "unknown" ? "failure" : sampleOf(attempt)
      const at = status === "unknown" ? startedAt : endedAt
      if (seq !== 1 || at === null || at >= now || sample === null) return []
      return [{ provider, parts: partsOf(payment), sample, endedAt: at }]
    })
  )
  return {
    demotionOf: () => null,
    evidence: (provider, _, windowMs) => {
      const parts = partsOf(decided)
      const own = ended.filter((one) => one.provider === provider)
      // From all of its attempts to those that are alike in every part.
      return [...Array(parts.length + 1).keys()].map((depth) =>
        evidenceBy(
          own.filter((one) => parts.slice(0, depth).every((part, index) => one.parts[index] === part)),
          now,
          windowMs
        )
      )
    }
  }
}

interface Ended {
  readonly provider: string
  readonly parts: ReadonlyArray<string>
  readonly sample: Sample
  readonly endedAt: number
}

/** From the widest to the narrowest; what is not known of a payment is left out. */
const partsOf = ({ amount, method }: Payment): ReadonlyArray<string> => {
  const parts = [`method ${method.rail}`, `currency ${amount.currency}`]
  if (method.rail === "card" && method.network !== null) parts.push(`network ${method.network}`)
  if (method.rail === "card" && method.country !== null) parts.push(`country ${method.country}`)
  if (method.rail === "card" && method.bin !== null) parts.push(`issuer ${method.bin}`)
  if (method.rail === "upi" && method.vpa !== null) parts.push(`issuer ${method.vpa.replace(/^[^@]*@/, "")}`)
  return parts
}

const evidenceBy = (own: ReadonlyArray<Ended>, now: number, windowMs: number): Evidence => {
  // A slot is a 360th of its window in whole seconds. All of its attempts are taken as of its middle.
  const slotMs = Math.max(1, Math.floor(windowMs / 360_000)) * 1_000
  const slotOf = ({ endedAt }: Ended) => Math.floor(endedAt / slotMs)
  const ageOf = (one: Ended) => Math.floor(now / slotMs) * slotMs - (slotOf(one) * slotMs + slotMs / 2)
  const isNewest = (one: Ended) => own.filter((other) => slotOf(other) > slotOf(one)).length < 250
  const inWindow = own.filter((one) => ageOf(one) < windowMs)
  const counted = inWindow.filter(isNewest)
  const oldest = Math.max(...counted.map(ageOf))
  // What is older than the newest 250 weighs nothing, and what is hardly newer hardly anything.
  const reach = counted.length === inWindow.length ? windowMs : Math.min(windowMs, oldest + slotMs)
  const weight = (sample: Sample) =>
    sum(counted.filter((one) => one.sample === sample).map((one) => 1 - Math.max(0, ageOf(one)) / reach))
  return {
    success: weight("success"),
    failure: weight("failure"),
    expired: weight("expired"),
    authenticationFailed: weight("authentication_failed"),
    attempts: inWindow.length
  }
}

type Payment = RoutedPayment["payment"]
type Attempt = RoutedPayment["attempts"][number]
type Sample = "success" | "failure" | "expired" | "authentication_failed"

const networkOf = ({ method }: Payment): string | null => (method.rail === "card" ? method.network : null)

/** What it says of its provider; `null`: nothing. */
const sampleOf = ({ code, status }: Attempt): Sample | null => {
  if (status === "succeeded" || status === "authorized") return "success"
  if (status === "not_executed") return code !== null && ofPayment.includes(code) ? null : "failure"
  if (status === "expired") return "expired"
  if (status !== "declined" || code === null) return null
  if (code === "authentication_failed") return code
  if (code === "customer_timeout") return "expired"
  return ofProvider.includes(code) ? "failure" : null
}

const ofPayment: ReadonlyArray<string> = ["request_rejected", "account_not_enabled", "details_required"]

const ofProvider = [
  "do_not_honor",
  "issuer_unavailable",
  "processing_error",
  "generic_decline",
  "suspected_fraud",
  "not_permitted",
  "unsupported"
]

/** Acceptance is of what was paid or declined: an expired payment is neither. */
const isPlain = (sample: Sample | null): boolean => sample === "success" || sample === "failure"

const measured = (attempts: ReadonlyArray<Attempt>) => {
  const samples = attempts.map(sampleOf).filter(isPlain)
  return {
    rate: samples.length === 0 ? null : samples.filter((sample) => sample === "success").length / samples.length,
    counted: samples.length
  }
}

const expectedRate = (all: ReadonlyArray<Replayed>, provider: string, { payment }: Replayed): number | null => {
  const rate = (isIn: (other: Payment) => boolean): number | null =>
    measured(
      all
        .filter((one) => isIn(one.payment))
        .flatMap(({ attempts }) => attempts.filter((one) => one.seq === 1 && one.provider === provider))
    ).rate
  const currency = payment.amount.currency
  const isSame = (other: Payment) => other.method.rail === payment.method.rail && other.amount.currency === currency
  const network = networkOf(payment)
  const own = network === null ? null : rate((other) => isSame(other) && networkOf(other) === network)
  return own ?? rate(isSame) ?? rate(() => true)
}

const costOf = ({ fees }: RoutingConfigInput, { payment }: Replayed, provider: string): number | null => {
  const fee = fees?.[provider]?.[payment.method.rail]
  if (fee === undefined) return null
  const { currency, minorUnits } = payment.amount
  const fixed = fee.fixed === undefined ? 0 : fee.fixed[currency]
  return fixed === undefined ? null : (minorUnits * (fee.percent ?? 0)) / 100 + fixed
}

/** How often each comes. */
const tally = <A extends object>(rows: ReadonlyArray<A>): ReadonlyArray<A & { readonly payments: number }> => {
  const isEqual = (a: A, b: A) => JSON.stringify(a) === JSON.stringify(b)
  return rows
    .filter((row, index) => rows.findIndex((other) => isEqual(row, other)) === index)
    .map((row) => ({ ...row, payments: rows.filter((other) => isEqual(row, other)).length }))
}

const unique = <A>(all: ReadonlyArray<A>): Array<A> => [...new Set(all)]
const sum = (all: ReadonlyArray<number>): number => all.reduce((total, one) => total + one, 0)
const part = (of: number, whole: number): number => (whole === 0 ? 0 : of / whole)
