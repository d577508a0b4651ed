/** What was seen, for people. */
import type { InquiryOutcome } from "@paymux/core"
import { Cause } from "effect"
import type { LedgerPayment } from "../fake/Ledger.ts"
import type { SeenRequest } from "../fake/Vendor.ts"
import type { Ending } from "./Ending.ts"

export const describeEnding = (ending: Ending): string => {
  switch (ending._tag) {
    case "Answered":
      return describeAnswer(ending.answer)
    case "Failed":
      return `a ProviderError ${JSON.stringify(ending.error.reason)}`
    case "NotTaken":
      return `an answer that the engine does not take: ${shown(ending.answer)}, said as Unknown`
    case "Broke":
      return `no answer: it threw ${Cause.pretty(ending.cause).split("\n")[0] ?? "something"}`
    case "DidNotEnd":
      return "no answer: it did not end"
  }
}

const shown = (answer: unknown): string => {
  const text = JSON.stringify(answer) ?? String(answer)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** `Declined { code: "do_not_honor", retry: "never" }` */
export const describeAnswer = ({ _tag, ...reported }: InquiryOutcome): string => {
  const parts = Object.entries(reported).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return parts.length === 0 ? _tag : `${_tag} { ${parts.join(", ")} }`
}

export const describeRequests = (requests: ReadonlyArray<SeenRequest>): ReadonlyArray<string> => [
  ...(requests.length > mostShown ? [`… ${requests.length - mostShown} requests before`] : []),
  ...requests.slice(-mostShown).map(({ answered, method, path }) => `${method} ${path} → ${answered}`)
]

export const describePayments = (payments: ReadonlyArray<LedgerPayment>): ReadonlyArray<string> =>
  payments.slice(-mostShown).map(({ amount, captured, code, id, refunds, status }) => {
    const refunded = refunds.length === 0 ? "" : `, refunded ${refunds.map(({ minorUnits }) => minorUnits).join(" + ")}`
    return `its ledger: ${id} ${amount.currency} ${amount.minorUnits} ${status}${code === null ? "" : ` (${code})`}, captured ${captured}${refunded}`
  })

const mostShown = 8
