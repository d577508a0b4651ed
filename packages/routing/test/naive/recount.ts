/** A backtest said a second time, as plainly as it can be: every figure is counted anew, over all payments, by its definition. */
import type { RoutedPayment } from "@paymux/core/store"
import type { Sums } from "../../src/backtest/BacktestReport.ts"
import type { CompiledRouting } from "../../src/CompiledRouting.ts"
import { facts } from "../../src/Facts.ts"
import { unknownHealth } from "../../src/Health.ts"
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
  payments: ReadonlyArray<RoutedPayment>
) => {
  const replayed = payments.map((routed) => replay(config, routing, routed))
  const names = (config.rules ?? []).map(({ name }) => name)
  const providers = unique(
    replayed.flatMap(({ after, attempts, before }) => [
      before,
      ...(after === null ? [] : [after]),
      ...attempts.slice(0, 1).map(({ provider }) => provider)
    ])
  ).toSorted()
  const total = payments.length
  const lost = replayed.filter(({ after }) => after === null)
  const moved = replayed.filter(({ after, before }) => after !== before)
  const firsts = (provider: string) =>
    replayed.flatMap(({ attempts }) => attempts.slice(0, 1).filter((attempt) => attempt.provider === provider))
  const currencies = (provider: string | null) => {
    const sums = (side: "before" | "after", currency: string): Pick<Sums, "payments" | "amount"> & Partial<Sums> => {
      const own = replayed.filter(
        (one) =>
          one.payment.amount.currency === currency && (provider === null ? one[side] !== null : one[side] === provider)
      )
      const costs = own.map((one) => costOf(config, one))
      return {
        payments: own.length,
        amount: sum(own.map(({ payment }) => payment.amount.minorUnits)),
        // The cost of the draft is an estimate.
        ...(side === "before" && {
          cost: Math.round(sum(costs.flatMap((cost) => cost ?? []))),
          feeUnknown: costs.filter((cost) => cost === null).length
        })
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
    acceptance: { measured: measured(replayed.map(({ attempts }) => attempts)) },
    providers: providers.map((provider) => {
      const side = (name: "before" | "after") => {
        const own = replayed.filter((one) => one[name] === provider).length
        return { payments: own, share: part(own, total) }
      }
      return {
        provider,
        measured: measured(firsts(provider).map((attempt) => [attempt])),
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

const replay = (config: RoutingConfigInput, routing: CompiledRouting, routed: RoutedPayment): Replayed => {
  const { attempts, payment } = routed
  const now = payment.createdAt
  const asking = { payment, tenant: payment, id: payment.id, now }
  const matching = (config.rules ?? []).filter(({ when }) => whenHolds(asWritten(when), asking, language, () => {}))
  // The router has a recount of its own; whom it chooses is asked of it.
  const answer = plan(routing, payment, facts(payment, payment, payment.id, now), unknownHealth)
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

type Attempt = RoutedPayment["attempts"][number]

const isPaid = ({ status }: Attempt): boolean => status === "succeeded" || status === "authorized"

/** Payments that have ended: each with its attempts. */
const measured = (all: ReadonlyArray<ReadonlyArray<Attempt>>) => {
  const ended = all.filter((attempts) => attempts.some(isPaid) || attempts.every(({ status }) => !isOpen(status)))
  return {
    rate: ended.length === 0 ? null : ended.filter((attempts) => attempts.some(isPaid)).length / ended.length,
    counted: ended.length
  }
}

const isOpen = (status: string): boolean => status === "pending" || status === "unknown" || status === "sending"

/** `share`: of the amount that the percentage is taken of. */
const feeOf = ({ fees }: RoutingConfigInput, { payment }: Replayed, provider: string, share: number): number | null => {
  const fee = fees?.[provider]?.[payment.method.rail]
  if (fee === undefined) return null
  const { currency, minorUnits } = payment.amount
  const fixed = fee.fixed === undefined ? 0 : fee.fixed[currency]
  return fixed === undefined ? null : (share * minorUnits * (fee.percent ?? 0)) / 100 + fixed
}

/** Of every attempt that was made: its percentage only where it was paid. */
const costOf = (config: RoutingConfigInput, one: Replayed): number | null => {
  const costs = one.attempts.map((attempt) => {
    const cost = feeOf(config, one, attempt.provider, isPaid(attempt) ? 1 : 0)
    return cost !== null && attempt.status === "not_executed" ? 0 : cost
  })
  return costs.includes(null) ? null : sum(costs.map((cost) => cost ?? 0))
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
