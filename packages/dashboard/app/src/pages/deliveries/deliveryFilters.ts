import type { Filter } from "../../lists/Filters.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { eventTypes, typeText } from "../events/eventTypes.ts"

const statusWord = (status: string): string =>
  status === "failed" ? "Failed: retrying, dead or canceled" : wordOf(status)

export const statusFilter: Filter = {
  kind: "choice",
  name: "status",
  label: "Status",
  options: ["failed", "delivered", "pending", "dead", "canceled"],
  wordOf: statusWord
}

export const typesFilter: Filter = {
  kind: "choices",
  name: "types",
  label: "Event type",
  options: eventTypes,
  wordOf: typeText
}

export const paymentFilter: Filter = { kind: "text", name: "paymentId", label: "Payment", hint: "pay_…" }

export const daysFilter: Filter = { kind: "days", label: "Days" }
