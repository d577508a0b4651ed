/** Reads kept webhooks, and their counts per instance, from rows. */
import type { InstanceOfMode, KeptWebhook, KeptWebhookCount } from "@paymux/core/store"
import { Buffer } from "node:buffer"
import { flag, inColumn, numeral, object, reading, text, unreadable } from "./ReadRow.ts"

export const readKeptWebhook = reading<KeptWebhook>({
  position: numeral,
  provider: text,
  livemode: flag,
  body: (row, column) => new Uint8Array(Buffer.from(text(row, column), "base64")),
  headers: (row, column) =>
    Object.fromEntries(
      Object.entries(object(row, column)).map(([name, value]) => [
        name,
        typeof value === "string" ? value : unreadable(row, column)
      ])
    ),
  receivedAt: numeral,
  rejections: numeral
})

export const readInstance = reading<InstanceOfMode>({ provider: text, livemode: flag })

export const readKeptCount = reading<KeptWebhookCount>({
  provider: text,
  livemode: flag,
  requests: numeral,
  bytes: numeral,
  oldestReceivedAt: inColumn("oldest", numeral)
})
