/**
 * The result of a backtest: plain data, as it is written to JSON. Times are ms UTC, amounts and costs minor units, shares
 * and rates 0 to 1.
 *
 * `before` is what happened: the provider that was asked first. `after` is what the draft would have asked first, every
 * circuit breaker taken as closed. What that provider would have answered is unknown: everything called `expected` is
 * an estimate from its own attempts in the period.
 */
import type { Dropped } from "@paymux/core/routing"

export interface BacktestReport {
  /** Always: nothing was sent to anybody. */
  readonly estimate: true
  /**
   * The draft has `best: success_rate`: its rates were rebuilt from the attempts that had ended before each payment.
   *
   * That is, from the attempts of the payments that were given: one tenant's. A server also counts those of other
   * accounts and of the other mode, and those that ended in the window of payments made before it. Where there are such
   * attempts, it would have known other rates, and may have chosen otherwise.
   */
  readonly usesLearnedRates: boolean
  /** When the first and the last payment were made; `null`: there were none. */
  readonly period: { readonly from: number; readonly to: number } | null
  readonly payments: number
  /** Of the draft: `sha256:` and the hex digest. */
  readonly ruleset: string
  /** Which rules had decided the payments, most first. */
  readonly rulesetsBefore: ReadonlyArray<{ readonly ruleset: string; readonly payments: number }>
  readonly changes: Changes
  readonly noRoute: NoRouteReport
  readonly acceptance: Acceptance
  /** The providers that were or would be tried, by name. */
  readonly providers: ReadonlyArray<ProviderReport>
  /** Over all providers, by name of the currency. */
  readonly currencies: ReadonlyArray<CurrencyReport>
  /** Of the draft, as written. */
  readonly rules: ReadonlyArray<RuleReport>
  /** Payments that no rule takes. */
  readonly default: { readonly payments: number; readonly share: number }
}

/** A payment changes if another provider, or no provider, would be tried first. */
export interface Changes {
  readonly payments: number
  readonly share: number
  /** Every pair, also of those that stay, most payments first. `after`: `null` is no route. */
  readonly providers: ReadonlyArray<{
    readonly before: string
    readonly after: string | null
    readonly payments: number
  }>
  readonly rules: ReadonlyArray<{ readonly before: string; readonly after: string; readonly payments: number }>
}

/** Payments for which the draft finds no provider, and why each candidate of the rule was dropped. */
export interface NoRouteReport {
  readonly payments: number
  readonly share: number
  readonly dropped: ReadonlyArray<{
    readonly rule: string
    readonly provider: string
    readonly reason: Dropped["reason"]
    readonly payments: number
  }>
}

/**
 * Whether payments are paid, over all providers. `measured` is a fact of all payments. Compare `before` with `after`: both are
 * of the same payments, those of which the draft's result can be estimated.
 */
export interface Acceptance {
  readonly measured: Measured
  readonly before: Expected
  readonly after: Expected
}

/** The share that was paid, of those that have ended: a payment that expired, or whose payer had no funds, was not paid. */
export interface Measured {
  /** `null`: none was counted. */
  readonly rate: number | null
  readonly counted: number
}

/**
 * The share of payments that are paid, in the end: after a decline by which another provider may be tried, the next one of the
 * draft is. A payment that the draft would have begun with the same provider keeps the result that it had. A payment without a
 * candidate in the draft is not paid.
 */
export interface Expected {
  /** Over the payments that have an estimate; `null`: none has. */
  readonly rate: number | null
  /** Nine times out of ten the rate lies in it. */
  readonly range: { readonly low: number; readonly high: number } | null
  /** The share of payments that have an estimate. All others are of a kind that the provider has never had. */
  readonly coverage: number
}

export interface ProviderReport {
  readonly provider: string
  /** Of its first attempts. */
  readonly measured: Measured
  readonly before: ProviderSide
  readonly after: ProviderSide
  readonly currencies: ReadonlyArray<CurrencyReport>
}

/** Of the payments that it is asked first for. */
export interface ProviderSide {
  readonly payments: number
  readonly share: number
  readonly expected: Expected
}

export interface CurrencyReport {
  readonly currency: string
  readonly before: Sums
  readonly after: Sums
}

export interface Sums {
  readonly payments: number
  readonly amount: number
  /**
   * By the draft's fees, of every attempt: all of it where the payment is paid, and otherwise the fixed part. Without payments
   * whose fee is not known. Rounded at the end.
   */
  readonly cost: number
  /** Payments whose fee is not known. */
  readonly feeUnknown: number
}

export interface RuleReport {
  readonly name: string
  /** Payments that it decides. */
  readonly takes: number
  /** Payments that its conditions hold for, whichever rule decides them. */
  readonly matches: number
  /** `false`: `matches` is the least it can be, see `MOST_MATCHES`. */
  readonly exact: boolean
  /**
   * - `used`: it takes payments.
   * - `shadowed`: it matches, and earlier rules take every one.
   * - `dead`: it matches nothing.
   * - `unknown`: it takes nothing, and whether it matches was not counted.
   */
  readonly state: "used" | "shadowed" | "dead" | "unknown"
  /** Of a shadowed rule: who takes what it matches, most first, at most 100. */
  readonly shadowedBy: ReadonlyArray<{ readonly rule: string; readonly payments: number }>
}
