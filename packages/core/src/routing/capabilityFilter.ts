/** Decides whether a provider can take a payment, by its declared capabilities. Compiled once per provider. */
import type { CaptureMethod, NewPayment, Tenant } from "../domain/Payment.ts"
import { cardToken, flow } from "../domain/PaymentMethod.ts"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"
import type { FlowCapability, MethodCapability } from "../provider/Capabilities.ts"
import type { Provider } from "../provider/Provider.ts"
import { amountRange } from "../provider/amountRange.ts"
import type { Candidate, Dropped, DropReason } from "./Plan.ts"
import type { Demotion, DemotionOf } from "./Router.ts"
import { missingFact, servedFlow } from "./servedFlow.ts"

/** The facts about a provider that routing needs. */
export type RoutableProvider = Pick<Provider, "id" | "mode" | "capabilities" | "retired" | "formerly">

/** Represents an instance that was retired without its credentials, so that routing rules may contain its id. */
export const retiredRoute = (id: string): RoutableProvider => ({
  id,
  // The mode has no effect: a retired instance takes no payment.
  mode: "test",
  capabilities: { methods: {}, operations: { create: {} } },
  retired: true
})

/**
 * The facts of a payment that most filters read. They are a flat object that is made once for each payment, because a
 * filter runs for each provider. Named as in the public JSON.
 */
export interface CapabilityFacts {
  readonly livemode: boolean
  readonly payment_method: Rail
  readonly flow: Flow
  readonly currency: string
  /** The amount in minor units. */
  readonly amount: number
  readonly capture_method: CaptureMethod
}

export const capabilityFacts = (
  { amount, captureMethod, method }: NewPayment,
  { livemode }: Tenant
): CapabilityFacts => ({
  livemode,
  payment_method: method.rail,
  flow: flow(method),
  currency: amount.currency,
  amount: amount.minorUnits,
  capture_method: captureMethod
})

/** The reason why the provider cannot take the payment, or `null`. */
export type CapabilityFilter = (payment: NewPayment, facts: CapabilityFacts) => DropReason | null

export const capabilityFilter = ({ capabilities, id, mode, retired }: RoutableProvider): CapabilityFilter => {
  if (retired === true) return () => "retired"
  const live = mode === "live"
  const methods: { readonly [rail in Rail]: CapabilityFilter | null } = {
    upi: methodFilter(id, capabilities.methods.upi),
    card: methodFilter(id, capabilities.methods.card),
    stablecoin: methodFilter(id, capabilities.methods.stablecoin)
  }
  return (payment, facts) => {
    if (facts.livemode !== live) return "mode_mismatch"
    const method = methods[facts.payment_method]
    return method === null ? "method_not_supported" : method(payment, facts)
  }
}

const methodFilter = (provider: string, method: MethodCapability | undefined): CapabilityFilter | null => {
  if (method === undefined) return null
  const currencies = method.currencies === "any" ? null : new Set<string>(method.currencies)
  const networks = method.networks === undefined ? null : new Set(method.networks)
  const limits = new Map((method.amounts ?? []).map((limit) => [limit.currency, amountRange(limit)] as const))
  const assets = method.assets ?? []
  const { flows, phoneCodes } = method
  const captures = (
    { captureMethods = method.captureMethods ?? automaticOnly }: FlowCapability,
    facts: CapabilityFacts
  ) => captureMethods.includes(facts.capture_method)

  return (payment, facts) => {
    const asked = flows[facts.flow]
    const served = flows[servedFlow(payment, facts.flow, flows)]
    if (served === undefined) return "flow_not_supported"
    if (currencies !== null && !currencies.has(facts.currency)) return "currency_not_supported"
    const limit = limits.get(facts.currency)
    if (limit !== undefined && facts.amount < limit.min) return "amount_too_small"
    if (limit !== undefined && facts.amount > limit.max) return "amount_too_large"
    if (!captures(served, facts)) {
      // A missing fact for the requested flow is a more useful reason than a limit of the hosted page.
      const missing = asked !== undefined && captures(asked, facts) ? missingFact(payment, asked.requires) : null
      return missing ?? "capture_method_not_supported"
    }
    const unfit = instrumentReason(payment, networks, assets) ?? phoneReason(payment, phoneCodes)
    if (unfit !== null) return unfit
    const missing = missingFact(payment, served.requires)
    if (missing !== null) return missing
    return facts.flow === "token" && payment.method.rail === "card" && cardToken(payment.method, provider) === null
      ? "no_usable_token"
      : null
  }
}

const automaticOnly: ReadonlyArray<CaptureMethod> = ["automatic"]

/**
 * The reason why the provider cannot serve the card network or the stablecoin of the payment; `null`: it can. If the
 * payment specifies none, the provider may choose.
 */
const instrumentReason = (
  { method }: NewPayment,
  networks: ReadonlySet<string> | null,
  assets: NonNullable<MethodCapability["assets"]>
): DropReason | null => {
  switch (method.rail) {
    case "upi":
      return null
    case "card":
      return networks === null || method.network === null || networks.has(method.network)
        ? null
        : "network_not_supported"
    case "stablecoin": {
      const taken = assets.filter(({ asset }) => method.asset === null || method.asset === asset)
      if (taken.length === 0) return "asset_not_supported"
      return method.network === null || taken.some(({ network }) => method.network === network)
        ? null
        : "network_not_supported"
    }
  }
}

const phoneReason = (
  { customer: { phone } }: NewPayment,
  codes: ReadonlyArray<string> | undefined
): DropReason | null => {
  if (codes === undefined) return null
  if (phone === null) return "customer_phone_required"
  return codes.some((code) => phone.startsWith(code)) ? null : "customer_phone_not_supported"
}

export interface FilteredProvider<Facts = CapabilityFacts> {
  readonly provider: string
  /**
   * A provider with its filter: the capability filter, or an extended filter with more reasons, which may read more
   * facts.
   */
  readonly filter: (payment: NewPayment, facts: Facts) => Dropped["reason"] | null
}

export interface Eligible<P> {
  /**
   * The providers for the router to order. If all given providers can be tried and none is demoted, this is the given
   * list.
   */
  readonly first: ReadonlyArray<P>
  /**
   * The demoted providers, with the reasons. If all providers are demoted, this list is empty, and `first` contains
   * them.
   */
  readonly last: ReadonlyArray<Candidate>
  readonly dropped: ReadonlyArray<Dropped>
}

const none: ReadonlyArray<never> = []

/**
 * Computes the part of a plan that is the same for every router: the providers that can take the payment, and those
 * that are tried last.
 */
export const eligible = <Facts, P extends FilteredProvider<Facts>>(
  providers: ReadonlyArray<P>,
  payment: NewPayment,
  facts: Facts,
  demotionOf: DemotionOf
): Eligible<P> => {
  // The usual case: no provider is dropped, and no list is copied.
  if (providers.every(({ filter, provider }) => filter(payment, facts) === null && demotionOf(provider) === null)) {
    return { first: providers, last: none, dropped: none }
  }
  const first: Array<P> = []
  const demoted: Array<P> = []
  const last: Array<{ readonly provider: string; readonly reason: Demotion }> = []
  const dropped: Array<Dropped> = []
  for (const each of providers) {
    const { filter, provider } = each
    const reason = filter(payment, facts)
    if (reason !== null) {
      dropped.push({ provider, reason })
      continue
    }
    const demotion = demotionOf(provider)
    if (demotion === null) first.push(each)
    else {
      demoted.push(each)
      last.push({ provider, reason: demotion })
    }
  }
  return first.length === 0 ? { first: demoted, last: none, dropped } : { first, last, dropped }
}
