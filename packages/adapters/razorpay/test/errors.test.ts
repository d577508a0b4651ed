import type { ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import type { FakeAnswer } from "@paymux/testkit"
import { Cause, Effect, Exit } from "effect"
import { declines, duplicates, notEnabled, undecided } from "../src/reasons.ts"
import { begin, later, operation } from "./adapter.ts"
import { bookOf } from "../src/testing/books.ts"
import { publishedReasons, simulatedReasons, upiReasons } from "../src/testing/publishedReasons.ts"

describe("Razorpay's reasons", () => {
  it("every published one is a decline, and nothing else is", () => {
    assert.sameMembers(Object.keys(declines), [...publishedReasons])
    assert.includeMembers(Object.keys(declines), [...upiReasons, ...simulatedReasons])
  })

  it("none is in two lists", () => {
    const all = [...Object.keys(declines), ...undecided, ...duplicates, ...notEnabled]
    assert.lengthOf(all, new Set(all).size)
  })

  for (const reason of undecided) {
    it.live(`a payment that failed by ${reason} is still under way`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* failedBy(reason), {
          _tag: "Pending",
          awaitingFinality: true,
          vendorCode: reason
        })
      }).pipe(Effect.scoped)
    )
  }

  it.live("a payment that failed, of which Razorpay does not say why, is declined", () =>
    Effect.gen(function* () {
      for (const [reported, vendorCode] of [
        [{ error_reason: "NA", error_code: "BAD_REQUEST_ERROR" }, "BAD_REQUEST_ERROR"],
        [{ error_reason: "", error_code: "NA" }, "failed"],
        [{ error_reason: null, error_code: null }, "failed"]
      ] as const) {
        const { create, inquire, vendor } = yield* begin()
        const asked = operation()
        const { reference = null } = yield* create(asked)
        const [order] = yield* vendor.payments
        const [tried] = order === undefined ? [] : bookOf(vendor.ledger, order).tries
        if (tried === undefined) return assert.fail("a payment was made")
        tried.reported = { status: "failed", ...reported }
        assert.deepEqual<unknown>(yield* inquire({ ...asked, reference }), {
          _tag: "Declined",
          code: "generic_decline",
          retry: "other_provider",
          reference,
          vendorCode
        })
      }
    }).pipe(Effect.scoped)
  )

  it.live("a payment that failed by a reason that is not known is unknown and never a decline", () =>
    Effect.gen(function* () {
      for (const reason of ["a_new_reason", "constructor", "__proto__"]) {
        const { _tag, vendorCode } = yield* failedBy(reason)
        assert.deepStrictEqual({ _tag, vendorCode }, { _tag: "Unknown", vendorCode: reason })
      }
      const prose = yield* failedBy("The payer Asha Rao has too little money")
      assert.strictEqual(prose.vendorCode, "unreadable_code")
    }).pipe(Effect.scoped)
  )
})

const failedBy = Effect.fnUntraced(function* (reason: string) {
  const { create, inquire, vendor } = yield* begin()
  yield* vendor.decide({ decline: reason })
  const asked = operation()
  const { reference = null } = yield* create(asked)
  yield* vendor.payersAct
  const { reference: _, ...answer } = yield* inquire({ ...asked, reference })
  return answer
})

const error = (status: number, reported: object): FakeAnswer => ({ status, json: { error: reported } })
const refused = (reason: string) =>
  error(400, { code: "BAD_REQUEST_ERROR", description: "words of the vendor", reason })

/** How a create ends whose payment is answered so, its order being there. */
const createAnswered = Effect.fnUntraced(function* (answer: FakeAnswer, request = 1) {
  const { create, network } = yield* begin()
  yield* network.failNext({ executed: false, reply: answer }, request)
  return endOf(yield* Effect.exit(create(operation())))
})

const endOf = (exit: Exit.Exit<unknown, { readonly reason: unknown }>): unknown => {
  if (Exit.isSuccess(exit)) return exit.value
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  return failure === undefined ? "it broke" : JSON.parse(JSON.stringify(failure.error.reason))
}

describe("Razorpay's errors", () => {
  it.live("a payment that is refused by a reason of a decline is declined, and its order is not", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* createAnswered(refused("payment_risk_check_failed")), {
        _tag: "Declined",
        code: "suspected_fraud",
        retry: "never",
        vendorCode: "payment_risk_check_failed"
      })
      assert.deepStrictEqual(yield* createAnswered(refused("payment_risk_check_failed"), 0), {
        _tag: "InvalidRequest",
        detail: "payment_risk_check_failed"
      })
    }).pipe(Effect.scoped)
  )

  it.live("under a 5xx no reason decides anything", () =>
    Effect.gen(function* () {
      for (const reason of ["insufficient_funds", ...notEnabled, ...duplicates, ...undecided]) {
        for (const status of [500, 502, 503, 504]) {
          assert.deepStrictEqual(yield* createAnswered(error(status, { code: "GATEWAY_ERROR", reason })), {
            _tag: "Unknown",
            reason: "server_error",
            vendorCode: reason
          })
        }
      }
    }).pipe(Effect.scoped)
  )

  for (const reason of duplicates) {
    it.live(`${reason} speaks of an earlier request: unknown`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* createAnswered(refused(reason)), {
          _tag: "Unknown",
          reason: "duplicate",
          vendorCode: reason
        })
      }).pipe(Effect.scoped)
    )
  }

  for (const reason of notEnabled) {
    it.live(`${reason} is about the account: an error is logged, and another provider may be tried`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* createAnswered(refused(reason)), { _tag: "Misconfigured", detail: reason })
      }).pipe(Effect.scoped)
    )
  }

  // As an account answers that has no payments from a server: razorpay-node issues 243 and 315.
  it.live("an endpoint that is not enabled for the account is about the account: another provider may be tried", () =>
    Effect.gen(function* () {
      const reported = {
        code: "BAD_REQUEST_ERROR",
        description: "The requested URL was not found on the server.",
        source: "NA",
        step: "NA",
        reason: "NA",
        metadata: {}
      }
      for (const status of [400, 404]) {
        const end = yield* createAnswered(error(status, reported))
        assert.deepStrictEqual(end, { _tag: "Misconfigured", detail: "endpoint_not_enabled" })
      }
      assert.deepInclude(yield* createAnswered(error(404, { ...reported, description: "No such id" })), {
        _tag: "Unknown"
      })
    }).pipe(Effect.scoped)
  )

  it.live("what is not valid in our request is InvalidRequest, without the vendor's words", () =>
    Effect.gen(function* () {
      const reported = {
        code: "BAD_REQUEST_ERROR",
        description: "asha@example.com is odd",
        reason: "input_validation_failed"
      }
      assert.deepStrictEqual(yield* createAnswered(error(400, reported), 0), {
        _tag: "InvalidRequest",
        detail: "input_validation_failed"
      })
      assert.deepStrictEqual(yield* createAnswered(error(400, { ...reported, reason: "NA" }), 0), {
        _tag: "InvalidRequest",
        detail: "BAD_REQUEST_ERROR"
      })
    }).pipe(Effect.scoped)
  )

  it.live("a refund's key with another body, and one that is still at work, are row 10: unknown", () =>
    Effect.gen(function* () {
      const reused = "Different request with the same idempotency key has already been processed."
      const atWork = "Another request with the same idempotency key is still in progress."
      for (const status of [400, 409]) {
        assert.deepStrictEqual(yield* refundAnswered(status, reused), {
          _tag: "Unknown",
          reason: "duplicate",
          vendorCode: "idempotency_key"
        })
        assert.deepStrictEqual(yield* refundAnswered(status, atWork), {
          _tag: "Unknown",
          reason: "in_progress",
          vendorCode: "idempotency_key"
        })
      }
    }).pipe(Effect.scoped)
  )
})

describe("a capture", () => {
  // razorpay-node issue 107.
  it.live("of what was captured a moment ago by hand is no failure: an inquiry finds the captured payment", () =>
    Effect.gen(function* () {
      const { capture, create, inquire, network, vendor } = yield* begin()
      if (capture === undefined) return assert.fail("it is declared")
      const created = operation({ captureMethod: "manual" })
      const { reference = null } = yield* create(created)
      yield* vendor.payersAct
      if (reference === null) return assert.fail("its order has a name")
      const asked = later("capture", created, reference)
      const description = "This payment has already been captured"
      const reply = error(400, { code: "BAD_REQUEST_ERROR", description, reason: "NA" })
      yield* network.failNext({ executed: true, reply }, 1)
      assert.deepStrictEqual<unknown>(yield* capture(asked), {
        _tag: "Unknown",
        reason: "duplicate",
        vendorCode: "already_captured"
      })
      assert.strictEqual((yield* inquire(asked))._tag, "Succeeded")
    }).pipe(Effect.scoped)
  )
})

describe("a refund", () => {
  for (const [status, tag] of Object.entries({
    created: "Pending",
    pending: "Pending",
    processed: "Succeeded",
    failed: "Declined",
    odd: "Unknown"
  })) {
    it.live(`that is ${status} is ${tag}, when it is made and when it is asked about`, () =>
      Effect.gen(function* () {
        const { inquire, network, refund, ...harness } = yield* begin()
        const { created, reference } = yield* paid(harness)
        const json = { id: "rfnd_1", status, amount: 12_345, currency: "INR" }
        const asked = later("refund", created, reference)
        yield* network.failNext({ executed: false, reply: { status: 200, json } }, 1)
        const made = yield* refund(asked)
        assert.deepStrictEqual([made._tag, made.reference], [tag, "rfnd_1"])
        yield* network.failNext({ executed: false, reply: { status: 200, json } })
        const found = yield* inquire({ ...asked, reference: "rfnd_1" })
        assert.deepStrictEqual([found._tag, found.reference], [tag, "rfnd_1"])
      }).pipe(Effect.scoped)
    )
  }
})

const refundAnswered = Effect.fnUntraced(function* (status: number, description: string) {
  const { network, refund, ...harness } = yield* begin()
  const { created, reference } = yield* paid(harness)
  const reported = { code: "BAD_REQUEST_ERROR", description, source: "NA", step: "NA", reason: "NA", metadata: {} }
  yield* network.failNext({ executed: false, reply: error(status, reported) }, 1)
  return endOf(yield* Effect.exit(refund(later("refund", created, reference))))
})

type TestHarness = Effect.Success<ReturnType<typeof begin>>

const paid = Effect.fnUntraced(function* (
  { create, vendor }: Pick<TestHarness, "create" | "vendor">,
  change: Partial<ProviderOperation> = {}
) {
  const created = operation(change)
  const { reference = "" } = yield* create(created)
  yield* vendor.payersAct
  return { created, reference }
})
