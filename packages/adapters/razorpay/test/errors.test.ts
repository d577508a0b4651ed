import { Outcome, type ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import type { FakeAnswer } from "@paymux/testkit"
import { Cause, Effect, Exit } from "effect"
import { findIn } from "../src/api.ts"
import { codes } from "../src/codes.ts"
import { begin, later, operation } from "./adapter.ts"
import { bookOf } from "../src/testing/books.ts"
import { publishedReasons, simulatedReasons, upiReasons } from "../src/testing/publishedReasons.ts"

const codesOf = (...classes: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...codes.meanings].flatMap(([code, meaning]) => (classes.includes(meaning.class) ? [code] : []))

describe("Razorpay's reasons", () => {
  it("every published one is a decline, and nothing else is", () => {
    assert.sameMembers([...codesOf("declined")], [...publishedReasons])
    assert.includeMembers([...codesOf("declined")], [...upiReasons, ...simulatedReasons])
  })

  for (const reason of codesOf("undecided")) {
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

  it.live("a payment that failed because of the account ends as a decline: it needs no operator", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* failedBy("merchant_not_activated"), {
        _tag: "Declined",
        code: "unsupported",
        retry: "other_provider",
        vendorCode: "merchant_not_activated"
      })
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
      const others = codesOf("account_not_enabled", "duplicate", "undecided", "credentials")
      for (const reason of ["insufficient_funds", ...others]) {
        assert.deepStrictEqual(yield* createAnswered(error(503, { code: "GATEWAY_ERROR", reason })), {
          _tag: "Unknown",
          reason: "server_error",
          vendorCode: reason
        })
      }
      const description = "The requested URL was not found on the server."
      for (const status of [500, 502, 504]) {
        const end = yield* createAnswered(error(status, { code: "SERVER_ERROR", description, reason: "NA" }))
        assert.deepInclude(end, { _tag: "Unknown", reason: "server_error" })
      }
    }).pipe(Effect.scoped)
  )

  it.live("a refusal that names a payment is no proof that nothing was done, whatever its code", () =>
    Effect.gen(function* () {
      const reasons = [...codesOf("account_not_enabled", "credentials"), "input_validation_failed"]
      for (const [reason, status] of reasons.flatMap((each) => [[each, 400] as const, [each, 401] as const])) {
        const metadata = { payment_id: "pay_AAAAAAAAAAAAAA" }
        const end = yield* createAnswered(error(status, { code: "BAD_REQUEST_ERROR", reason, metadata }))
        assert.deepStrictEqual(end, { _tag: "Unknown", reason: "in_progress", vendorCode: reason })
      }
    }).pipe(Effect.scoped)
  )

  it.live("the shared code is no code of the table, and a description decides only from its beginning", () =>
    Effect.gen(function* () {
      assert.isFalse(codes.meanings.has("BAD_REQUEST_ERROR"))
      for (const description of [
        "Authentication failed due to incorrect otp",
        "Order: the requested URL was not found on the server.",
        "Note: amount exceeds maximum amount allowed"
      ]) {
        const end = yield* createAnswered(error(400, { code: "BAD_REQUEST_ERROR", description, reason: "NA" }), 0)
        assert.deepStrictEqual(end, { _tag: "InvalidRequest", detail: "BAD_REQUEST_ERROR" })
      }
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
          vendorCode: "idempotency_key_in_use"
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

describe("a list that has no end", () => {
  it.effect("proves nothing about what was not found on its first hundred pages", () =>
    Effect.gen(function* () {
      let pages = 0
      const page = () => (++pages > 200 ? Effect.die("the pages were read on") : Effect.succeed({ items: others }))
      const others = Array.from({ length: 100 }, (_, n) => n)
      const ended = yield* Effect.flip(findIn(page, (item) => item < 0))
      assert.deepInclude(ended, {
        outcome: Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
      })
      assert.strictEqual(pages, 100)
    })
  )
})
