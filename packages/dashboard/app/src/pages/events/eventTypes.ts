import type { Schemas } from "../../api/client.ts"

type EventType = Schemas["LoggedEvent"]["type"]

/** An object, so that the compiler demands every type of the API. */
const types: { readonly [type in EventType]: true } = {
  "payment.pending": true,
  "payment.authorized": true,
  "payment.succeeded": true,
  "payment.failed": true,
  "payment.canceled": true,
  "payment.disputed": true,
  "payment.dispute_closed": true,
  "payment.capture_failed": true,
  "payment.late_reversed": true,
  "payment.review_opened": true,
  "payment.review_resolved": true,
  "refund.pending": true,
  "refund.succeeded": true,
  "refund.failed": true
}

export const eventTypes: ReadonlyArray<string> = Object.keys(types)

/** As the API writes it. */
export const typeText = (type: string): string => type
