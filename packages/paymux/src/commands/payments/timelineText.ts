/** An item of a timeline in one line, without its time and kind. */
import type { TimelineItem } from "@paymux/dashboard"
import { amountText } from "../amountText.ts"

export const timelineText = (item: TimelineItem): string => {
  switch (item.kind) {
    case "created":
      return words(amountText(item.amount, item.currency), item.paymentMethod, `${item.captureMethod} capture`)
    case "routed":
      return words(
        `rule ${item.rule} (${item.reason})`,
        ...item.candidates.map(({ provider, reason }) => `${provider}: ${reason}`),
        ...item.dropped.map(({ provider, reason }) => `not ${provider}: ${reason}`)
      )
    case "attempt_started":
      return words(`attempt ${item.attempt}`, item.provider, item.reason)
    case "attempt_ended":
      return words(`attempt ${item.attempt}`, item.provider, item.status, item.code, item.vendorCode)
    case "operation_started":
    case "operation_ended": {
      const { amount, code, currency, kind, operation, operationKind, provider, purpose, reference, status } = item
      const asked = purpose === "requested" ? operationKind : `${operationKind} (${purpose})`
      const about = [operation, asked, amountText(amount, currency), provider]
      return kind === "operation_started" ? words(...about) : words(...about, status, code, item.vendorCode, reference)
    }
    case "evidence":
      return words(item.source, item.outcome, item.operation, item.vendorCode, item.eventId, item.document)
    case "entry":
      return words(
        `${item.entry}${item.basis === "total" ? " in total" : ""}`,
        amountText(item.amount, item.currency),
        item.provider,
        item.reference,
        `by ${item.source}`
      )
    case "event": {
      const { review } = item
      const about = review === null ? null : `${review.id} ${review.reason}`
      return words(`${item.sequence}`, item.type, item.event, about, review?.resolution ?? null)
    }
    case "delivery":
      return words(item.event, `to ${item.endpoint}`, item.status, `${item.attempts} attempts`)
    case "delivery_attempt":
      return words(
        item.event,
        `to ${item.endpoint}`,
        `attempt ${item.attempt}`,
        item.status === null ? null : `HTTP ${item.status}`,
        item.error,
        `${item.duration} ms`
      )
  }
}

const words = (...all: ReadonlyArray<string | null>): string => all.filter((word) => word !== null).join(", ")
