/** Webhooks as Adyen posts them: each item signed on eight of its fields, with its signature in it. */
import { createHmac } from "node:crypto"

export interface Item {
  readonly eventCode: string
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantReference?: string
  readonly merchantAccountCode?: string
  readonly amount: { readonly value: number; readonly currency: string }
  readonly success?: string
  readonly reason?: string
}

interface Keys {
  readonly hmacKey: string
  readonly merchantAccount: string
}

export const signedBody = (items: ReadonlyArray<Item>, keys: Keys, live = "false") => ({
  body: new TextEncoder().encode(
    JSON.stringify({
      live,
      notificationItems: items.map((item) => ({ NotificationRequestItem: signedItem(item, keys) }))
    })
  ),
  headers: { "content-type": "application/json" }
})

export const signedItem = (item: Item, { hmacKey, merchantAccount }: Keys) => {
  const { merchantAccountCode = merchantAccount, merchantReference = "", originalReference, success = "true" } = item
  const signed = [
    item.pspReference,
    originalReference ?? "",
    merchantAccountCode,
    merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    success
  ].join(":")
  const hmacSignature = createHmac("sha256", Buffer.from(hmacKey, "hex")).update(signed, "utf8").digest("base64")
  return {
    additionalData: { hmacSignature, paymentMethodVariant: "visa" },
    amount: item.amount,
    eventCode: item.eventCode,
    eventDate: "2026-11-21T11:00:00+01:00",
    merchantAccountCode,
    merchantReference,
    ...(originalReference !== undefined && { originalReference }),
    paymentMethod: "visa",
    pspReference: item.pspReference,
    reason: item.reason ?? "",
    success
  }
}
