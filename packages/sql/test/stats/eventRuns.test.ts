/** Events of one payment that follow each other are counted as one change. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeDeltaSums } from "../../src/stats/Deltas.ts"
import type { FeedEvent } from "../../src/stats/EventFeed.ts"
import { addRun, runsOf } from "../../src/stats/eventRuns.ts"
import type { EventRun, Former } from "../../src/stats/eventRuns.ts"
import { paymentFacts, refundFacts } from "../../src/stats/facts.ts"
import { history, start, succeededEvent } from "./History.ts"
import type { HistoryEvent } from "./History.ts"

const feedOf = (events: ReadonlyArray<HistoryEvent>): ReadonlyArray<FeedEvent> =>
  events.map(({ payment, refund, sequence, tenant }, index) => ({
    ...tenant,
    position: index + 1,
    paymentId: payment.id,
    sequence,
    payment: JSON.stringify(payment),
    refund: refund === null ? null : JSON.stringify(refund)
  }))

/** What the database has before the run. */
const formerIn = (all: ReadonlyArray<FeedEvent>, { first, refunds }: EventRun): Former => {
  const before = all.filter(({ paymentId, sequence }) => paymentId === first.paymentId && sequence < first.sequence)
  const refundOf = (beginning: string) => before.findLast(({ refund }) => refund?.startsWith(beginning))?.refund ?? null
  return new Map([
    [null, before.at(-1)?.payment ?? null],
    ...refunds.map(({ beginning }) => [beginning, refundOf(beginning)] as const)
  ])
}

const sortedDeltas = (add: (sums: ReturnType<typeof makeDeltaSums>) => void) => {
  const sums = makeDeltaSums(0)
  add(sums)
  const { counts, durations } = sums.deltas()
  // What was added and subtracted again leaves empty buckets at the end.
  const trimmed = durations.map((each) => ({ ...each, buckets: each.buckets.slice(0, lastUsed(each.buckets) + 1) }))
  return [...counts, ...trimmed].map((row) => JSON.stringify(row)).toSorted()
}

const lastUsed = (buckets: ReadonlyArray<number>) => buckets.findLastIndex((count) => count !== 0)

/** The latest state of each payment and each refund. */
const recount = (all: ReadonlyArray<FeedEvent>) =>
  sortedDeltas((sums) => {
    const payments = new Map(all.map((event) => [event.paymentId, event]))
    const refunds = new Map(all.flatMap((event) => (event.refund === null ? [] : [[idOf(event.refund), event]])))
    for (const event of payments.values()) sums.add(event.account, event.livemode, paymentFacts(event.payment), 1)
    for (const { account, livemode, payment, refund } of refunds.values())
      sums.add(account, livemode, refundFacts(refund, paymentFacts(payment)), 1)
  })

const idOf = (refund: string): string => {
  const { id }: { readonly id: string } = JSON.parse(refund)
  return id
}

describe("runs of events", () => {
  it("leave the sums equal to a count of the latest events, however the history is cut", () => {
    fc.assert(
      fc.property(history("run"), fc.array(fc.nat(60), { maxLength: 6 }), (events, cuts) => {
        const all = feedOf(events)
        const ends = [...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length]
        const counted = sortedDeltas((sums) => {
          for (const [index, end] of ends.entries())
            for (const run of runsOf(all.slice(ends[index - 1] ?? 0, end))) addRun(sums, run, formerIn(all, run))
        })
        assert.deepStrictEqual(counted, recount(all))
      })
    )
  })

  it("end where the number of an event is not the next one", () => {
    const event = (sequence: number) => ({ ...succeededEvent({ account: "one", livemode: true }, 1), sequence })
    const runs = runsOf(feedOf([event(1), event(2), event(4), event(5), event(3)]))
    assert.deepStrictEqual(
      runs.map(({ first, last }) => [first.sequence, last.sequence]),
      [
        [1, 2],
        [4, 5],
        [3, 3]
      ]
    )
  })

  it("read no event between the first and the last", () => {
    const { payment, tenant } = succeededEvent({ account: "one", livemode: true }, 1)
    const between = { ...payment, created_at: new Date(start).toISOString(), currency: "XXX" }
    const events = [payment, between, payment].map((each, index) => ({
      tenant,
      sequence: index + 2,
      payment: each,
      refund: null
    }))
    const changed = sortedDeltas((sums) => {
      // The event before is deleted: the first of the run takes its place.
      for (const run of runsOf(feedOf(events))) addRun(sums, run, new Map([[null, null]]))
    })
    assert.deepStrictEqual(changed, [])
  })
})
