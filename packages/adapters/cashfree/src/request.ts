/** What Cashfree is asked, made of an operation alone: a second send has the same bytes; and which operation it was. */
import { Ids, type OperationId, type ProviderOperation, type ServedUpi } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import { Predicate, Result } from "effect"

/** A body, or `null` where the operation cannot be said in Cashfree's terms: nothing is sent then. */
export const orderBody = (operation: ProviderOperation, payWithinMs: number): object | null => {
  const { customer, description, id, returnUrl } = operation
  const amount = rupees(operation.amount.minorUnits)
  const phone = indianPhone(customer.phone)
  if (amount === null || phone === null) return null
  const note = within(description, 200)
  return {
    order_id: orderIdOf(id),
    order_amount: amount,
    order_currency: operation.amount.currency,
    customer_details: {
      customer_id: customerIdOf(id),
      customer_phone: phone,
      ...optional("customer_email", whole(customer.email, 100)),
      ...optional("customer_name", within(customer.name, 100))
    },
    order_expiry_time: new Date(expiryOf(operation, payWithinMs)).toISOString(),
    // UPI redirects no payer, so an address that Cashfree rejects is left out: production takes https only.
    ...(isAccepted(returnUrl) && { order_meta: { return_url: returnUrl } }),
    ...optional("order_note", note),
    order_tags: tagsOf(operation)
  }
}

const isAccepted = (returnUrl: string | null): boolean =>
  returnUrl !== null && returnUrl.length <= 250 && returnUrl.startsWith("https://")

/** ms UTC; from when the operation was committed, and not from now. */
export const expiryOf = ({ createdAt }: ProviderOperation, payWithinMs: number): number => createdAt + payWithinMs

/** The `channel` of a session; `null` for flows that are not declared (NPCI deprecated UPI Collect). */
export const channelOf = ({ method }: ProviderOperation): Channel | null =>
  method.rail === "upi" ? channels[method.flow] : null

type Channel = "link" | "qrcode"

const channels: { readonly [flow in ServedUpi["flow"]]: Channel | null } = {
  intent: "link",
  qr: "qrcode",
  collect: null,
  hosted: null
}

export const paymentMethod = (operation: ProviderOperation, channel: Channel): object => ({
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

/** Ten digits. A number of another country cannot be sent: its last ten digits may be another person's number. */
const indianPhone = (phone: string): string | null => /^\+91(\d{10})$/.exec(phone)?.[1] ?? null

/** At least three characters, and no more than `most`: what is longer is cut, what is shorter is left out. */
const within = (text: string | null, most: number): string | null => {
  const cut = text === null ? "" : text.slice(0, most).toWellFormed()
  return cut.length < 3 ? null : cut
}

/** A part of an address is another one's: what is longer is left out. */
const whole = (text: string, most: number): string | null => (text.length > most ? null : within(text, most))

const optional = (name: string, value: string | null): object => (value === null ? {} : { [name]: value })

/**
 * Ten at most, of 1 to 255 characters. One is ours: webhooks hand it back, and do not tell by themselves whether a payment
 * was captured.
 */
const tagsOf = ({ captureMethod, metadata }: ProviderOperation): object => {
  const tags = Object.entries(metadata).filter(
    ([name, value]) => name !== captureTag && value.length >= 1 && value.length <= 255
  )
  return Object.fromEntries([[captureTag, captureMethod], ...tags.slice(0, 9)])
}

/** How an order's payment is captured; `null`: it does not say. */
export const captureMethodOf = (tags: unknown): ProviderOperation["captureMethod"] | null => {
  const said = Predicate.isObject(tags) ? tags[captureTag] : null
  return said === "automatic" || said === "manual" ? said : null
}

const captureTag = "paymux_capture"

/** 3 to 45 of letters, digits, `_` and `-`: the id itself. */
export const orderIdOf = (id: OperationId): string => id

/** 3 to 40 letters and digits. */
export const refundIdOf = (id: OperationId): string => id.replaceAll("_", "")

/** Letters and digits that tell nothing of who pays. */
export const customerIdOf = (id: OperationId): string => id.replaceAll("_", "")

/** `null`: the order is not ours. */
export const operationOfOrder = (orderId: string): OperationId | null => (Ids.isOperation(orderId) ? orderId : null)

/** `null`: the refund is not ours. */
export const operationOfRefund = (refundId: string): OperationId | null => {
  const [, letters, cell] = /^op(.{26})(.+)?$/.exec(refundId) ?? []
  if (letters === undefined) return null
  return operationOfOrder(cell === undefined ? `op_${letters}` : `op_${letters}_${cell}`)
}
