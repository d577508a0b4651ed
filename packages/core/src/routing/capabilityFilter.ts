/** Whether a provider can take a payment at all, from what it declares. Compiled once per provider. */
import type { CaptureMethod, NewPayment, Tenant } from "../domain/Payment.ts"
import { cardToken, flow } from "../domain/PaymentMethod.ts"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"
import type { MethodCapability, RequiredFact } from "../provider/Capabilities.ts"
import type { Provider } from "../provider/Provider.ts"
import type { DropReason } from "./Plan.ts"

/** What routing needs to know of a provider. */
export type RoutableProvider = Pick<Provider, "id" | "mode" | "capabilities">

/**
 * What most filters read, flat and made once for each payment: a filter runs for each provider of each payment. Named as in
 * the public JSON.
 */
export interface CapabilityFacts {
  readonly livemode: boolean
  readonly payment_method: Rail
  readonly flow: Flow
  readonly currency: string
  /** Minor units. */
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

/** Why the provider cannot take the payment, or `null`. */
export type CapabilityFilter = (payment: NewPayment, facts: CapabilityFacts) => DropReason | null

export const capabilityFilter = ({ capabilities, id, mode }: RoutableProvider): CapabilityFilter => {
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
  const captureMethods = new Set<string>(method.captureMethods ?? ["automatic"])
  const { max = Number.MAX_SAFE_INTEGER, min = 0 } = method.amount ?? {}
  const requires = new Map<Flow, ReadonlyArray<RequiredFact>>()
  for (const flow of flows) {
    const declared = method.flows[flow]
    if (declared !== undefined) requires.set(flow, declared.requires ?? [])
  }
  const assets = method.assets ?? []
  const { phoneCodes } = method

  return (payment, facts) => {
    const required = requires.get(facts.flow)
    if (required === undefined) return "flow_not_supported"
    if (currencies !== null && !currencies.has(facts.currency)) return "currency_not_supported"
    if (facts.amount < min) return "amount_too_small"
    if (facts.amount > max) return "amount_too_large"
    if (!captureMethods.has(facts.capture_method)) return "capture_method_not_supported"
    const unfit =
      instrumentReason(payment, networks, assets) ?? phoneReason(payment, phoneCodes) ?? missingFact(payment, required)
    if (unfit !== null) return unfit
    return facts.flow === "token" && payment.method.rail === "card" && cardToken(payment.method, provider) === null
      ? "no_usable_token"
      : null
  }
}

const flows: ReadonlyArray<Flow> = ["intent", "qr", "collect", "hosted", "token", "transfer"]

/** A network or asset that the payment leaves open is for the provider to choose. */
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

const phoneReason = ({ customer }: NewPayment, codes: ReadonlyArray<string> | undefined): DropReason | null =>
  codes === undefined || codes.some((code) => customer.phone.startsWith(code)) ? null : "customer_phone_not_supported"

const missingFact = (payment: NewPayment, required: ReadonlyArray<RequiredFact>): DropReason | null => {
  for (const fact of required) {
    const reason = missing(payment, fact)
    if (reason !== null) return reason
  }
  return null
}

const missing = ({ client, customer, returnUrl }: NewPayment, fact: RequiredFact): DropReason | null => {
  switch (fact) {
    case "client.ip":
      return client === null || client.ip === null ? "client_required" : null
    case "client.user_agent":
      return client === null || client.userAgent === null ? "client_required" : null
    case "client.referer":
      return client === null || client.referer === null ? "client_required" : null
    case "customer.name":
      return customer.name === null ? "customer_name_required" : null
    case "return_url":
      return returnUrl === null ? "return_url_required" : null
  }
}
