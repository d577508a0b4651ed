/** What Adyen is asked, made of an operation alone: a second send has the same bytes. */
import type { CardToken, ProviderOperation } from "@paymux/core"
import { Option } from "effect"
import { referenceOf } from "./names.ts"
import { type BrowserInfo, browserInfoOf, readBrowserInfo, shopperOf } from "./shopper.ts"
import { toAmount } from "./wire.ts"

export interface Asking {
  readonly merchantAccount: string
  readonly instance: string
  /** ms */
  readonly payWithin: number
}

/** `null`: it cannot be said in Adyen's terms, and nothing is sent. */
export const paymentBody = (operation: ProviderOperation, token: CardToken, asking: Asking): object | null => {
  const { client, customer, returnUrl } = operation
  const card = paymentMethodOf(token, customer.name)
  const browserInfo = browserInfoOf(operation)
  const common = commonOf(operation, asking)
  if (card === null || common === null || returnUrl === null || returnUrl.length > 1024) return null
  return {
    ...common,
    ...(Option.isSome(browserInfo) && { browserInfo: browserInfo.value }),
    ...card,
    returnUrl,
    channel: "Web",
    ...(operation.captureMethod === "manual"
      ? { additionalData: { manualCapture: "true" } }
      : // Whatever the account's own setting is: the engine takes it for captured.
        { captureDelayHours: 0 }),
    // Native 3-D Secure needs Adyen's component in the page; a redirect needs nothing.
    authenticationData: { threeDSRequestData: { nativeThreeDS: "disabled" } },
    redirectFromIssuerMethod: "GET",
    redirectToIssuerMethod: "GET",
    ...optional("shopperIP", client?.ip ?? null, 50),
    ...optional("shopperEmail", customer.email, 256)
  }
}

export const linkBody = (operation: ProviderOperation, asking: Asking): object | null => {
  const common = commonOf(operation, asking)
  return common === null
    ? null
    : {
        ...common,
        ...(operation.captureMethod === "manual" ? { manualCapture: true } : { captureDelayHours: 0 }),
        expiresAt: new Date(expiryOf(operation, asking)).toISOString(),
        // Adyen's page takes more than cards, of which captures and refunds may differ.
        allowedPaymentMethods: ["scheme"],
        reusable: false,
        ...optional("description", operation.description, 280),
        ...optional("returnUrl", operation.returnUrl, 8000),
        ...optional("shopperEmail", operation.customer.email, 500)
      }
}

/**
 * ms UTC; from when the operation was committed, and not from now. To the second, as Adyen's own times are, and rounded down: a
 * link that expires 70 days after it is created, or later, is refused.
 */
export const expiryOf = ({ createdAt }: ProviderOperation, { payWithin }: Pick<Asking, "payWithin">): number =>
  Math.floor((createdAt + payWithin) / 1000) * 1000

/** Of a capture or a refund. */
export const amountBody = (operation: ProviderOperation, asking: Asking): object | null => {
  const amount = toAmount(operation.amount)
  return amount === null ? null : { ...modificationBody(operation, asking), amount }
}

/** Of what is asked about a whole payment. */
export const modificationBody = (
  operation: ProviderOperation,
  { instance, merchantAccount }: Pick<Asking, "instance" | "merchantAccount">
): object => ({ merchantAccount, reference: referenceOf(operation, instance) })

const commonOf = (operation: ProviderOperation, { instance, merchantAccount }: Asking): object | null => {
  const amount = toAmount(operation.amount)
  const metadata = metadataOf(operation.metadata)
  return amount === null
    ? null
    : {
        amount,
        merchantAccount,
        reference: referenceOf(operation, instance),
        ...shopperOf(operation),
        ...(metadata !== null && { metadata })
      }
}

/**
 * The fields of a token object that Adyen's client encryption makes, and those of a stored payment method; nothing else is
 * sent on, so no clear card number ever is. A stored one belongs to a shopper, and Adyen takes neither without the other: a token
 * that is text cannot name both.
 */
const paymentMethodOf = (token: CardToken, name: string | null): object | null => {
  if (typeof token === "string") return null
  const card = Object.fromEntries(cardFields.flatMap((field) => textAt(token, field)))
  const browser = browserOf(token["browserInfo"])
  if (browser === null) return null
  const isStored = Object.hasOwn(card, "storedPaymentMethodId")
  const shopper = textAt(token, "shopperReference")
  if (isStored && shopper.length === 0) return null
  if (!isStored && !Object.hasOwn(card, "encryptedCardNumber") && !Object.hasOwn(card, "encryptedCard")) return null
  const holderName = Object.hasOwn(card, "encryptedCardNumber") ? optional("holderName", name, 200) : {}
  return {
    paymentMethod: { type: "scheme", ...holderName, ...card },
    ...browser,
    ...(isStored && {
      ...Object.fromEntries(shopper),
      recurringProcessingModel: "CardOnFile",
      shopperInteraction: "ContAuth"
    })
  }
}

/**
 * What Adyen's card form reads of the browser, for 3-D Secure: without it, production refuses with "Authentication required".
 * `null`: it is given and cannot be Adyen's. Fields: `BrowserInfo` of Checkout API v72.
 */
const browserOf = (given: unknown): { readonly browserInfo?: BrowserInfo } | null => {
  if (given === undefined || given === null) return {}
  const read = readBrowserInfo(given)
  return Option.isSome(read) ? { browserInfo: read.value } : null
}

/** Whether it names a card in Adyen's terms. */
export const isReadable = (token: CardToken): boolean => paymentMethodOf(token, null) !== null

const cardFields = [
  "storedPaymentMethodId",
  "encryptedCard",
  "encryptedCardNumber",
  "encryptedExpiryMonth",
  "encryptedExpiryYear",
  "encryptedSecurityCode",
  "holderName",
  "brand",
  "checkoutAttemptId"
] as const

const textAt = (
  token: { readonly [key: string]: unknown },
  field: string
): ReadonlyArray<readonly [string, string]> => {
  const value = Object.hasOwn(token, field) ? token[field] : undefined
  return typeof value === "string" && value !== "" ? [[field, value]] : []
}

/** What is longer than Adyen takes is left out: no part of an address is one. */
const optional = (name: string, value: string | null, most: number): object =>
  value === null || value === "" || value.length > most ? {} : { [name]: value }

/** Twenty at most; names of up to 20 characters, values of up to 80. */
const metadataOf = (metadata: ProviderOperation["metadata"]): object | null => {
  const kept = Object.entries(metadata)
    .filter(([name, value]) => name !== "" && name.length <= 20 && value.length <= 80)
    .slice(0, 20)
  return kept.length === 0 ? null : Object.fromEntries(kept)
}
