/**
 * A world of the backtest's test: payers, providers with a true distribution of what an attempt comes to, the rules under
 * which the payments were made, and a draft whose effect is known from the truth.
 */
import type { RoutingConfigInput } from "@paymux/routing"

export type Provider = "alpha" | "beta" | "gamma"

/** In percent, or any weights. */
export type Weights = { readonly [value: string]: number }

/** The payments of one payment method; their traits are drawn independently of each other. */
export interface Group {
  /** Of all payments, by weight. Default: 1. */
  readonly share?: number
  readonly method: "card" | "upi" | "stablecoin"
  /** Default: EUR for cards, INR for UPI, USD for stablecoins. */
  readonly currency?: string
  /** In minor units, both included, evenly. Default: 500 to 20,000. */
  readonly amounts?: readonly [number, number]
  /** Of cards. Defaults: four countries, visa and mastercard, credit and debit, six issuers. */
  readonly country?: Weights
  readonly network?: Weights
  readonly funding?: Weights
  readonly bin?: Weights
  /** Of UPI. Default: `intent`. `collect` draws the handle of the payer's UPI id. */
  readonly flow?: Weights
  readonly handle?: Weights
  /** The merchant's own fact, `metadata.shop`. Default: none. */
  readonly shop?: Weights
}

/** One payment of the population. */
export interface PlantedPayment {
  /** ms UTC */
  readonly at: number
  /** Days since the first payment, with a fraction. */
  readonly day: number
  /** UTC, with a fraction. */
  readonly hour: number
  readonly method: Group["method"]
  readonly currency: string
  readonly amount: number
  readonly country: string | null
  readonly network: string | null
  readonly funding: string | null
  readonly bin: string | null
  readonly flow: string | null
  readonly handle: string | null
  readonly shop: string | null
  readonly email: string
}

/**
 * How an attempt fails.
 *
 * - Declines by the issuer that another provider may not get: `do_not_honor`, `issuer_unavailable`, `processing_error`.
 * - Final declines: `insufficient_funds`, `lost_or_stolen`, `suspected_fraud`, `not_permitted`.
 * - `authentication_failed`: after the payer was sent to the issuer's page, three minutes later.
 * - `expired`: the payer does nothing, and the provider's time for the payment passes.
 * - `not_executed`: no connection.
 */
export type FailureName =
  | "do_not_honor"
  | "issuer_unavailable"
  | "processing_error"
  | "insufficient_funds"
  | "lost_or_stolen"
  | "suspected_fraud"
  | "not_permitted"
  | "authentication_failed"
  | "expired"
  | "not_executed"

/** In percent of the attempts; all others are paid. */
export type Failures = { readonly [name in FailureName]?: number }

/** What is true of one payment. */
export interface Truth {
  /** In percent of the payments: every provider that gets one of these has the same failure. */
  readonly common?: Failures
  /** In percent of the other payments, independently at each provider. A provider that is not named is not in the world. */
  readonly at: { readonly [provider in Provider]?: Failures }
}

/** `percent` of a paid amount. `fixed`: minor units of the world's currency. */
export interface Fee {
  readonly percent: number
  readonly fixed: number
}

export interface World {
  readonly name: string
  readonly seed: number
  /** Default: 1,000. */
  readonly payments?: number
  /** From the first payment to the last. Default: 7. */
  readonly days?: number
  readonly groups: readonly [Group, ...ReadonlyArray<Group>]
  readonly truth: (payment: PlantedPayment) => Truth
  /** Minutes until a payer who pays has paid. Default: at once for cards, half a minute for the other methods. */
  readonly paidAfter?: { readonly [provider in Provider]?: number }
  /** Minutes until a payment that is not paid expires. Default: 15. */
  readonly expiresAfter?: { readonly [provider in Provider]?: number }
  /** Minutes from the last payment to the backtest: what is open then has no outcome. Default: a day. */
  readonly readAfter?: number
  readonly fees?: { readonly [provider in Provider]?: Fee }
  readonly old: RoutingConfigInput
  readonly draft: RoutingConfigInput
}

export const providersOf = (world: World, payment: PlantedPayment): ReadonlyArray<Provider> =>
  allProviders.filter((provider) => world.truth(payment).at[provider] !== undefined)

const allProviders: ReadonlyArray<Provider> = ["alpha", "beta", "gamma"]
