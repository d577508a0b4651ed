/** The events of a change, derived from the payment before and after it. Pure. */
import type { Dispute } from "../Dispute.ts"
import type { OperationId } from "../Ids.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { EventType } from "../PaymentEvent.ts"
import type { Resolution, Review } from "../Review.ts"
import { disputesOf } from "./disputes.ts"
import type { Changed } from "../transition/change.ts"

export type ReviewEvent =
  | { readonly type: "payment.review_opened"; readonly review: Review }
  | {
      readonly type: "payment.review_resolved"
      /** The last state of the review, before it ended. */
      readonly review: Review
      /** The operator's answer that ended the review; `null` if a later report ended it. */
      readonly resolution: Resolution | null
    }

export interface ChangeEvent {
  readonly type: EventType
  readonly sequence: number
  readonly refund: OperationId | null
  readonly review: ReviewEvent | null
  readonly dispute: Dispute | null
}

/**
 * Returns all events of a change, and the record with its `eventSequence` advanced. The order of the events: status or
 * refund, disputes, reviews.
 */
export const withEvents = (
  before: PaymentRecord,
  { event, record, refund }: Changed
): { readonly record: PaymentRecord; readonly events: ReadonlyArray<ChangeEvent> } => {
  const first = event === null ? [] : [{ type: event, refund, review: null, dispute: null }]
  const others = [
    ...disputeEvents(before, record).map((each) => ({ ...each, refund: null, review: null })),
    ...reviewEvents(before, record).map((review) => ({ type: review.type, refund: null, review, dispute: null }))
  ]
  const count = before.payment.eventSequence
  const events = [...first, ...others].map((each, index): ChangeEvent => ({ ...each, sequence: count + index + 1 }))
  return events.length === 0
    ? { record, events }
    : { record: { ...record, payment: { ...record.payment, eventSequence: count + events.length } }, events }
}

/**
 * The events of new and changed reviews, then the events of reviews that ended. If a client applies the events in
 * order, by review id, to the reviews before the change, it gets the reviews after the change.
 *
 * @internal Exported for its own test.
 */
export const reviewEvents = (
  { payment: { resolutions: known, reviews: before } }: PaymentRecord,
  { payment: { resolutions, reviews: after } }: PaymentRecord
): ReadonlyArray<ReviewEvent> => {
  if (before === after) return []
  const answers = resolutions.slice(known.length)
  return [
    ...after
      .filter((review) => !before.some((each) => isSame(each, review)))
      .map((review): ReviewEvent => ({ type: "payment.review_opened", review })),
    ...before
      .filter(({ id }) => !after.some((each) => each.id === id))
      .map((review): ReviewEvent => {
        const resolution = answers.findLast((answer) => answer.review === review.id)?.resolution ?? null
        return { type: "payment.review_resolved", review, resolution }
      })
  ]
}

const isSame = (one: Review, other: Review): boolean =>
  one === other || (one.id === other.id && JSON.stringify(one) === JSON.stringify(other))

interface DisputeEvent {
  readonly type: "payment.disputed" | "payment.dispute_closed"
  readonly dispute: Dispute
}

/**
 * The dispute events of a change. A dispute that is first reported at its end also has an opening event; a new amount
 * has none.
 */
const disputeEvents = (before: PaymentRecord, after: PaymentRecord): ReadonlyArray<DisputeEvent> => {
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

/**
 * Finds the state of a dispute before the change. The dispute may have been reported without its reference at that
 * time.
 */
const formerOf = (known: ReadonlyArray<Dispute>, { attemptSeq, reference }: Dispute): Dispute | undefined => {
  const own = known.filter((each) => each.attemptSeq === attemptSeq)
  return own.find((each) => each.reference === reference) ?? own.find((each) => each.reference === null)
}
