import { failureCodes } from "@paymux/core/store"
import { useGet } from "../../../api/client.ts"
import { Filters } from "../../../lists/Filters.tsx"
import type { Filter } from "../../../lists/Filters.tsx"
import { useTenant } from "../../../session/session.ts"
import { methodName } from "../paymentText.ts"
import { amountFilter } from "./AmountFilter.tsx"
import { methods, statuses } from "./paymentFilters.ts"

export const PaymentFilters = () => {
  const { data } = useGet("/dashboard/api/{account}/{mode}/providers", { path: useTenant() }, { staleTime: 60_000 })
  return <Filters filters={filtersFor((data?.data ?? []).map(({ id }) => id))} />
}

const filtersFor = (providers: ReadonlyArray<string>): ReadonlyArray<Filter> => [
  { kind: "choices", name: "status", label: "Status", options: statuses },
  { kind: "choices", name: "paymentMethod", label: "Method", options: methods, wordOf: methodName },
  { kind: "days", label: "Created" },
  amountFilter,
  { kind: "text", name: "customerEmail", label: "Customer email", several: true },
  {
    kind: "text",
    name: "currency",
    label: "Currency",
    rare: true,
    several: true,
    hint: "ISO codes, such as EUR, with commas between."
  },
  providers.length === 0
    ? { kind: "text", name: "provider", label: "Provider", rare: true, several: true }
    : { kind: "choices", name: "provider", label: "Provider", rare: true, options: providers, wordOf: String },
  {
    kind: "text",
    name: "providerReference",
    label: "Provider reference",
    rare: true,
    hint: "Of a charge, capture or refund."
  },
  { kind: "choices", name: "failureCode", label: "Failure code", rare: true, options: failureCodes },
  { kind: "text", name: "order", label: "Order", rare: true, hint: "The shop's id of the order." },
  { kind: "text", name: "cardFingerprint", label: "Card fingerprint", rare: true },
  { kind: "text", name: "metadata", label: "Metadata", rare: true, hint: "key=value" },
  {
    kind: "choices",
    name: "inReview",
    label: "Review",
    rare: true,
    options: ["true"],
    wordOf: () => "In review"
  }
]
