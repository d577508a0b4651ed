/** An operation that was called failed is inquired about again: what was not found may be found later. Pure. */
import { replace } from "./change.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"

/** @param after ms until the first inquiry; `undefined`: no inquiry */
export const lookedBack = (
  record: PaymentRecord,
  { id }: Operation,
  now: number,
  after: number | undefined
): PaymentRecord => {
  const latest = record.operations.find((each) => each.id === id)
  const isFailed = latest?.status === "not_executed" || latest?.status === "declined"
  return after === undefined || latest === undefined || !isFailed || latest.nextCheckAt !== null
    ? record
    : replace(record, { operations: [{ ...latest, checks: 0, nextCheckAt: now + after }] })
}
