/** What the engine stores of a payment agrees with its books, and until its end it has a next check or a review. */
import type { PaymentRecord } from "@paymux/core"
import { amountCaptured, amountRefunded, isOpen } from "@paymux/core/store"
import { each } from "./Invariant.ts"
import type { Case, Checked, Fault, Invariant } from "./Invariant.ts"

/** Checks every commit, and what is stored at the end. */
const everyRecord = (one: Case, check: (record: PaymentRecord) => ReadonlyArray<string>): Checked => {
  const commits = each(one, "committed", ({ after, elapsed }) => check(after).map((text): Fault => ({ elapsed, text })))
  return {
    judged: commits.judged + one.records.length,
    faults: [...commits.faults, ...one.records.flatMap(check).map((text) => ({ elapsed: null, text }))]
  }
}

/** The public amounts are the balance of the entries. */
export const amountsAreTheBalance: Invariant = (one) =>
  everyRecord(one, (record) => {
    const { payment } = record
    const [captured, refunded] = [amountCaptured(record), amountRefunded(record)]
    return [
      ...(payment.amountCaptured === captured
        ? []
        : [`says ${payment.amountCaptured} captured, its entries come to ${captured}`]),
      ...(payment.amountRefunded === refunded
        ? []
        : [`says ${payment.amountRefunded} refunded, its entries come to ${refunded}`])
    ]
  })

/** Entries are only added, and all of them stay as they were written. */
export const entriesStay: Invariant = (one) =>
  each(one, "committed", ({ after, before, elapsed }) => {
    const known = before?.entries ?? []
    return JSON.stringify(after.entries.slice(0, known.length)) === JSON.stringify(known)
      ? []
      : [{ elapsed, text: `an entry of ${known.length} is gone, or was changed` }]
  })

/** Whatever is not over has a next check, or an operator is asked to look, or it is the payer's turn. */
export const nothingIsForgotten: Invariant = (one) =>
  everyRecord(one, ({ operations, payment }) => {
    const open = operations.filter(isOpen)
    const isOver = payment.state.status !== "pending" && open.length === 0
    const isCaredFor = open.every(({ nextCheckAt }) => nextCheckAt !== null) || payment.reviews.length > 0
    return isOver || isCaredFor || isLeftToPayer(one, payment)
      ? []
      : [`is ${payment.state.status}, and neither a next check nor a review is there for it`]
  })

/** A payment whose payer has left needs no review: a vendor that cannot be inquired reports when the payer comes back. */
const isLeftToPayer = ({ plan }: Case, { provider, state }: PaymentRecord["payment"]): boolean =>
  state.status === "pending" &&
  state.reason === "awaiting_customer" &&
  plan.vendors.some(({ canInquire, id }) => id === provider && !canInquire)
