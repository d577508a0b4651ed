/** The events about reviews: over every history they give the reviews that the payment shows. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { changed as change } from "../../src/domain/transition/change.ts"
import type { Changed } from "../../src/domain/transition/change.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/books/resolve.ts"
import { resolutions } from "../../src/domain/Review.ts"
import type { Resolution, Review } from "../../src/domain/Review.ts"
import { reviewEvents, withEvents } from "../../src/domain/books/events.ts"
import type { ReviewEvent } from "../../src/domain/books/events.ts"
import { commit, move, environment } from "./histories.ts"
import {
  after,
  answer,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  failed,
  held,
  inReview,
  money,
  operation,
  paid,
  reviewOf,
  taken
} from "./records.ts"

interface Answered {
  readonly _tag: "Answered"
  readonly at: number
  readonly resolution: Resolution
}

const answered: fc.Arbitrary<Answered> = fc.record({
  _tag: fc.constant("Answered"),
  at: fc.nat({ max: 3 }),
  resolution: fc.constantFrom(...resolutions)
})
const moves = fc.array(fc.oneof({ weight: 3, arbitrary: move }, { weight: 1, arbitrary: answered }), { maxLength: 40 })

/** What a receiver keeps: the reviews that are open, by their ids. */
type Open = ReadonlyMap<string, Review>

const received = (open: Open, event: ReviewEvent): Open => {
  const { review, type } = event
  if (type === "payment.review_opened") return new Map(open).set(review.id, review)
  assert.deepStrictEqual(open.get(review.id), review, "what is resolved is what was opened last")
  return new Map([...open].filter(([id]) => id !== review.id))
}

const byId = (reviews: Iterable<Review>): ReadonlyArray<Review> =>
  [...reviews].toSorted((one, other) => (one.id < other.id ? -1 : 1))

const eventsOf = (before: PaymentRecord, { record }: Changed): ReadonlyArray<ReviewEvent> =>
  reviewEvents(before, record)

describe("the events about reviews", () => {
  it("applied one after the other, are the reviews of the payment at every step", () => {
    const counts = { opened: 0, again: 0, answered: 0, settled: 0 }
    fc.assert(
      fc.property(environment, moves, (here, history) => {
        let record = begun
        let open: Open = new Map()
        for (const [n, made] of history.entries()) {
          const review = made._tag === "Answered" ? record.payment.reviews[made.at] : undefined
          const next =
            made._tag !== "Answered"
              ? commit(record, made, here, n + 1)
              : review === undefined
                ? null
                : (resolve(record, review, made, { now: n + 1, lateSuccess: "succeed" })?.change ?? null)
          if (next === null) continue
          const { events, record: counted } = withEvents(record, next)
          for (const { review: about } of events) {
            if (about === null) continue
            if (about.type === "payment.review_resolved") {
              const isAnswer = made._tag === "Answered" && about.review.id === review?.id
              assert.strictEqual(about.resolution, isAnswer ? made.resolution : null)
              counts[isAnswer ? "answered" : "settled"]++
            } else counts[open.has(about.review.id) ? "again" : "opened"]++
            open = received(open, about)
          }
          assert.deepStrictEqual(byId(open.values()), byId(counted.payment.reviews))
          const again = withEvents(record, next)
          assert.deepStrictEqual([again.events, again.record], [events, counted], "the same change, the same events")
          assert.deepStrictEqual(reviewEvents(counted, counted), [])
          record = counted
        }
      }),
      { numRuns: 10_000, seed: 7 }
    )
    for (const [what, count] of Object.entries(counts)) assert.isAbove(count, 50, what)
  })

  const next = { attempt: attempt(2), operation: operation(2) }
  const twice = after(begun, [1, claims.declined, { next }], [2, claims.succeeded], [1, claims.succeeded])
  const late = after(failed, [1, claims.succeeded, { lateSuccess: "reverse" }])
  const hold = after(failed, [1, claims.authorized])
  const mismatch = after(after(begun, [1, claims.pending]), [1, { _tag: "Succeeded", amount: money(99) }])

  it("name the operator's answer, of a question as of money that was too much", () => {
    const table = [
      [mismatch, "amount_mismatch", "succeeded"],
      [mismatch, "amount_mismatch", "given_back"],
      [twice, "duplicate_capture", "given_back"],
      [twice, "duplicate_capture", "not_done"],
      [late, "late_success", "given_back"],
      [late, "late_success", "not_done"],
      [hold, "late_authorization", "given_back"],
      [hold, "late_authorization", "not_done"],
      [inReview(paid, "capture_failed", 1), "capture_failed", "dismissed"]
    ] as const
    for (const [record, reason, resolution] of table) {
      const review = reviewOf(record, reason)
      assert.deepStrictEqual(
        eventsOf(record, changed(answer(record, reason, resolution))),
        [{ type: "payment.review_resolved", review, resolution }],
        `${reason} ${resolution}`
      )
    }
  })

  it("name no answer where later reports have settled it", () => {
    const review = reviewOf(mismatch, "amount_mismatch")
    assert.deepStrictEqual(eventsOf(mismatch, changed(apply(mismatch, 1, claims.succeeded, { source: "inquiry" }))), [
      { type: "payment.review_resolved", review, resolution: null }
    ])
  })

  it("follow the event of the status, in one change", () => {
    const change = changed(answer(mismatch, "amount_mismatch", "succeeded"))
    const { events, record } = withEvents(mismatch, change)
    assert.deepStrictEqual(
      events.map(({ sequence, type }) => [sequence, type]),
      [
        [1, "payment.succeeded"],
        [2, "payment.review_resolved"]
      ]
    )
    assert.strictEqual(record.payment.eventSequence, 2)
  })

  it("open a review again under its id where its amount changes", () => {
    const capturing = asked(held, "c", { kind: "capture", minorUnits: 60 })
    const over = after(capturing, ["c", taken(80)])
    const more = changed(apply(over, "c", taken(90)))
    const [before, now] = [reviewOf(over, "excess_capture"), reviewOf(more.record, "excess_capture")]
    assert.deepStrictEqual([before.minorUnits, now.minorUnits], [20, 30])
    assert.deepStrictEqual([now.id, now.since], [before.id, before.since])
    assert.deepStrictEqual(eventsOf(over, more), [{ type: "payment.review_opened", review: now }])
  })

  it("are none of a change that leaves the reviews as they are", () => {
    assert.deepStrictEqual(withEvents(twice, change(twice, 5_000, {}, null)).events, [])
  })
})
