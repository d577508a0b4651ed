/** The expectations of the state machine over random histories: attempts, captures, cancels, refunds, reversals and closes. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { amount } from "../../../../test/support/amount.ts"
import { isInFlight } from "../../src/domain/Attempt.ts"
import type { Attempt } from "../../src/domain/Attempt.ts"
import {
  amountCaptured,
  amountRefunded,
  chargesOf,
  isUndecided,
  overpaid,
  overpayment,
  refundedBy,
  unexplainedRefunds
} from "../../src/domain/books/balance.ts"
import type { Changed } from "../../src/domain/transition/change.ts"
import { createOf } from "../../src/domain/Payment.ts"
import { isOpen } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { isRefund } from "../../src/domain/Refund.ts"
import { isHoldWanted } from "../../src/domain/books/reversal.ts"
import { standingReviews } from "../../src/domain/books/reviews.ts"
import { withEvents } from "../../src/domain/books/events.ts"
import { commit, history, environment } from "./histories.ts"
import type { Move, TestEnvironment } from "./histories.ts"
import { begun } from "./records.ts"

const eventOf = {
  pending: null,
  authorized: "payment.authorized",
  succeeded: "payment.succeeded",
  failed: "payment.failed",
  canceled: "payment.canceled"
} as const
const statusEvents: ReadonlySet<string | null> = new Set(Object.values(eventOf))

const passesTheChecks = (before: PaymentRecord, change: Changed): void => {
  const { event } = change
  const { events, record } = withEvents(before, change)
  const { attempts, operations, payment } = record
  const was = before.payment
  const { status } = payment.state
  assert.strictEqual(payment.version, was.version + 1, "I4: versions grow by one")
  assert.deepStrictEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => was.eventSequence + index + 1),
    "I12: no gap"
  )
  assert.strictEqual(payment.eventSequence, was.eventSequence + events.length, "I12: every event is counted")
  const own = events.flatMap(({ dispute, review, type }) => (review === null && dispute === null ? [type] : []))
  assert.deepStrictEqual(own, event === null ? [] : [event], "I9: the change's own event is written once, and first")
  assert.deepStrictEqual(
    own,
    events.slice(0, own.length).map(({ type }) => type),
    "I9: those of reviews follow"
  )
  if (status === was.state.status) assert.isFalse(event !== null && statusEvents.has(event), `I9: wrote ${event}`)
  else assert.strictEqual(event, eventOf[status], "I9: every change of status writes its event")
  if (was.state.status === "succeeded" || was.state.status === "canceled") {
    assert.strictEqual(status, was.state.status, "I4: terminal")
  }
  if (was.state.status === "failed" && status !== "failed") {
    assert.deepStrictEqual(payment.state, { status: "succeeded", late: true }, "I4: late")
  }
  const paid = attempts.filter((each) => each.status === "succeeded" && !each.isOverpayment)
  assert.isAtMost(paid.length, 1, "I1: captured once")
  assert.strictEqual(status === "succeeded", paid.length === 1, "what was captured is what the payment says")
  assert.isAtMost(attempts.filter((each) => isInFlight(each.status)).length, 1, "I7: one in flight")
  const given = operations.filter((each) => isRefund(each) && each.status === "succeeded")
  assert.strictEqual(
    payment.amountRefunded,
    given.reduce((sum, each) => sum + each.minorUnits, 0),
    "I5: refunded is the sum of refunds"
  )
  if (payment.amountRefunded > payment.amountCaptured) {
    const beyond = attempts.reduce(
      (most, each) => most + sum(chargesOf(record, each).map(({ captured }) => captured)),
      0
    )
    const isNamed = payment.reviews.some(({ reason }) => reason === "excess_refund")
    assert.isTrue(payment.amountRefunded <= beyond || isNamed, "I5: more than was captured is in review")
  }
  assert.strictEqual(payment.amountCaptured > 0, status === "succeeded", "I5: captured")
  assert.isAtMost(payment.amountCaptured, 100)
  keepsTheBooks(before, record)
  for (const each of operations) {
    if (each.kind === "capture" && each.status === "succeeded") {
      assert.strictEqual(attempts[each.attemptSeq - 1]?.status, "succeeded", "a capture that was done took the money")
    }
    if (!isOpen(each) && each.status !== "authorized" && each.nextCheckAt !== null) {
      assert.strictEqual(
        each.kind,
        "create",
        "an operation that has ended is inquired only where its attempt's money is"
      )
    }
  }
  if (status === "failed") {
    assert.isFalse(
      attempts.some((each) => isInFlight(each.status) || (each.status === "authorized" && !each.isOverpayment)),
      "P6: failed only when nothing may still be taken"
    )
  }
}

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)

/** The books only grow, the payment shows what they come to, and each excess is given back or in a review of its size. */
const keepsTheBooks = (before: PaymentRecord, record: PaymentRecord): void => {
  const { attempts, entries, operations, payment } = record
  assert.deepStrictEqual(entries.slice(0, before.entries.length), before.entries, "entries are only added")
  for (const { minorUnits } of entries) assert.isAbove(minorUnits, 0)
  assert.strictEqual(payment.amountCaptured, amountCaptured(record), "captured is the balance")
  assert.strictEqual(payment.amountRefunded, amountRefunded(record), "refunded is the balance")
  assert.deepStrictEqual(payment.reviews, standingReviews(record, payment.updatedAt), "reviews are those that stand")
  const ids = payment.reviews.map(({ id }) => id)
  assert.strictEqual(new Set(ids).size, ids.length, "each question has an id of its own")
  for (const { minorUnits, reason, reference } of payment.reviews) {
    if (reason !== "amount_mismatch") assert.isAbove(minorUnits, 0, `${reason} ${reference} names an amount`)
  }
  assert.strictEqual(
    payment.state.status === "pending" && payment.state.reason === "needs_review",
    payment.state.status === "pending" && payment.reviews.length > 0,
    "a pending payment says that it is in review"
  )
  for (const each of attempts) {
    assert.strictEqual(unattended(record, each), 0, `captured too much by attempt ${each.seq}, and not given back`)
    assert.isFalse(isHoldForgotten(record, each), `the hold of attempt ${each.seq} is forgotten`)
    assert.isFalse(isRefundHidden(record, each), `attempt ${each.seq} gave back too much, and nothing says so`)
    const reversals = operations.filter(({ attemptSeq, purpose }) => attemptSeq === each.seq && purpose === "reversal")
    const asked = sum(reversals.map(({ kind, minorUnits }) => (kind === "refund" ? minorUnits : 0)))
    const captured = sum(chargesOf(record, each).map((charge) => charge.captured))
    assert.isAtMost(asked, captured, "no more is sent back than was captured, however often that fails")
    assert.isAtMost(reversals.filter(({ kind }) => kind === "cancel").length, 1, "a hold is released once")
  }
}

const isScheduled = (record: PaymentRecord, { seq }: Attempt): boolean =>
  (createOf(record, seq)?.nextCheckAt ?? null) !== null

/** What is overpaid, less what is on its way back and what a review names. */
const unattended = (record: PaymentRecord, each: Attempt): number => {
  if (isUndecided(each) || isScheduled(record, each)) return 0
  const named = record.payment.reviews.filter(
    ({ attemptSeq, operationId, reason }) =>
      attemptSeq === each.seq &&
      operationId === null &&
      (reason === "excess_capture" || reason === "duplicate_capture" || reason === "late_success")
  )
  const left = chargesOf(record, each).map((charge) => {
    const { reversals } = charge
    const open = sum(
      reversals.filter(isOpen).map((one) => Math.max(0, one.minorUnits - refundedBy(record.entries, one)))
    )
    // A refund that no operation asked for may offset an excess that is on its way back. Once both are done, the second
    // one is a review: see `isRefundHidden`. An operation that returned more than was captured offsets nothing.
    const offset = Math.max(0, charge.returned - sum(reversals.map((one) => refundedBy(record.entries, one))))
    assert.isAtMost(open - overpaid(charge), offset, "no more is on its way back than is too much")
    return Math.max(0, overpaid(charge) - open)
  })
  return sum(left) - sum(named.map(({ minorUnits }) => minorUnits))
}

/** Given back without a request of the merchant, beyond what was too much, and in no review. */
const isRefundHidden = (record: PaymentRecord, each: Attempt): boolean => {
  const [own] = chargesOf(record, each)
  if (own === undefined || isUndecided(each)) return false
  const reversed = sum(own.reversals.map((one) => refundedBy(record.entries, one)))
  const named = record.payment.reviews.filter(
    ({ attemptSeq, reason }) => attemptSeq === each.seq && reason === "excess_refund"
  )
  const tooMuch = own.captured - own.wanted + sum(named.map(({ minorUnits }) => minorUnits))
  return reversed + unexplainedRefunds(record, each) > tooMuch
}

const isHoldForgotten = (record: PaymentRecord, each: Attempt): boolean =>
  !isHoldWanted(each) &&
  !isScheduled(record, each) &&
  chargesOf(record, each).some(({ held }) => held > 0) &&
  !record.payment.reviews.some(
    ({ attemptSeq, reason }) => attemptSeq === each.seq && reason === "late_authorization"
  ) &&
  !record.operations.some(
    (one) => one.attemptSeq === each.seq && one.kind === "cancel" && one.purpose === "reversal" && isOpen(one)
  )

/** What is derived from the books, whatever the order in which they were written. */
const booksOf = (record: PaymentRecord) => ({
  captured: amountCaptured(record),
  refunded: amountRefunded(record),
  overpayment: overpayment(record),
  charges: record.attempts.map((each) =>
    [...chargesOf(record, each)].sort((a, b) => String(a.reference).localeCompare(String(b.reference)))
  ),
  refunds: record.operations.map((each) => refundedBy(record.entries, each)),
  unexplained: record.attempts.map((each) => unexplainedRefunds(record, each))
})

/** Each create under the charge that its attempt is known by: without a name, that is the first that was reported. */
const withNames = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  operations: record.operations.map((each) => {
    const known = record.attempts.find(({ seq }) => each.kind === "create" && seq === each.attemptSeq)
    return known === undefined ? each : { ...each, reference: chargesOf(record, known)[0]?.reference ?? each.reference }
  })
})

describe("a payment, over every history of evidence and requests", () => {
  it("keeps I1, I4, I5, I7, I9 and I12; what is too much is given back or looked at; nothing throws", () => {
    fc.assert(
      fc.property(environment, history, (here, moves) => {
        let record = begun
        for (const [n, made] of moves.entries()) {
          const next = commit(record, made, here, n + 1)
          if (next === null) continue
          passesTheChecks(record, next)
          record = withEvents(record, next).record
        }
      }),
      { numRuns: amount({ part: 5_000, all: 30_000 }), seed: 7 }
    )
  }, 600_000)

  it("does not depend on the order of its entries", () => {
    fc.assert(
      fc.property(
        environment,
        history,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (here, moves, ranks) => {
          const record = withNames(ended(moves, here).record)
          const ranked = record.entries.map((entry) => ({ entry, rank: ranks.next().value }))
          const shuffled = ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
          assert.deepStrictEqual(booksOf({ ...record, entries: shuffled }), booksOf(record))
        }
      ),
      { numRuns: amount({ part: 1_000, all: 5_000 }), seed: 2026 }
    )
  })

  it("changes no amount, no status and no review where a report of money is repeated at once", () => {
    fc.assert(
      fc.property(environment, history, (here, moves) => {
        const { record, repeated } = ended(moves, here, true)
        assert.deepStrictEqual(shown(repeated), shown(record))
      }),
      { numRuns: amount({ part: 2_000, all: 10_000 }), seed: 2026 }
    )
  })
})

const shown = ({ entries, payment }: PaymentRecord) => ({
  entries,
  state: payment.state,
  amounts: [payment.amountCaptured, payment.amountRefunded, payment.amountReceived],
  reviews: payment.reviews
})

/** The end of a history; `repeated`: with its last report that changed something applied once more. */
const ended = (moves: ReadonlyArray<Move>, here: TestEnvironment, repeats = false) => {
  let record = begun
  let repeated = begun
  for (const [n, made] of moves.entries()) {
    const next = commit(record, made, here, n + 1)
    if (next === null) continue
    const count = record.operations.length
    record = next.record
    repeated = record
    if (!repeats || made._tag !== "Reported") continue
    const same = { ...made, at: made.at % count, failOver: false }
    repeated = commit(record, same, here, n + 1)?.record ?? record
  }
  return { record, repeated }
}
