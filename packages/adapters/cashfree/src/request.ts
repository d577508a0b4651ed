/** What Cashfree is asked, made of an operation alone: a second send has the same bytes; and which operation it was. */
import { Ids, type OperationId, type ProviderOperation, type ServedUpi } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import { Predicate, Result } from "effect"

/** A body, or `null` if Cashfree has no form for the operation: nothing is sent then. */
export const orderBody = (operation: ProviderOperation, payWithinMs: number): object | null => {
  const { captureMethod, customer, description, id, metadata, returnUrl } = operation
  const amount = rupees(operation.amount.minorUnits)
  const phone = indianPhone(customer.phone)
  if (amount === null || phone === null) return null
  return {
    order_id: orderIdOf(id),
    order_amount: amount,
    order_currency: operation.amount.currency,
    customer_details: { customer_id: customerIdOf(id), customer_phone: phone, ...namesOf(customer) },
    order_expiry_time: new Date(expiryOf(operation, payWithinMs)).toISOString(),
    // UPI redirects no payer, so an address that Cashfree rejects is left out: production takes https only.
    ...(isAccepted(returnUrl) && { order_meta: { return_url: returnUrl } }),
    ...optional("order_note", within(description, 200)),
    order_tags: Object.fromEntries([[captureTag, captureMethod], ...tagsOf(metadata).slice(0, 9)])
  }
}

/** A Payment Link: Cashfree's page, on which the payer chooses a UPI app or gets a QR code. As `orderBody`. */
export const linkBody = (operation: ProviderOperation, payWithinMs: number): object | null => {
  const { customer, description, id, metadata, returnUrl } = operation
  const amount = rupees(operation.amount.minorUnits)
  const phone = indianPhone(customer.phone)
  if (amount === null || phone === null) return null
  return {
    link_id: linkIdOf(id),
    link_amount: amount,
    link_currency: operation.amount.currency,
    link_purpose: within(description, 500) ?? "Payment",
    customer_details: { customer_phone: phone, ...namesOf(customer) },
    link_partial_payments: false,
    link_expiry_time: new Date(expiryOf(operation, payWithinMs)).toISOString(),
    link_notify: { send_sms: false, send_email: false },
    link_auto_reminders: false,
    link_notes: Object.fromEntries(tagsOf(metadata).slice(0, 5)),
    link_meta: { payment_methods: "upi", ...(isAccepted(returnUrl) && { return_url: returnUrl }) }
  }
}

const namesOf = ({ email, name }: ProviderOperation["customer"]) => ({
  ...optional("customer_email", whole(email, 100)),
  ...optional("customer_name", within(name, 100))
})

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
const indianPhone = (phone: string | null): string | null => /^\+91(\d{10})$/.exec(phone ?? "")?.[1] ?? null

/** At least three characters, and no more than `most`: what is longer is cut, what is shorter is left out. */
const within = (text: string | null, most: number): string | null => {
  const cut = text === null ? "" : text.slice(0, most).toWellFormed()
  return cut.length < 3 ? null : cut
}

/** A part of an address is another one's: what is longer is left out. */
const whole = (text: string | null, most: number): string | null =>
  text === null || text.length > most ? null : within(text, most)

const optional = (name: string, value: string | null): object => (value === null ? {} : { [name]: value })

/** The merchant's metadata: a value has 1 to 255 characters. */
const tagsOf = (metadata: ProviderOperation["metadata"]) =>
  Object.entries(metadata).filter(
    ([name, value]) => !reservedTags.has(name) && value.length >= 1 && value.length <= 255
  )

/** How an order's payment is captured; `null`: it does not say. */
export const captureMethodOf = (tags: unknown): ProviderOperation["captureMethod"] | null => {
  const said = Predicate.isObject(tags) ? tags[captureTag] : null
  return said === "automatic" || said === "manual" ? said : null
}

/** Webhooks return it, and do not say whether a payment was captured. */
const captureTag = "paymux_capture"

/**
 * Ours, or Cashfree's own: it writes the link into the tags of a link's orders, and rejects orders whose `checkout_context` is not
 * of a form of its own.
 */
const reservedTags: ReadonlySet<string> = new Set([captureTag, "checkout_context", "cf_link_id", "link_id"])

/** Our link, of whose orders these are the tags; `null`: another's, or none. */
export const operationOfTags = (tags: unknown): OperationId | null => {
  const link = Predicate.isObject(tags) ? tags["link_id"] : null
  return typeof link === "string" ? operationOfLink(link) : null
}

/** 3 to 45 of letters, digits, `_` and `-`: the id itself. */
export const orderIdOf = (id: OperationId): string => id

/** At most 50 of the same characters. The prefix distinguishes it from an order, also after the options have changed. */
export const linkIdOf = (id: OperationId): string => `${linkPrefix}${id}`

const linkPrefix = "link_"

export const isLinkId = (reference: string): boolean => operationOfLink(reference) !== null

/** Whether a create is a link: its reference shows it, if there is one, also after the options have changed. */
export const isByLink = ({ method, reference }: ProviderOperation): boolean =>
  reference === null ? method.rail === "upi" && method.flow === "hosted" : isLinkId(reference)

/** 3 to 40 letters and digits. */
export const refundIdOf = (id: OperationId): string => id.replaceAll("_", "")

/** Letters and digits that tell nothing of who pays. */
const customerIdOf = (id: OperationId): string => id.replaceAll("_", "")

/** `null`: the order is not ours. */
export const operationOfOrder = (orderId: string): OperationId | null => (Ids.isOperation(orderId) ? orderId : null)

/** `null`: the link is not ours. */
export const operationOfLink = (linkId: string): OperationId | null =>
  linkId.startsWith(linkPrefix) ? operationOfOrder(linkId.slice(linkPrefix.length)) : null

/** `null`: the refund is not ours. */
export const operationOfRefund = (refundId: string): OperationId | null => {
  const [, letters, cell] = /^op(.{26})(.+)?$/.exec(refundId) ?? []
  if (letters === undefined) return null
  return operationOfOrder(cell === undefined ? `op_${letters}` : `op_${letters}_${cell}`)
}
