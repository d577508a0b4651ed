/**
 * Computes the changes of the sums by a page of events. Pure.
 *
 * Successive events of one payment are a run. The facts of its last event replace the facts of the payment's event
 * before the run. Events within the run are neither read nor counted, because each would be added and subtracted again.
 */
import type { DeltaSums } from "./Deltas.ts"
import type { FeedEvent } from "./EventFeed.ts"
import { paymentFacts, refundFacts } from "./facts.ts"

export interface EventRun {
  readonly first: FeedEvent
  readonly last: FeedEvent
  /** The events of each refund in this run. */
  readonly refunds: ReadonlyArray<RefundRun>
}

/** The events of one refund in a run. */
interface RefundRun {
  /** The first characters of the refund's JSON, `{"id":"re_…"`, which identify the refund. */
  readonly beginning: string
  /** The sequence number of the first of these events. */
  readonly sequence: number
  /** The JSON of the refund at the last of these events. */
  readonly last: string
}

/**
 * The JSON of the last events before a run. The key `null` has the JSON of the payment; the `beginning` of a refund has
 * that of the refund. A value of `null`: no earlier event exists.
 */
export type Former = ReadonlyMap<string | null, string | null>

export const runsOf = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<EventRun> => {
  const runs: Array<GrowingRun> = []
  const latest = new Map<string, GrowingRun>()
  for (const event of events) {
    const known = latest.get(event.paymentId)
    const follows = known !== undefined && event.sequence === known.last.sequence + 1
    const run = follows ? known : { first: event, last: event, refunds: [] }
    run.last = event
    addRefund(run.refunds, event)
    if (follows) continue
    runs.push(run)
    latest.set(event.paymentId, run)
  }
  return runs
}

/** Adds the changes of a run. `former`: not needed for a run that begins with the first event of its payment. */
export const addRun = (sums: DeltaSums, { first, last, refunds }: EventRun, former?: Former): void => {
  const { account, livemode } = last
  const facts = paymentFacts(last.payment)
  // An operator may delete old events. If the event before the run is missing, the first event of the run replaces it,
  // and the count of the missing event stays.
  const before = first.sequence === 1 ? null : (former?.get(null) ?? first.payment)
  if (before !== last.payment) {
    sums.add(account, livemode, facts, 1)
    sums.add(account, livemode, paymentFacts(before), -1)
  }
  for (const refund of refunds) {
    sums.add(account, livemode, refundFacts(refund.last, facts), 1)
    sums.add(account, livemode, refundFacts(former?.get(refund.beginning) ?? null, facts), -1)
  }
}

interface GrowingRun {
  readonly first: FeedEvent
  last: FeedEvent
  readonly refunds: Array<GrowingRefund>
}

interface GrowingRefund extends Omit<RefundRun, "last"> {
  last: string
}

const addRefund = (refunds: Array<GrowingRefund>, { refund, sequence }: FeedEvent): void => {
  if (refund === null) return
  const beginning = refund.slice(0, Math.max(0, refund.indexOf(",")))
  const known = refunds.find((each) => each.beginning === beginning)
  if (known === undefined) refunds.push({ beginning, sequence, last: refund })
  else known.last = refund
}
