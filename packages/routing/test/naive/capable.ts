/** Whether a provider can take a payment, by what it declares; the reasons in the order in which they are given. */
import type { FlowCapability, NewPayment, RequiredFact } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { factOf } from "./conditions.ts"
import type { Asking } from "./conditions.ts"

/** Why `provider` cannot take it, or `null`. */
export const whyNot = (provider: RoutableProvider, asking: Asking): string | null => {
  const { payment, tenant } = asking
  const { amount, captureMethod, method } = payment
  if (provider.retired === true) return "retired"
  if ((provider.mode === "live") !== tenant.livemode) return "mode_mismatch"

  const declared = provider.capabilities.methods[method.rail]
  if (declared === undefined) return "method_not_supported"

  const requested = Object.entries(declared.flows).find(([name]) => name === factOf("flow", asking))?.[1]
  const lacking = (requested?.requires ?? []).map((fact) => required(payment, fact)).find(([has]) => !has)
  // An intent that the provider cannot serve as such.
  const onPage = factOf("flow", asking) === "intent" && (requested === undefined || lacking !== undefined)
  const flow = (onPage ? declared.flows.hosted : undefined) ?? requested
  if (flow === undefined) return "flow_not_supported"

  if (declared.currencies !== "any" && !declared.currencies.includes(amount.currency)) return "currency_not_supported"
  for (const { currency, max, min } of declared.amounts ?? []) {
    if (currency !== amount.currency) continue
    // Written with all of their decimals.
    if (min !== undefined && amount.minorUnits < Number(min.replace(".", ""))) return "amount_too_small"
    if (max !== undefined && amount.minorUnits > Number(max.replace(".", ""))) return "amount_too_large"
  }

  const captures = (each: FlowCapability | undefined) =>
    each !== undefined && (each.captureMethods ?? declared.captureMethods ?? ["automatic"]).includes(captureMethod)
  if (!captures(flow)) {
    return (captures(requested) ? lacking?.[1] : undefined) ?? "capture_method_not_supported"
  }

  if (method.rail === "card" && method.network !== null && declared.networks !== undefined) {
    if (!declared.networks.includes(method.network)) return "network_not_supported"
  }
  if (method.rail === "stablecoin") {
    const coins = (declared.assets ?? []).filter((coin) => method.asset === null || coin.asset === method.asset)
    if (coins.length === 0) return "asset_not_supported"
    if (method.network !== null && !coins.some((coin) => coin.network === method.network)) {
      return "network_not_supported"
    }
  }

  const codes = declared.phoneCodes
  const { phone } = payment.customer
  if (codes !== undefined && phone === null) return "customer_phone_required"
  if (codes !== undefined && !codes.some((code) => phone?.indexOf(code) === 0)) return "customer_phone_not_supported"

  for (const fact of flow.requires ?? []) {
    const [has, reason] = required(payment, fact)
    if (!has) return reason
  }

  if (method.rail === "card" && factOf("flow", asking) === "token") {
    const own = Object.entries(method.tokens).find(([name]) => name === provider.id)
    if (own === undefined && method.token === null) return "no_usable_token"
  }
  return null
}

const required = (
  { client, customer, description, returnUrl }: NewPayment,
  fact: RequiredFact
): readonly [boolean, string] => {
  switch (fact) {
    case "client.ip":
      return [typeof client?.ip === "string", "client_required"]
    case "client.user_agent":
      return [typeof client?.userAgent === "string", "client_required"]
    case "client.referer":
      return [typeof client?.referer === "string", "client_required"]
    case "client.accept_header":
      return [typeof client?.acceptHeader === "string", "client_required"]
    case "client.language":
      return [typeof client?.language === "string", "client_required"]
    case "client.time_zone":
      return [typeof client?.timeZone === "string", "client_required"]
    case "client.screen":
      return [typeof client?.screen?.width === "number", "client_required"]
    case "customer.email":
      return [customer.email !== null, "customer_email_required"]
    case "customer.phone":
      return [customer.phone !== null, "customer_phone_required"]
    case "customer.address":
      return [customer.address !== null, "customer_address_required"]
    case "description":
      return [description !== null, "description_required"]
    case "customer.name":
      return [customer.name !== null, "customer_name_required"]
    case "return_url":
      return [returnUrl !== null, "return_url_required"]
  }
}
