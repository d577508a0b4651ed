/** Adds follow-ups to a change, in the same commit: refunds of overpayments, and inquiries. Pure. */
import { isUnconfirmed, dueReversals, needlessReversals, unconfirmedCharges } from "../../domain/books/reversal.ts"
import { isMismatchUnconfirmed } from "../../domain/books/reviews.ts"
import type { Ids } from "../../domain/Ids.ts"
import { isOpen } from "../../domain/Operation.ts"
import type { Operation } from "../../domain/Operation.ts"
import { ownOrigin } from "../../domain/origins.ts"
import { createOf } from "../../domain/Payment.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { derived, ended, replace } from "../../domain/transition/change.ts"
import type { Changed } from "../../domain/transition/change.ts"
import { scheduleRecheck } from "../../domain/transition/recheck.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { newOperation, planned } from "../begin/newRecords.ts"
import { isSupported } from "../send/isSupported.ts"

interface FollowUpServices {
  readonly ids: Ids["Service"]
  readonly owner: string
  readonly registry: ProviderRegistry["Service"]
}

/**
 * Adds an inquiry about an operation that has just ended: the provider may have executed the first send, although it
 * refused a repeated send.
 */
export const withRecheck = (
  { registry }: FollowUpServices,
  change: Changed,
  operation: Operation,
  now: number
): Changed => {
  const [first] = registry.declared(operation.provider, operation.kind).lookBackMs
  const record = scheduleRecheck(change.record, operation, now, first)
  return record === change.record ? change : { ...change, record }
}

/**
 * Adds the follow-ups that the payment's books (ledger entries) require: the engine inquires about an overpayment until
 * the provider confirms it, then refunds it. A planned refund is canceled if the overpayment was returned in the
 * meantime.
 */
export const withFollowUps = ({ ids, owner, registry }: FollowUpServices, change: Changed, now: number): Changed => {
  const needless = needlessReversals(change.record).map((each) => ended(each, "canceled", now))
  let record = needless.length === 0 ? change.record : replace(change.record, { operations: needless })
  const { id } = record.payment
  for (const { attempt, charge, kind, minorUnits } of dueReversals(record)) {
    const { provider, seq } = attempt
    if (!isSupported(registry, provider, kind, record)) continue
    if (charge !== null && !registry.declared(provider, "create").chargesByReference) continue
    const what = { attemptSeq: seq, kind, purpose: "reversal", charge } as const
    const asked = { ...what, paymentId: id, provider, minorUnits, owner, origin: ownOrigin(record, what), now }
    const reversal = planned(newOperation(ids, asked))
    record = { ...record, operations: [...record.operations, reversal] }
  }
  record = withConfirmations(record, registry, now)
  return record === change.record ? change : { ...change, record: derived(record, now) }
}

/** Schedules an immediate inquiry about an unconfirmed report, if the provider of the report supports inquiries. */
const withConfirmations = (
  record: PaymentRecord,
  registry: ProviderRegistry["Service"],
  now: number
): PaymentRecord => {
  const creates = record.attempts.flatMap((attempt) => {
    const create = createOf(record, attempt.seq)
    if (create === undefined || create.nextCheckAt !== null) return []
    const declared = registry.declared(attempt.provider, "create")
    const isDue = isOpen(create)
      ? isMismatchUnconfirmed(record, attempt)
      : isUnconfirmed(record, attempt) ||
        (declared.chargesByReference && unconfirmedCharges(record, attempt).length > 0)
    return isDue && declared.canInquire ? [{ ...create, checks: 0, nextCheckAt: now }] : []
  })
  return creates.length === 0 ? record : replace(record, { operations: creates })
}
