import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isInFlight } from "../../../src/domain/Attempt.ts"
import { failure } from "../../../src/domain/Decline.ts"
import type { OperationId } from "../../../src/domain/Ids.ts"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import { announcePending } from "../../../src/domain/transition/change.ts"
import type { Transition } from "../../../src/domain/transition/change.ts"
import type { Step } from "../../../src/domain/Step.ts"
import { transition } from "../../../src/domain/transition/transition.ts"
import { withEvents } from "../../../src/domain/books/events.ts"
import type { Evidence } from "../../../src/domain/Evidence.ts"
import type { Outcome } from "../../../src/domain/Outcome.ts"
import { attempt, begun, money, operation, reasons, reviewOf } from "../records.ts"

const evidence = (outcome: Outcome): Evidence => ({
  source: "webhook",
  about: { operation: "op_1" as OperationId },
  outcome,

  eventId: null,
  occurredAt: null
})

const step: Step = {
  now: 1000,
  next: null,
  failure: failure("provider_unavailable", true),
  nextCheckAt: 11_000,
  retryAt: 61_000,
  lateSuccess: "succeed",
  cancelIsFinal: false,
  reports: "movement",
  canInquire: false
}

const apply = (record: PaymentRecord, outcome: Outcome, seq = 1, over: Partial<Step> = {}): Transition => {
  const subject = record.operations[seq - 1]
  if (subject === undefined) throw new Error("no such operation")
  return transition(record, subject, evidence(outcome), { ...step, ...over })
}

const changed = (result: Transition): PaymentRecord => {
  if (result._tag !== "Changed") throw new Error(`unchanged: ${result.because}`)
  return result.record
}

const succeeded: Outcome = { _tag: "Succeeded" }
const declined: Outcome = { _tag: "Declined", code: "do_not_honor", retry: "same_later" }
const notExecuted: Outcome = { _tag: "NotExecuted", reason: "not_sent" }
const unknown: Outcome = { _tag: "Unknown", reason: "timeout" }
const pending: Outcome = { _tag: "Pending" }

describe("transition", () => {
  it("the coin and the chain that the provider chose stay with the payment when it is paid", () => {
    const transfer = {
      type: "stablecoin_transfer",
      address: "0x1",
      uri: "ethereum:0x1",
      amount: "1",
      expiresAt: null,
      asset: "USDC",
      network: "base"
    } as const
    const asked = (method: PaymentRecord["payment"]["method"]) => {
      const record = { ...begun, payment: { ...begun.payment, method } }
      const shown = changed(apply(record, { ...pending, nextAction: transfer }))
      return changed(apply(shown, succeeded)).payment.method
    }
    const usdc = { rail: "stablecoin", asset: "USDC", network: "base" } as const
    assert.deepStrictEqual(asked({ ...usdc, asset: null, network: null }), usdc)
    assert.deepStrictEqual(asked({ ...usdc, network: null }), usdc)
    // What was asked for is not replaced by what an adapter says.
    assert.deepStrictEqual(asked({ ...usdc, asset: "EURC" }), { ...usdc, asset: "EURC" })
    assert.deepStrictEqual(asked(begun.payment.method), begun.payment.method)
  })

  it("what the chain shows so far stays with the payment until it shows something else", () => {
    const onChain: PaymentRecord = {
      ...begun,
      payment: { ...begun.payment, method: { rail: "stablecoin", asset: null, network: null } }
    }
    const detected = (record: PaymentRecord) =>
      record.payment.state.status === "pending" ? record.payment.state.detected : null
    const part = changed(apply(onChain, { _tag: "Detected", amount: money(40) }))
    assert.strictEqual(detected(part), 40)
    const more = changed(apply(part, { _tag: "Detected", amount: money(100) }))
    assert.strictEqual(detected(more), 100)
    // An inquiry that names no amount, and one that finds nothing out.
    assert.strictEqual(apply(more, { ...pending, awaitingFinality: true })._tag, "Unchanged")
    assert.strictEqual(apply(more, unknown)._tag, "Unchanged")
    for (const gone of [{ _tag: "Retracted" }, pending, { _tag: "Detected", asset: "0xother" }] as const) {
      assert.isUndefined(detected(changed(apply(more, gone))), gone._tag)
    }
  })

  it("captured money ends the attempt, the operation and the payment, and writes one event", () => {
    const result = apply(begun, succeeded)
    if (result._tag === "Unchanged") throw new Error("unchanged")
    const { events, record } = withEvents(begun, result)
    assert.strictEqual(record.payment.state.status, "succeeded")
    assert.strictEqual(record.payment.amountCaptured, 100)
    assert.strictEqual(record.payment.version, 2)
    assert.strictEqual(record.payment.eventSequence, 1)
    assert.deepStrictEqual(events, [
      { type: "payment.succeeded", sequence: 1, refund: null, review: null, dispute: null }
    ])
    assert.strictEqual(record.attempts[0]?.status, "succeeded")
    assert.strictEqual(record.operations[0]?.nextCheckAt, null)
  })

  it("an unknown outcome keeps the payment pending and never fails it", () => {
    const record = changed(apply(begun, unknown))
    assert.deepStrictEqual(record.payment.state, { status: "pending", reason: "outcome_unknown", nextAction: null })
    assert.isTrue(record.operations[0]?.unsettled)
    assert.strictEqual(record.operations[0]?.nextCheckAt, 11_000)
  })

  it("what is known to be pending does not become unknown because an inquiry failed", () => {
    const record = changed(apply(begun, pending))
    assert.strictEqual(apply(record, unknown)._tag, "Unchanged")
  })

  it("the next attempt starts in the commit that closes the one before, and only then", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const record = changed(apply(begun, notExecuted, 1, { next }))
    assert.deepStrictEqual(
      record.attempts.map((each) => each.status),
      ["not_executed", "sending"]
    )
    assert.strictEqual(record.payment.state.status, "pending")
    assert.strictEqual(record.payment.provider, "p2")
    const held = changed(apply(begun, unknown, 1, { next }))
    assert.strictEqual(held.attempts.length, 1)
  })

  it("a payment that was declined fails by that, also where the next candidate did nothing", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const soft: Outcome = { _tag: "Declined", code: "processing_error", retry: "other_provider" }
    for (const failed of [failure("provider_unavailable", true), failure("request_rejected", false)]) {
      const asked = changed(apply(begun, soft, 1, { next }))
      const { attempts, payment } = changed(apply(asked, notExecuted, 2, { failure: failed }))
      assert.deepStrictEqual(payment.state, { status: "failed", failure: failure("processing_error", true) })
      assert.deepStrictEqual(
        attempts.map(({ code }) => code),
        ["processing_error", failed.code]
      )
    }
    // No provider declined, so no provider was reached.
    const unreached = changed(apply(changed(apply(begun, notExecuted, 1, { next })), notExecuted, 2))
    assert.deepStrictEqual(unreached.payment.state, {
      status: "failed",
      failure: failure("provider_unavailable", true)
    })
  })

  it("another amount or currency than asked is no success but a review (I13)", () => {
    for (const amount of [money(99), money(101), money(100, "USD")]) {
      const record = changed(apply(begun, { _tag: "Succeeded", amount }))
      assert.strictEqual(record.payment.state.status, "pending")
      assert.deepStrictEqual(reasons(record), ["amount_mismatch"])
      assert.deepInclude(reviewOf(record, "amount_mismatch"), { ...amount, provider: "p1" })
      assert.deepInclude(record.entries[0], { kind: "captured", ...amount }, "the books have it")
      assert.strictEqual(record.payment.amountCaptured, 0)
      assert.isTrue(isInFlight(record.attempts[0]?.status ?? "succeeded"))
    }
  })

  it("money of another amount is not closed by any report: only the requested amount settles it", () => {
    const held = changed(apply(begun, { _tag: "Succeeded", amount: money(99) }))
    for (const claim of [declined, notExecuted, { _tag: "Expired" } as const, { _tag: "Canceled" } as const]) {
      assert.strictEqual(apply(held, claim)._tag, "Unchanged")
    }
    assert.strictEqual(
      changed(apply(held, { _tag: "Succeeded", amount: money(100) })).payment.state.status,
      "succeeded"
    )
  })

  it("an operator is shown all that came so far, also where it comes in parts", () => {
    const reported = (minorUnits: number): Outcome => ({ _tag: "Succeeded", amount: money(minorUnits) })
    const other = changed(apply(begun, reported(0)))
    const some = changed(apply(other, reported(20)))
    assert.deepStrictEqual(
      [other, some].map(({ payment }) => payment.amountReceived),
      [0, 20]
    )
    assert.deepStrictEqual(reasons(some), ["amount_mismatch"])
    assert.strictEqual(reviewOf(some, "amount_mismatch").minorUnits, 20)
    for (const again of [20, 0]) assert.strictEqual(apply(some, reported(again))._tag, "Unchanged")
  })

  it("late success (a): the payment is open through another attempt → it succeeds", () => {
    const second = { attempt: attempt(2), operation: operation(2) }
    const open = changed(apply(begun, notExecuted, 1, { next: second }))
    const record = changed(apply(open, succeeded, 1))
    assert.deepStrictEqual(record.payment.state, { status: "succeeded", late: false })
    assert.isTrue(record.attempts[0]?.late)
  })

  it("late success (b): another attempt has succeeded → duplicate_capture, the payment is unchanged", () => {
    const second = { attempt: attempt(2), operation: operation(2) }
    const open = changed(apply(begun, notExecuted, 1, { next: second }))
    const paid = changed(apply(open, succeeded, 2))
    const result = apply(paid, succeeded, 1)
    const record = changed(result)
    assert.deepStrictEqual(reasons(record), ["duplicate_capture"])
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { attemptSeq: 1, provider: "p1", minorUnits: 100 })
    assert.strictEqual(record.payment.amountCaptured, 100)
    assert.strictEqual(result._tag === "Changed" && result.event, null)
  })

  it("late success (c): the payment has failed → it succeeds, late", () => {
    const failed = changed(apply(begun, declined))
    const result = apply(failed, succeeded)
    assert.deepStrictEqual(changed(result).payment.state, { status: "succeeded", late: true })
    assert.strictEqual(result._tag === "Changed" && result.event, "payment.succeeded")
  })

  it("succeeded then pending, declined or unknown: ignored", () => {
    const paid = changed(apply(begun, succeeded))
    for (const outcome of [pending, declined, unknown, notExecuted, succeeded]) {
      assert.strictEqual(apply(paid, outcome)._tag, "Unchanged")
    }
  })

  it("no other candidate starts once the merchant wants to cancel, whatever closes the attempt", () => {
    const cancel = operation("cancel", { kind: "cancel", attemptSeq: 1 })
    const canceling = { ...begun, operations: [...begun.operations, cancel] }
    const next = { attempt: attempt(2), operation: operation(2) }
    for (const outcome of [declined, notExecuted]) {
      const record = changed(apply(canceling, outcome, 1, { next }))
      assert.deepStrictEqual(record.payment.state, { status: "canceled" })
      assert.strictEqual(record.attempts.length, 1)
      assert.isFalse(record.operations.some(({ id }) => id === next.operation.id))
    }
  })

  it("an old report of a hold does not restore a hold that was released", () => {
    const held = changed(apply(begun, { _tag: "Authorized" }))
    const released = changed(apply(held, { _tag: "Canceled" }))
    assert.strictEqual(apply(released, { _tag: "Authorized" })._tag, "Unchanged")
  })

  it("payment.pending is written once", () => {
    const reported = changed(announcePending(begun, 10_000) ?? { _tag: "Unchanged", because: "duplicate" })
    assert.strictEqual(announcePending(reported, 10_001), null)
    const result = apply(reported, pending)
    assert.strictEqual(result._tag === "Changed" && result.event, null)
  })
})

const claims: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom<Outcome>(
    succeeded,
    declined,
    notExecuted,
    unknown,
    pending,
    { _tag: "Authorized" },
    { _tag: "Succeeded", amount: money(5) },
    { _tag: "Expired" },
    { _tag: "Canceled" },
    { _tag: "Detected" },
    { _tag: "Retracted" },
    { _tag: "RefundFailed" },
    { _tag: "Disputed" },
    { _tag: "Pending", nextAction: { type: "wait", expiresAt: null } }
  )
)

describe("transition, over every history", () => {
  it("versions grow by one, events have no gap, money is taken at most once and never untaken (I1, I4, I9, I12)", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(claims, fc.integer({ min: 1, max: 3 }), fc.boolean()), { maxLength: 30 }),
        (history) => {
          let record = begun
          for (const [outcome, seq, tryNext] of history) {
            const subject = record.operations[Math.min(seq, record.operations.length) - 1]
            if (subject === undefined) throw new Error("no operation")
            const n = record.attempts.length + 1
            const next = tryNext && n <= 3 ? { attempt: attempt(n), operation: operation(n) } : null
            const result = transition(record, subject, evidence(outcome), { ...step, next })
            if (result._tag === "Unchanged") continue
            const before = record.payment
            const { events, record: counted } = withEvents(record, result)
            const after = counted.payment
            assert.strictEqual(after.version, before.version + 1)
            assert.strictEqual(after.eventSequence, before.eventSequence + events.length)
            for (const [index, { sequence }] of events.entries()) {
              assert.strictEqual(sequence, before.eventSequence + index + 1)
            }
            const own = events.filter(({ dispute, review }) => review === null && dispute === null)
            assert.strictEqual(own.length, result.event === null ? 0 : 1)
            const statusChanged = after.state.status !== before.state.status
            if (statusChanged) assert.isNotNull(result.event)
            if (before.state.status === "succeeded") assert.strictEqual(after.state.status, "succeeded")
            if (before.state.status === "failed" && statusChanged) assert.strictEqual(after.state.status, "succeeded")
            if (before.state.status === "canceled") assert.strictEqual(after.state.status, "canceled")
            assert.isAtMost(result.record.attempts.filter((each) => isInFlight(each.status)).length, 1)
            assert.include([0, 100], after.amountCaptured)
            const captures = result.record.attempts.filter((each) => each.status === "succeeded").length
            if (captures > 1) assert.isNotEmpty(after.reviews)
            if (after.state.status === "failed") {
              assert.isTrue(
                result.record.attempts.every(
                  (each) => !isInFlight(each.status) && (each.status !== "succeeded" || each.isOverpayment)
                )
              )
            }
            record = counted
          }
        }
      ),
      { numRuns: 3000 }
    )
  })
})
