/** What Cashfree is asked, made of an operation alone: a second send has the same bytes. */
import type { ProviderOperation } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import { Result } from "effect"
import { customerIdOf, orderIdOf, refundIdOf } from "./names.ts"

/** A body, or `null` where the operation cannot be said in Cashfree's terms: nothing is sent then. */
export const orderBody = (operation: ProviderOperation, payWithinMs: number): object | null => {
  const { customer, description, id, metadata, paymentId, returnUrl } = operation
  const amount = rupees(operation.amount.minorUnits)
  const phone = indianPhone(customer.phone)
  if (amount === null || phone === null) return null
  const tags = tagsOf(metadata)
  const note = within(description, 200)
  return {
    order_id: orderIdOf(id),
    order_amount: amount,
    order_currency: operation.amount.currency,
    customer_details: {
      customer_id: customerIdOf(paymentId),
      customer_phone: phone,
      ...optional("customer_email", within(customer.email, 100)),
      ...optional("customer_name", within(customer.name, 100))
    },
    order_expiry_time: new Date(expiryOf(operation, payWithinMs)).toISOString(),
    // Nobody is sent anywhere by UPI: one that is too long for Cashfree is left out.
    ...(returnUrl !== null && returnUrl.length <= 250 && { order_meta: { return_url: returnUrl } }),
    ...optional("order_note", note),
    ...(tags !== null && { order_tags: tags })
  }
}

/** ms UTC; from when the operation was committed, and not from now. */
export const expiryOf = ({ createdAt }: ProviderOperation, payWithinMs: number): number => createdAt + payWithinMs

export const paymentMethod = (operation: ProviderOperation, channel: "link" | "qrcode"): object => ({
  upi: { channel, ...(operation.captureMethod === "manual" && { authorize_only: true }) }
})

/** UPI refunds have one speed. */
export const refundBody = (operation: ProviderOperation): object | null => {
  const amount = rupees(operation.amount.minorUnits)
  return amount === null
    ? null
    : {
        refund_id: refundIdOf(operation.id),
        refund_amount: amount,
        refund_speed: "STANDARD",
        ...optional("refund_note", within(operation.reason, 100))
      }
}

export const captureBody = ({ amount }: ProviderOperation): object | null => {
  const rupeesOf = rupees(amount.minorUnits)
  return rupeesOf === null ? null : { action: "CAPTURE", amount: rupeesOf }
}

/** A number literal with two decimals. */
const rupees = (minorUnits: number): unknown =>
  Result.getOrElse(
    Result.flatMap(Amount.bigMinor(minorUnits), (paise) => Amount.majorJsonNumber(paise, 2)),
    () => null
  )

/** Ten digits. A number of another country has no form there: its last ten digits may be somebody else's number. */
const indianPhone = (phone: string): string | null => /^\+91(\d{10})$/.exec(phone)?.[1] ?? null

/** At least three characters, and no more than `most`: what is longer is cut, what is shorter is left out. */
const within = (text: string | null, most: number): string | null => {
  const cut = text === null ? "" : text.slice(0, most).toWellFormed()
  return cut.length < 3 ? null : cut
}

const optional = (name: string, value: string | null): object => (value === null ? {} : { [name]: value })

/** Ten at most, of 1 to 255 characters. */
const tagsOf = (metadata: ProviderOperation["metadata"]): object | null => {
  const tags = Object.entries(metadata)
    .filter(([, value]) => value.length >= 1 && value.length <= 255)
    .slice(0, 10)
  return tags.length === 0 ? null : Object.fromEntries(tags)
}
