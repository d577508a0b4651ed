/** The laws of the state machine over random histories: attempts, captures, cancels, refunds, reversals and closes. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
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
  reversalsOf,
  unexplainedRefunds
} from "../../src/domain/balance.ts"
import { changed, derived, replace } from "../../src/domain/change.ts"
import type { Changed } from "../../src/domain/change.ts"
import { createOf } from "../../src/domain/openOperations.ts"
import { isOpen } from "../../src/domain/Operation.ts"
import type { Operation, OperationKind } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { isRefund } from "../../src/domain/Refund.ts"
import { requestOperation } from "../../src/domain/requestOperation.ts"
import type { OperationRequest } from "../../src/domain/requestOperation.ts"
import { dueReversals, isHoldWanted, isUnconfirmed } from "../../src/domain/reversal.ts"
import { questioned, standingReviews } from "../../src/domain/reviews.ts"
import type { LateSuccess } from "../../src/domain/surplus.ts"
import { transition } from "../../src/domain/transition.ts"
import type { EvidenceClaim, EvidenceSource } from "../../src/provider/Evidence.ts"
import { attempt, begun, claims, evidence, money, operation, step } from "./records.ts"

type Move =
  | {
      readonly _tag: "Told"
      readonly at: number
      readonly claim: EvidenceClaim | number
      readonly failOver: boolean
      readonly source: EvidenceSource
      readonly reference: string | null
    }
  | { readonly _tag: "Asked"; readonly request: OperationRequest }
  | { readonly _tag: "TakenUp"; readonly at: number }
  | { readonly _tag: "Closing" }
  | { readonly _tag: "Exhausted" }
  | { readonly _tag: "LookEnded" }

interface World {
  readonly lateSuccess: LateSuccess
  readonly cancelIsFinal: boolean
  readonly reverses: boolean
  readonly inquires: boolean
  readonly retries: boolean
}

/** What a provider is likely to tell of an operation: histories of these reach further. */
const likely: { readonly [kind in OperationKind]: ReadonlyArray<EvidenceClaim> } = {
  create: [claims.succeeded, claims.authorized, claims.declined, claims.pending, claims.unknown, claims.notExecuted],
  capture: [claims.succeeded, claims.captured, claims.unknown, claims.declined, claims.notExecuted],
  cancel: [claims.succeeded, claims.canceled, claims.unknown, claims.declined, claims.notExecuted],
  refund: [claims.succeeded, claims.refundSucceeded, claims.refundFailed, claims.unknown, claims.notExecuted]
}

/** A number stands for a likely claim. */
const told: fc.Arbitrary<EvidenceClaim | number> = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 5 }) },
  fc.constantFrom<EvidenceClaim>(...Object.values(claims)),
  fc.record({
    kind: fc.constantFrom("succeeded", "captured", "authorized", "refund_succeeded"),
    amount: fc.constantFrom(money(100), money(60), money(30), money(5), money(100, "USD"))
  }),
  fc.constantFrom<EvidenceClaim>(claims.succeeded, claims.authorized, claims.canceled, {
    kind: "pending",
    nextAction: { type: "wait", expiresAt: 500 },
    awaitingFinality: false
  })
)

const request: fc.Arbitrary<OperationRequest> = fc.oneof(
  fc.record({ kind: fc.constant("capture"), minorUnits: fc.constantFrom(null, 60, 100) }),
  fc.constant<OperationRequest>({ kind: "cancel" }),
  fc.record({ kind: fc.constant("refund"), minorUnits: fc.constantFrom(null, 30, 60), reason: fc.constant(null) })
)

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Told"),
      at: fc.nat({ max: 11 }),
      claim: told,
      failOver: fc.boolean(),
      source: fc.constantFrom<EvidenceSource>("webhook", "reply", "inquiry", "observed"),
      // A charge and a movement may be reported under a name, another one, or none.
      reference: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom("a", "b", "c"))
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Asked"), request }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("TakenUp"), at: fc.nat({ max: 11 }) }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "Closing" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "Exhausted" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "LookEnded" }) }
)

const world: fc.Arbitrary<World> = fc.record({
  lateSuccess: fc.constantFrom<LateSuccess>("succeed", "reverse"),
  cancelIsFinal: fc.boolean(),
  reverses: fc.boolean(),
  inquires: fc.boolean(),
  retries: fc.boolean()
})

/** What an engine would commit; `null`: nothing. */
const commit = (record: PaymentRecord, made: Move, here: World, n: number): Changed | null => {
  const added = (operations: ReadonlyArray<Operation>): Changed => changed({ ...record, operations }, n, {}, null)
  switch (made._tag) {
    case "Asked": {
      const verdict = requestOperation(record, made.request, () => ({ supported: true, partial: true }))
      if (verdict._tag !== "Allowed") return null
      const { kind } = made.request
      const { seq } = verdict.attempt
      return added([
        ...record.operations,
        operation(`n${n}`, { kind, attemptSeq: seq, minorUnits: verdict.minorUnits })
      ])
    }
    case "TakenUp": {
      const planned = record.operations[made.at]
      if (planned?.status !== "planned") return null
      return added(record.operations.map((each) => (each === planned ? { ...each, status: "sending" } : each)))
    }
    case "Closing": {
      const open = record.attempts.find(({ status }) => status === "pending")
      const closing = record.operations.some(({ purpose }) => purpose === "expiry")
      if (open === undefined || closing || record.payment.state.status !== "pending") return null
      const over = { kind: "cancel", purpose: "expiry", status: "planned", attemptSeq: open.seq } as const
      return added([...record.operations, operation(`n${n}`, over)])
    }
    case "Exhausted": {
      const lost = record.operations.find(({ status }) => status === "unknown")
      if (lost === undefined) return null
      const given = replace(record, { operations: [{ ...lost, nextCheckAt: null }] })
      const asked = questioned(given, "inquiries_exhausted", lost, n)
      return asked === given ? null : changed(asked, n, {}, null)
    }
    case "LookEnded": {
      const looked = record.operations.filter((each) => !isOpen(each) && each.nextCheckAt !== null)
      const over = looked.map((each) => ({ ...each, nextCheckAt: null }))
      return looked.length === 0 ? null : changed(replace(record, { operations: over }), n, {}, null)
    }
    case "Told": {
      const subject = record.operations[made.at % record.operations.length]
      if (subject === undefined) throw new Error("no operation")
      const seq = record.attempts.length + 1
      const next =
        made.failOver && seq <= 3 && record.payment.state.status === "pending"
          ? { attempt: attempt(seq), operation: operation(seq) }
          : null
      const ofKind = likely[subject.kind]
      const claim = typeof made.claim === "number" ? (ofKind[made.claim % ofKind.length] ?? claims.unknown) : made.claim
      const { reference, source } = made
      const result = transition(
        record,
        subject,
        { ...evidence(subject.id, claim, source), reference },
        {
          ...step,
          now: n,
          next,
          retryAt: here.retries ? n : null,
          lateSuccess: here.lateSuccess,
          cancelIsFinal: here.cancelIsFinal
        }
      )
      return result._tag === "Changed" ? followed(result, here, n) : null
    }
  }
}

/** What the engine adds to a change: the reversals that are due, and inquiries about what is not confirmed. */
const followed = (change: Changed, here: World, n: number): Changed => {
  const due = here.reverses ? dueReversals(change.record) : []
  const reversals = due.map(({ attempt, kind, minorUnits }, place) =>
    operation(`n${n}_${place}`, { kind, purpose: "reversal", status: "planned", minorUnits, attemptSeq: attempt.seq })
  )
  const planned = { ...change.record, operations: [...change.record.operations, ...reversals] }
  const unconfirmed = here.inquires ? planned.attempts.filter((each) => isUnconfirmed(planned, each)) : []
  const asked = unconfirmed.flatMap(({ seq }) => {
    const create = createOf(planned, seq)
    return create === undefined || isOpen(create) || create.nextCheckAt !== null ? [] : [{ ...create, nextCheckAt: n }]
  })
  return { ...change, record: derived(replace(planned, { operations: asked }), n) }
}

const eventOf = {
  pending: null,
  authorized: "payment.authorized",
  succeeded: "payment.succeeded",
  failed: "payment.failed",
  canceled: "payment.canceled"
} as const
const statusEvents: ReadonlySet<string | null> = new Set(Object.values(eventOf))

const keepsTheLaws = (before: PaymentRecord, { event, record }: Changed): void => {
  const { attempts, operations, payment } = record
  const was = before.payment
  const { status } = payment.state
  assert.strictEqual(payment.version, was.version + 1, "I4: versions grow by one")
  assert.strictEqual(payment.eventSequence - was.eventSequence, event === null ? 0 : 1, "I12: no gap")
  if (status === was.state.status) assert.isFalse(event !== null && statusEvents.has(event), `I9: told ${event}`)
  else assert.strictEqual(event, eventOf[status], "I9: every change of status tells its event")
  if (was.state.status === "succeeded" || was.state.status === "canceled") {
    assert.strictEqual(status, was.state.status, "I4: terminal")
  }
  if (was.state.status === "failed" && status !== "failed") {
    assert.deepStrictEqual(payment.state, { status: "succeeded", late: true }, "I4: late")
  }
  const own = attempts.filter((each) => each.status === "succeeded" && !each.surplus)
  assert.isAtMost(own.length, 1, "I1: captured once")
  assert.strictEqual(status === "succeeded", own.length === 1, "what was captured is what the payment says")
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
      attempts.some((each) => isInFlight(each.status) || (each.status === "authorized" && !each.surplus)),
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
    assert.isAtMost(reversals.filter(({ kind }) => kind === "cancel").length, 1, "a hold is let go once")
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
  const [own, ...others] = chargesOf(record, each)
  if (own === undefined) return 0
  const reversals = reversalsOf(record, each, "refund")
  const open = sum(reversals.filter(isOpen).map((one) => Math.max(0, one.minorUnits - refundedBy(record.entries, one))))
  // A refund that no operation asked for may offset an excess that is on its way back. Once both are done, the second
  // one is a review: see `isRefundHidden`.
  const offset = own.returned - sum(reversals.map((one) => refundedBy(record.entries, one)))
  assert.isAtMost(open - overpaid(own), offset, "no more is on its way back than is too much")
  const left = Math.max(0, overpaid(own) - open) + sum(others.map(overpaid))
  return left - sum(named.map(({ minorUnits }) => minorUnits))
}

/** Given back without a request of the merchant, beyond what was too much, and in no review. */
const isRefundHidden = (record: PaymentRecord, each: Attempt): boolean => {
  const [own] = chargesOf(record, each)
  if (own === undefined || isUndecided(each)) return false
  const reversed = sum(reversalsOf(record, each, "refund").map((one) => refundedBy(record.entries, one)))
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

const history = fc.array(move, { maxLength: 40 })

describe("a payment, over every history of evidence and requests", () => {
  it("keeps I1, I4, I5, I7, I9 and I12; what is too much is given back or looked at; nothing throws", () => {
    fc.assert(
      fc.property(world, history, (here, moves) => {
        let record = begun
        for (const [n, made] of moves.entries()) {
          const next = commit(record, made, here, n + 1)
          if (next === null) continue
          keepsTheLaws(record, next)
          record = next.record
        }
      }),
      { numRuns: 30_000, seed: 7 }
    )
  }, 180_000)

  it("comes to the same in whatever order its entries stand", () => {
    fc.assert(
      fc.property(
        world,
        history,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (here, moves, ranks) => {
          const record = withNames(ended(moves, here).record)
          const ranked = record.entries.map((entry) => ({ entry, rank: ranks.next().value }))
          const shuffled = ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
          assert.deepStrictEqual(booksOf({ ...record, entries: shuffled }), booksOf(record))
        }
      ),
      { numRuns: 5000, seed: 2026 }
    )
  }, 60_000)

  it("changes no amount, no status and no review where a report of money is repeated at once", () => {
    fc.assert(
      fc.property(world, history, (here, moves) => {
        const { record, repeated } = ended(moves, here, true)
        assert.deepStrictEqual(shown(repeated), shown(record))
      }),
      { numRuns: 10_000, seed: 2026 }
    )
  }, 120_000)
})

const shown = ({ entries, payment }: PaymentRecord) => ({
  entries,
  state: payment.state,
  amounts: [payment.amountCaptured, payment.amountRefunded, payment.amountReceived],
  reviews: payment.reviews
})

/** The end of a history; `repeated`: with its last report that changed something applied once more. */
const ended = (moves: ReadonlyArray<Move>, here: World, repeats = false) => {
  let record = begun
  let repeated = begun
  for (const [n, made] of moves.entries()) {
    const next = commit(record, made, here, n + 1)
    if (next === null) continue
    const count = record.operations.length
    record = next.record
    repeated = record
    if (!repeats || made._tag !== "Told") continue
    const same = { ...made, at: made.at % count, failOver: false }
    repeated = commit(record, same, here, n + 1)?.record ?? record
  }
  return { record, repeated }
}
