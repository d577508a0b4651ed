/** The laws of the state machine over random histories: attempts, captures, cancels, refunds, reversals and closes. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isInFlight } from "../../src/domain/Attempt.ts"
import type { Attempt } from "../../src/domain/Attempt.ts"
import { flagForReview } from "../../src/domain/change.ts"
import type { Changed } from "../../src/domain/change.ts"
import { isOpen } from "../../src/domain/Operation.ts"
import type { Operation, OperationKind } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { isRefund } from "../../src/domain/Refund.ts"
import { requestOperation } from "../../src/domain/requestOperation.ts"
import type { OperationRequest } from "../../src/domain/requestOperation.ts"
import { surplusTold } from "../../src/domain/surplus.ts"
import type { LateSuccess } from "../../src/domain/surplus.ts"
import { transition } from "../../src/domain/transition.ts"
import type { EvidenceClaim } from "../../src/provider/Evidence.ts"
import { attempt, begun, claims, evidence, money, operation, step } from "./records.ts"

type Move =
  | { readonly _tag: "Told"; readonly at: number; readonly claim: EvidenceClaim | number; readonly failOver: boolean }
  | { readonly _tag: "Asked"; readonly request: OperationRequest }
  | { readonly _tag: "TakenUp"; readonly at: number }
  | { readonly _tag: "Closing" }
  | { readonly _tag: "Exhausted" }

interface World {
  readonly lateSuccess: LateSuccess
  readonly cancelIsFinal: boolean
  readonly reverses: boolean
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
      failOver: fc.boolean()
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Asked"), request }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("TakenUp"), at: fc.nat({ max: 11 }) }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "Closing" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "Exhausted" }) }
)

const world: fc.Arbitrary<World> = fc.record({
  lateSuccess: fc.constantFrom<LateSuccess>("succeed", "reverse"),
  cancelIsFinal: fc.boolean(),
  reverses: fc.boolean(),
  retries: fc.boolean()
})

/** What an engine would commit; `null`: nothing. */
const commit = (record: PaymentRecord, made: Move, here: World, n: number): Changed | null => {
  const added = (operations: ReadonlyArray<Operation>): Changed => ({
    _tag: "Changed",
    event: null,
    refund: null,
    record: { ...record, payment: { ...record.payment, version: record.payment.version + 1 }, operations }
  })
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
    case "Exhausted":
      return [...record.attempts, ...record.operations].some(({ status }) => status === "unknown")
        ? flagForReview(record, "inquiries_exhausted", n)
        : null
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
      const surplus = here.reverses ? surplusTold(record, subject, claim, here.lateSuccess) : null
      const { attemptSeq } = subject
      const result = transition(record, subject, evidence(subject.id, claim), {
        ...step,
        now: n,
        next,
        retryAt: here.retries ? n : null,
        lateSuccess: here.lateSuccess,
        cancelIsFinal: here.cancelIsFinal,
        reversal:
          surplus === null
            ? null
            : operation(`n${n}`, {
                kind: surplus.kind,
                purpose: "reversal",
                status: "planned",
                minorUnits: surplus.minorUnits,
                attemptSeq
              })
      })
      return result._tag === "Changed" ? result : null
    }
  }
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
  assert.isAtMost(payment.amountRefunded, payment.amountCaptured, "I5: at most what was captured")
  assert.strictEqual(payment.amountCaptured > 0, status === "succeeded", "I5: captured")
  assert.isAtMost(payment.amountCaptured, 100)
  for (const each of attempts) assert.isFalse(isSilent(record, each), `money of attempt ${each.seq} is nobody's`)
  for (const each of operations) {
    if (each.kind === "capture" && each.status === "succeeded") {
      assert.strictEqual(attempts[each.attemptSeq - 1]?.status, "succeeded", "a capture that was done took the money")
    }
    if (!isOpen(each) && each.status !== "authorized")
      assert.isNull(each.nextCheckAt, "nobody looks after what is over")
  }
  if (status === "failed") {
    assert.isFalse(
      attempts.some((each) => isInFlight(each.status) || (each.status === "authorized" && !each.surplus)),
      "P6: failed only when nothing may still be taken"
    )
  }
}

/** Money that is not the payment's, which nobody gives back and nobody looks at. */
const isSilent = ({ operations, payment }: PaymentRecord, { seq, status, surplus }: Attempt): boolean =>
  surplus &&
  (status === "succeeded" || status === "authorized") &&
  payment.review === null &&
  !operations.some(
    (each) => each.attemptSeq === seq && each.purpose === "reversal" && (isOpen(each) || each.status === "succeeded")
  )

describe("a payment, over every history of evidence and requests", () => {
  it("keeps I1, I4, I5, I7, I9 and I12; what is too much is given back or looked at; nothing throws", () => {
    fc.assert(
      fc.property(world, fc.array(move, { maxLength: 40 }), (here, history) => {
        let record = begun
        for (const [n, made] of history.entries()) {
          const next = commit(record, made, here, n + 1)
          if (next === null) continue
          keepsTheLaws(record, next)
          record = next.record
        }
      }),
      { numRuns: 30_000 }
    )
  })
})
