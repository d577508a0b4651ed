/** What the vendor's ledger shows of an operation, in the words of an answer. */
import type { InquiryOutcome, OperationKind } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { Ending, TestHarness } from "../ConformanceContext.ts"

/** `null`: nothing was done. A vendor that is still at it shows nothing, too. */
export const truthOf = (kind: OperationKind, payment: LedgerPayment | undefined): InquiryOutcome["_tag"] | null => {
  if (payment === undefined) return null
  switch (kind) {
    case "create":
      return truthOfCreate(payment)
    case "capture":
      return payment.captured > 0 ? "Succeeded" : null
    case "cancel":
      return payment.status === "canceled" ? "Succeeded" : null
    case "refund":
      return payment.refunds.length > 0 ? "Succeeded" : null
  }
}

const truthOfCreate = ({ status }: LedgerPayment): InquiryOutcome["_tag"] => {
  switch (status) {
    case "draft":
    case "pending":
      return "Pending"
    case "authorized":
      return "Authorized"
    case "captured":
      return "Succeeded"
    case "declined":
      return "Declined"
    case "canceled":
      return "Canceled"
    case "expired":
      return "Expired"
  }
}

/** The vendor's side of a payment as it is now. */
export const nowAt = ({ vendor }: TestHarness, { id }: LedgerPayment) =>
  Effect.map(vendor.payments, (payments) => payments.find((payment) => payment.id === id))

/** What the ledger holds, without the names that the vendor gave. */
export const effects = ({ vendor }: TestHarness): Effect.Effect<string> =>
  Effect.map(vendor.payments, (payments) =>
    payments
      .map(({ captured, refunds, status }) => {
        const refunded = refunds.map(({ minorUnits }) => minorUnits).join(" + ")
        return `${status}, captured ${captured}${refunded === "" ? "" : `, refunded ${refunded}`}`
      })
      .join("; ")
  )

/** `null`: there was no answer. */
export const answeredTag = (ending: Ending): InquiryOutcome["_tag"] | null =>
  ending._tag === "Answered" ? ending.answer._tag : null

/** How many requests arrived so far. */
export const arrived = ({ vendor }: TestHarness): Effect.Effect<number> =>
  vendor.network === null ? Effect.succeed(0) : Effect.map(vendor.network.requests, ({ length }) => length)
