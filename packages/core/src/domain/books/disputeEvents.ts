/** The events of disputes, derived from the payment before and after a change. Pure. */
import type { Dispute } from "../Dispute.ts"
import type { PaymentRecord } from "../Payment.ts"
import { disputesOf } from "./disputes.ts"

export interface DisputeEvent {
  readonly type: "payment.disputed" | "payment.dispute_closed"
  readonly dispute: Dispute
}

/** A dispute that is first reported at its end was opened, too. An amount that changes is no event. */
export const disputeEvents = (before: PaymentRecord, after: PaymentRecord): ReadonlyArray<DisputeEvent> => {
  if (after.payment.disputedAt === null || before.entries === after.entries) return []
  const known = disputesOf(before)
  return disputesOf(after).flatMap((dispute): ReadonlyArray<DisputeEvent> => {
    const status = formerOf(known, dispute)?.status ?? null
    if (status === dispute.status) return []
    const closed: DisputeEvent = { type: "payment.dispute_closed", dispute }
    const opened: DisputeEvent = { type: "payment.disputed", dispute }
    if (dispute.status === "open") return [opened]
    return status === null ? [opened, closed] : [closed]
  })
}

/** A dispute that was reported without a reference has it now. */
const formerOf = (known: ReadonlyArray<Dispute>, { attemptSeq, reference }: Dispute): Dispute | undefined => {
  const own = known.filter((each) => each.attemptSeq === attemptSeq)
  return own.find((each) => each.reference === reference) ?? own.find((each) => each.reference === null)
}
