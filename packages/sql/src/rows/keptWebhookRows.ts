/** Kept webhooks and their totals, as they are read. */
import type { InstanceOfMode, KeptWebhook, KeptWebhookCount } from "@paymux/core/store"
import { Buffer } from "node:buffer"
import { flag, numeral, object, text, unreadable } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"

export const readKeptWebhook = (row: Row): KeptWebhook => ({
  position: numeral(row, "position"),
  provider: text(row, "provider"),
  livemode: flag(row, "livemode"),
  body: new Uint8Array(Buffer.from(text(row, "body"), "base64")),
  headers: readHeaders(row),
  receivedAt: numeral(row, "received_at"),
  rejections: numeral(row, "rejections")
})

const readHeaders = (row: Row): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(object(row, "headers")).map(([name, value]) => [
      name,
      typeof value === "string" ? value : unreadable(row, "headers")
    ])
  )

export const readInstance = (row: Row): InstanceOfMode => ({
  provider: text(row, "provider"),
  livemode: flag(row, "livemode")
})

export const readKeptCount = (row: Row): KeptWebhookCount => ({
  ...readInstance(row),
  requests: numeral(row, "requests"),
  bytes: numeral(row, "bytes"),
  oldestReceivedAt: numeral(row, "oldest")
})
