/**
 * The result of a backtest, as JSON data. Times are ms UTC, amounts and costs minor units, shares and rates 0 to 1.
 *
 * `before` is the provider that was tried first. `after` is the provider that the draft would have tried first if all
 * circuit breakers were closed. The result at that provider is unknown, so each field named `expected` is an estimate
 * from the provider's own attempts in the period.
 */
import type { Dropped } from "@paymux/core/routing"

export interface BacktestReport {
  /** Always `true`: the report is an estimate, since the draft sent no payment to a provider. */
  readonly estimate: true
  /**
   * Whether the draft chooses by learned success rates. For each payment, the rates were rebuilt from the attempts that
   * had ended before it.
   *
   * Only attempts of the given payments count, which belong to one account and mode. A server also counts attempts of
   * other accounts and of the other mode, and attempts of payments made before the period. So the server's rates, and
   * possibly its choices, would have been different.
   */
  readonly usesLearnedRates: boolean
  /** The creation times of the first and the last payment; `null` if there are no payments. */
  readonly period: { readonly from: number; readonly to: number } | null
  readonly payments: number
  /** The identifier of the draft: `sha256:` and the hex digest of its rules. */
  readonly ruleset: string
  /** The rulesets that routed the payments originally, sorted by their number of payments, largest first. */
  readonly rulesetsBefore: ReadonlyArray<{ readonly ruleset: string; readonly payments: number }>
  readonly changes: Changes
  readonly noRoute: NoRouteReport
  readonly acceptance: Acceptance
  /** The providers that were tried, or would be tried by the draft, sorted by name. */
  readonly providers: ReadonlyArray<ProviderReport>
  /** The totals of all providers per currency, sorted by currency code. */
  readonly currencies: ReadonlyArray<CurrencyReport>
  /** The rules of the draft, in their order. */
  readonly rules: ReadonlyArray<RuleReport>
  /** The payments that no rule of the draft matches, so that its default decides. */
  readonly default: { readonly payments: number; readonly share: number }
}

/** The payments that change: another provider, or no provider, would be tried first. */
export interface Changes {
  readonly payments: number
  readonly share: number
  /**
   * The number of payments for each pair of first providers: `before` with the original routing, `after` with the
   * draft. Pairs of equal providers are included. The pair with the most payments is first. `after` is `null` if the
   * draft has no provider for the payment.
   */
  readonly providers: ReadonlyArray<{
    readonly before: string
    readonly after: string | null
    readonly payments: number
  }>
  readonly rules: ReadonlyArray<{ readonly before: string; readonly after: string; readonly payments: number }>
}

/** The payments for which the draft has no provider, with the reason why each candidate of the rule was dropped. */
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
 * The shares of payments that are paid, over all providers. `measured` is the actual share of all payments. `before`
 * and `after` cover only the payments for which the draft's result can be estimated, so these two can be compared.
 */
export interface Acceptance {
  readonly measured: Measured
  readonly before: Expected
  readonly after: Expected
}

/**
 * The share of ended payments that were paid. Expired payments, and those declined for insufficient funds, count as not
 * paid.
 */
export interface Measured {
  /** The share of paid payments, 0 to 1; `null` if no payment was counted. */
  readonly rate: number | null
  readonly counted: number
}

/**
 * The expected share of payments that are paid in the end, with failover: after a decline that permits it, the draft's
 * next provider is tried. A payment keeps its actual result if the draft would have tried the same provider first. A
 * payment without a candidate in the draft counts as not paid.
 */
export interface Expected {
  /** The expected share of paid payments, among those that have an estimate; `null` if no payment has one. */
  readonly rate: number | null
  /** The 90 % interval of the expected rate. */
  readonly range: { readonly low: number; readonly high: number } | null
  /** The share of payments that have an estimate. A payment has none if its provider has never had similar payments. */
  readonly coverage: number
}

export interface ProviderReport {
  readonly provider: string
  /** The measured results of the first attempts at the provider. */
  readonly measured: Measured
  readonly before: ProviderSide
  readonly after: ProviderSide
  readonly currencies: ReadonlyArray<CurrencyReport>
}

/**
 * The number of payments whose first provider is this one: as they were routed (`before`) and with the draft (`after`).
 */
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
   * The cost of all attempts with the draft's fees: the whole fee of a paid attempt, otherwise the fixed part. Excludes
   * payments with an unknown fee. Rounded at the end.
   */
  readonly cost: number
  /** The number of payments whose fee is unknown. */
  readonly feeUnknown: number
}

export interface RuleReport {
  readonly name: string
  /** The number of payments that the rule decides. */
  readonly takes: number
  /** The number of payments that meet the rule's conditions, including those for which an earlier rule decides. */
  readonly matches: number
  /**
   * Whether `matches` is an exact count. If `false`, `matches` is a lower bound, because at most `MOST_MATCHES`
   * matching rules are counted per payment.
   */
  readonly exact: boolean
  /**
   * How the rule is used:
   *
   * - `used`: the rule decides payments.
   * - `shadowed`: the rule matches payments, but earlier rules decide all of them.
   * - `dead`: the rule matches no payment.
   * - `unknown`: the rule decides no payment, and its matches were not counted.
   */
  readonly state: "used" | "shadowed" | "dead" | "unknown"
  /** The earlier rules that decide the payments of a shadowed rule, sorted by their number of payments, at most 100. */
  readonly shadowedBy: ReadonlyArray<{ readonly rule: string; readonly payments: number }>
}
