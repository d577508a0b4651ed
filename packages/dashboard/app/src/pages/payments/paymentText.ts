/** How payments are written for people. */
import type { Schemas } from "../../api/client.ts"
import { wordOf } from "../../ui/Status.tsx"

export type Payment = Schemas["Payment"]
export type PaymentDetails = Schemas["PaymentDetails"]
export type ActionOffer = Schemas["PaymentAction"]

export const methodName = (method: string): string => (method === "upi" ? "UPI" : wordOf(method))

/** The method with its details, such as `Card · visa · US`. */
export const methodText = ({ payment_method: method, payment_method_details: details }: Payment): string => {
  const { card, stablecoin, upi } = details
  const parts = [upi?.vpa ?? upi?.flow, card?.network, card?.bin, card?.country, stablecoin?.asset, stablecoin?.network]
  return [methodName(method), ...parts.filter((part) => part !== null && part !== undefined)].join(" · ")
}

/** The name of the customer; without one the e-mail address, else the phone number. */
export const customerText = ({ customer }: Payment): string => customer.name ?? contactText(customer)

/** The e-mail address, or the phone number of a customer without one. */
export const contactText = ({ email, phone }: Payment["customer"]): string => email ?? phone ?? "–"

/** In the order of an envelope; `null`: unknown. */
export const addressText = ({ address }: Payment["customer"]): string | null =>
  address === null
    ? null
    : [address.line1, address.line2, address.postal_code, address.city, address.state, address.country]
        .filter((part) => part !== null && part !== "")
        .join(", ")

/** The reference of the charge that took the money, otherwise of the latest. */
export const referenceOf = ({ attempts, provider }: Payment): string | null =>
  attempts.findLast((attempt) => attempt.provider === provider && attempt.reference !== null)?.reference ?? null
