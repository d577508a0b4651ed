/**
 * What providers require beyond the minimal request: amount, currency, payment method, and the customer's e-mail address; for
 * UPI also the phone number.
 */
import { decodeCreatePayment, type Rail } from "@paymux/core"
import { amountRange, capabilityFacts, capabilityFilter } from "@paymux/core/routing"
import type { DropReason, RoutableProvider } from "@paymux/core/routing"
import { Effect } from "effect"

/**
 * One sentence for each provider and rail on which it cannot take the minimal request. A payment that lacks what a provider
 * requires goes to the next candidate, or fails for want of one.
 */
export const minimalRequestWarnings = (providers: ReadonlyArray<RoutableProvider>): ReadonlyArray<string> =>
  providers
    .filter(({ retired }) => retired !== true)
    .flatMap((provider) =>
      rails.flatMap((rail) => {
        const reason = refusal(provider, rail)
        const method = provider.capabilities.methods[rail]
        return [
          ...(reason === null
            ? []
            : [`${provider.id} does not take a minimal ${rail} payment: ${explain(provider, rail, reason)}.`]),
          ...(method?.phoneCodes === undefined
            ? []
            : [
                `${provider.id} takes ${rail} payments of customers with a phone number in ${method.phoneCodes.join(", ")} only.`
              ])
        ]
      })
    )

const rails: ReadonlyArray<Rail> = ["upi", "card", "stablecoin"]

/** Why it would not get the minimal request, in a currency, an amount and a country that it accepts; `null`: it would. */
const refusal = (provider: RoutableProvider, rail: Rail): DropReason | null => {
  const method = provider.capabilities.methods[rail]
  if (method === undefined) return null
  const { amounts = [], currencies, phoneCodes } = method
  const currency = (currencies === "any" ? "USD" : currencies[0]) ?? "USD"
  const { max, min } = amountRange(amounts.find((limit) => limit.currency === currency) ?? { currency })
  const [code = "+91"] = phoneCodes ?? []
  const hasPhone = rail === "upi" || phoneCodes !== undefined
  const request = Effect.runSync(
    decodeCreatePayment({
      amount: Math.max(min, Math.min(max, usual)),
      currency,
      payment_method: rail,
      customer: { email: "customer@example.com", ...(hasPhone && { phone: `${code}9812345678` }) }
    })
  )
  const tenant = { account: "default", livemode: provider.mode === "live" }
  return capabilityFilter(provider)(request, capabilityFacts(request, tenant))
}

/** Minor units. */
const usual = 10_000

const explain = ({ capabilities, id }: RoutableProvider, rail: Rail, reason: DropReason): string => {
  const flows = Object.entries(capabilities.methods[rail]?.flows ?? {})
  switch (reason) {
    case "client_required":
    case "customer_email_required":
    case "customer_phone_required":
    case "customer_name_required":
    case "customer_address_required":
    case "description_required":
    case "return_url_required": {
      const required = new Set(flows.flatMap(([, { requires = [] }]) => requires))
      return `it requires ${[...required].join(", ")}`
    }
    case "no_usable_token":
      return `it requires a token (payment_method_details.card.tokens.${id})`
    case "flow_not_supported":
      return `it supports ${flows.map(([flow]) => flow).join(", ")} only, which a request has to name`
    default:
      return reason
  }
}
