/** Withholds new payments from excluded providers, and from providers with a planned outage. */
import type { CapabilityFilter, WithheldReason } from "@paymux/core/routing"
import type { Outage } from "../language/Outage.ts"
import type { RoutingConfig } from "../RoutingConfig.ts"
import type { Contender } from "./Contender.ts"

type Filter = Contender["filter"]

/**
 * Extends the capability filter of a provider by its exclusion and outages. Without any, the filter is returned
 * unchanged.
 */
export const withholding = (
  { exclude = [], outages = [] }: Pick<RoutingConfig, "exclude" | "outages">,
  provider: string,
  filter: CapabilityFilter
): Filter => {
  if (exclude.includes(provider)) return () => "excluded"
  const own = outages.filter((outage) => outage.provider === provider)
  if (own.length === 0) return filter
  const reasons = own.map((outage) => ({ outage, reason: reasonOf(outage) }))
  // Calls the provider's own filter first: if it cannot serve the payment anyway, the outage is not the reason.
  return (payment, facts) =>
    filter(payment, facts) ?? reasons.find(({ outage }) => concerns(outage, facts))?.reason ?? null
}

const concerns = (
  { from, methods, to = Number.POSITIVE_INFINITY }: Outage,
  { payment_method, time }: Parameters<Filter>[1]
): boolean => time >= from && time < to && (methods === undefined || methods.includes(payment_method))

const reasonOf = ({ note }: Outage): WithheldReason => (note === undefined ? "outage" : `outage: ${note}`)
