/**
 * The result of routing: the providers to try, with their order and reasons; or the reason why none of them can be
 * tried.
 */
import type { RoutingDecision } from "../domain/Payment.ts"

export interface Candidate {
  /** The id of the provider instance. */
  readonly provider: string
  readonly reason: string
}

/**
 * The reasons why a provider cannot take a payment. A plan has the first reason that applies, in this order.
 *
 * @internal Exported for tests that cover each reason.
 */
export const dropReasons = [
  "retired",
  "mode_mismatch",
  "method_not_supported",
  "flow_not_supported",
  "currency_not_supported",
  "amount_too_small",
  "amount_too_large",
  "capture_method_not_supported",
  "asset_not_supported",
  "network_not_supported",
  "customer_phone_not_supported",
  "customer_phone_required",
  "customer_email_required",
  "client_required",
  "customer_name_required",
  "customer_address_required",
  "description_required",
  "return_url_required",
  "no_usable_token"
] as const
export type DropReason = (typeof dropReasons)[number]

/** The reason why a router gives a provider no new payments, although it could take them. */
export type WithheldReason = "excluded" | "outage" | `outage: ${string}`

export interface Dropped {
  readonly provider: string
  readonly reason: DropReason | WithheldReason
}

export interface Plan {
  readonly _tag: "Plan"
  /** The routing decision, which is stored with the payment. */
  readonly decision: RoutingDecision
  /** The providers to try, at least one, in the order in which they are tried. */
  readonly candidates: ReadonlyArray<Candidate>
}

/**
 * Refusal: no provider of the matching rule can take the payment. No other rule is tried: that would hide a wrong rule.
 */
interface NoRoute {
  readonly _tag: "NoRoute"
  readonly rule: string
  readonly ruleset: string
  /** Each provider of the rule, with the reason why it cannot take the payment. */
  readonly candidates: ReadonlyArray<Dropped>
}

export type RoutingResult = Plan | NoRoute
