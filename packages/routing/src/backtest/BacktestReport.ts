/**
 * The result of a backtest, as JSON data. Times are ms UTC, amounts and costs minor units, shares and rates 0 to 1.
 *
 * `before` is the provider that was tried first. `after` is the provider that the draft would have tried first if all circuit
 * breakers were closed. The result at that provider is unknown, so each field named `expected` is an estimate from the
 * provider's own attempts in the period.
 */
import type { Dropped } from "@paymux/core/routing"

export interface BacktestReport {
  /** Always `true`: no payment was sent to a provider. */
  readonly estimate: true
  /**
   * The draft has `best: success_rate`: the success rates were rebuilt from the attempts that had ended before each payment.
   *
   * Only attempts of the given payments count, which belong to one tenant. A server also counts attempts of other accounts and of
   * the other mode, and attempts in its window from payments made before the period. With such attempts, the rates of the server
   * would have been different, and so may its choices.
   */
  readonly usesLearnedRates: boolean
  /** When the first and the last payment were made; `null`: there were none. */
  readonly period: { readonly from: number; readonly to: number } | null
  readonly payments: number
  /** `sha256:` and the hex digest of the draft. */
  readonly ruleset: string
  /** The rulesets that decided the payments, most payments first. */
  readonly rulesetsBefore: ReadonlyArray<{ readonly ruleset: string; readonly payments: number }>
  readonly changes: Changes
  readonly noRoute: NoRouteReport
  readonly acceptance: Acceptance
  /** The providers that were or would be tried, by name. */
  readonly providers: ReadonlyArray<ProviderReport>
  /** Totals of all providers, by the name of the currency. */
  readonly currencies: ReadonlyArray<CurrencyReport>
  /** The rules of the draft, in order. */
  readonly rules: ReadonlyArray<RuleReport>
  /** Payments that no rule matches. */
  readonly default: { readonly payments: number; readonly share: number }
}

/** A payment changes if another provider, or no provider, would be tried first. */
export interface Changes {
  readonly payments: number
  readonly share: number
  /** Every pair of providers, including unchanged ones, most payments first. `after`: `null`: no route. */
  readonly providers: ReadonlyArray<{
    readonly before: string
    readonly after: string | null
    readonly payments: number
  }>
  readonly rules: ReadonlyArray<{ readonly before: string; readonly after: string; readonly payments: number }>
}

/** Payments without a provider in the draft, with the reason for each dropped candidate of the rule. */
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
 * The shares of paid payments at all providers. `measured` is the actual share of all payments. Compare `before` with `after`:
 * both are for the payments with an estimate of the draft's result.
 */
export interface Acceptance {
  readonly measured: Measured
  readonly before: Expected
  readonly after: Expected
}

/** The share of ended payments that were paid. A payment that expired, or whose payer had no funds, was not paid. */
export interface Measured {
  /** `null`: no payment was counted. */
  readonly rate: number | null
  readonly counted: number
}

/**
 * The share of payments that are finally paid. After a decline that permits failover, the draft's next provider is tried. If the
 * draft would have tried the same provider first, a payment keeps its actual result. A payment without a candidate in the draft
 * is not paid.
 */
export interface Expected {
  /** The rate of the payments with an estimate; `null`: none has one. */
  readonly rate: number | null
  /** The 90 % interval of the rate. */
  readonly range: { readonly low: number; readonly high: number } | null
  /** The share of payments with an estimate. A payment has no estimate if the provider has never had payments like it. */
  readonly coverage: number
}

export interface ProviderReport {
  readonly provider: string
  /** The actual result of the provider's first attempts. */
  readonly measured: Measured
  readonly before: ProviderSide
  readonly after: ProviderSide
  readonly currencies: ReadonlyArray<CurrencyReport>
}

/** The payments for which the provider is tried first. */
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
   * The cost of all attempts by the draft's fees: the whole fee if the payment is paid, otherwise the fixed part. Excludes
   * payments with an unknown fee. Rounded at the end.
   */
  readonly cost: number
  /** Payments with an unknown fee. */
  readonly feeUnknown: number
}

export interface RuleReport {
  readonly name: string
  /** Payments that the rule decides. */
  readonly takes: number
  /** Payments that meet the rule's conditions, including those that earlier rules decide. */
  readonly matches: number
  /** `false`: `matches` is a lower bound, see `MOST_MATCHES`. */
  readonly exact: boolean
  /**
   * - `used`: the rule decides payments.
   * - `shadowed`: the rule matches payments, but earlier rules decide all of them.
   * - `dead`: the rule matches no payment.
   * - `unknown`: the rule decides no payment, and its matches were not counted.
   */
  readonly state: "used" | "shadowed" | "dead" | "unknown"
  /** The rules that decide the payments of a shadowed rule, most payments first, at most 100. */
  readonly shadowedBy: ReadonlyArray<{ readonly rule: string; readonly payments: number }>
}
