/** Answers of Adyen that are no success, and no answer. */
import { assert, describe, it } from "@effect/vitest"
import type { FakeAnswer } from "@paymux/testkit"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { answered, begin, card, later, operation } from "./operations.ts"

describe("what Adyen answers instead", () => {
  const refused = (status: number, errorCode: string, headers = {}, errorType = "validation"): FakeAnswer => ({
    status,
    headers,
    json: { status, errorCode, errorType, message: "Not so." }
  })

  const tagOf = (answer: FakeAnswer) => Effect.map(Effect.flip(answered(answer)), ({ reason }) => reason)

  // Codes and types as in Adyen's API explorer and in public reports of its users.
  it.live("a server error refuses the request by its type, and by its code what is refused", () =>
    Effect.gen(function* () {
      for (const [status, code, type, expected] of [
        [500, "905", "configuration", { _tag: "AccountNotEnabled", code: "905", about: "payment" }],
        [500, "905_1", "security", { _tag: "AccountNotEnabled", code: "905_1", about: "payment" }],
        [500, "138", "configuration", { _tag: "AccountNotEnabled", code: "138", about: "kind" }],
        [500, "901", "security", { _tag: "Misconfigured", detail: "901" }],
        [500, "901", "configuration", { _tag: "Misconfigured", detail: "901" }],
        [500, "702", "validation", { _tag: "InvalidRequest", detail: "702" }],
        [500, "138", "validation", { _tag: "InvalidRequest", detail: "138" }]
      ] as const) {
        assert.deepInclude(yield* tagOf(refused(status, code, {}, type)), expected)
      }
    })
  )

  it.live("a server error of any other type proves nothing, whatever its code", () =>
    Effect.gen(function* () {
      for (const type of ["internal", "constructor", ""]) {
        for (const code of ["905", "905_1", "138", "901", "101", "704", "00_500"]) {
          const outcome = yield* answered(refused(500, code, {}, type))
          assert.deepInclude(outcome, { _tag: "Unknown", reason: "server_error", vendorCode: code })
        }
      }
      // Neither does one whose code says that nothing is decided.
      for (const code of ["701", "704"]) {
        assert.strictEqual((yield* answered(refused(500, code, {}, "validation")))._tag, "Unknown")
      }
    })
  )

  it.live("a code that is not in the table is refused by its type, and else by its status", () =>
    Effect.gen(function* () {
      for (const [status, code, type, expected] of [
        [422, "905_3", "configuration", { _tag: "AccountNotEnabled", code: "905_3", about: "payment" }],
        [500, "30_600", "configuration", { _tag: "AccountNotEnabled", code: "30_600", about: "payment" }],
        [401, "30_600", "configuration", { _tag: "Misconfigured", detail: "30_600" }],
        [422, "999", "security", { _tag: "Misconfigured", detail: "999" }],
        [403, "999", "validation", { _tag: "InvalidRequest", detail: "999" }],
        [403, "999", "", { _tag: "Misconfigured", detail: "999" }],
        [422, "999", "", { _tag: "InvalidRequest", detail: "999" }]
      ] as const) {
        assert.deepInclude(yield* tagOf(refused(status, code, {}, type)), expected)
      }
    })
  )

  it.live("010 is about the credentials for a payment, and about links alone for a payment link", () =>
    Effect.gen(function* () {
      const answer = refused(403, "010", {}, "security")
      assert.deepInclude(yield* tagOf(answer), { _tag: "Misconfigured", detail: "010" })
      const { reason } = yield* Effect.flip(answered(answer, operation({ method: card(null) })))
      assert.deepInclude(reason, { _tag: "AccountNotEnabled", code: "010", about: "kind" })
    })
  )

  it.live("a capture, a cancel and a refund are refused by the same codes, and never declined", () =>
    Effect.gen(function* () {
      for (const kind of ["capture", "cancel", "refund"] as const) {
        const { create, network, ...others } = yield* begin
        const asked = operation({ captureMethod: "manual" })
        const { reference = null } = yield* create(asked)
        const reply = (answer: FakeAnswer) =>
          Effect.andThen(
            network.failNext({ executed: false, reply: answer }),
            Effect.flip(others[kind](later(kind, asked, reference)))
          )
        assert.deepInclude((yield* reply(refused(500, "905_1", {}, "configuration"))).reason, {
          _tag: "AccountNotEnabled",
          code: "905_1"
        })
        assert.deepInclude((yield* reply(refused(422, "101"))).reason, { _tag: "InvalidRequest", detail: "101" })
      }
    }).pipe(Effect.scoped)
  )

  it.live("encrypted fields that are too old are a decline that a new token resolves", () =>
    Effect.gen(function* () {
      const expected = { _tag: "Declined", code: "customer_timeout", retry: "same_later", vendorCode: "172" }
      assert.deepStrictEqual<unknown>(yield* answered(refused(422, "172")), expected)
    })
  )

  it.live("704 and every 409 say nothing about the request that came first", () =>
    Effect.gen(function* () {
      for (const [status, code] of [
        [422, "704"],
        [409, "704"],
        [409, "1"]
      ] as const) {
        assert.deepInclude(yield* answered(refused(status, code)), {
          _tag: "Unknown",
          reason: "duplicate",
          vendorCode: code
        })
      }
      const invalid = yield* Effect.flip(answered(refused(422, "14_030")))
      assert.deepInclude(invalid.reason, { _tag: "InvalidRequest", detail: "14_030" })
    })
  )

  it.live("only transient-error: true proves that nothing was done", () =>
    Effect.gen(function* () {
      const transient = yield* answered(refused(503, "703", { "transient-error": "true" }))
      assert.deepInclude(transient, { _tag: "NotExecuted", reason: "proof_code", vendorCode: "transient-error" })
      for (const headers of [{}, { "transient-error": "false" }, { "transient-error": "TRUE" }]) {
        assert.deepInclude(yield* answered(refused(503, "703", headers, "internal")), {
          _tag: "Unknown",
          reason: "server_error"
        })
      }
    })
  )

  it.effect("without an answer the adapter ends before the engine's 20 seconds do, and says so", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin
      yield* network.failNext({ executed: true, reply: "never" })
      const creating = yield* Effect.forkChild(create(operation()), { startImmediately: true })
      while ((yield* network.requests).length === 0) yield* Effect.promise(() => nextTurn())
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* Fiber.join(creating), { _tag: "Unknown", reason: "timeout" })
    }).pipe(Effect.scoped)
  )

  it.live("a payment has our own name before the first byte is sent, is known by it and canceled by it", () =>
    Effect.gen(function* () {
      const { cancel, checkpoints, create, network, vendor } = yield* begin
      yield* network.failNext({ executed: true, reply: "reset" })
      const asked = operation({ captureMethod: "manual" })
      assert.strictEqual((yield* create(asked))._tag, "Unknown")
      const [kept] = checkpoints
      assert.deepStrictEqual(kept, { reference: `${asked.id}-hold`, requestsBefore: 0 })
      yield* create({ ...asked, reference: kept?.reference ?? null })
      assert.lengthOf(checkpoints, 1)
      const canceled = yield* cancel(later("cancel", asked, kept?.reference ?? null))
      assert.strictEqual(canceled._tag, "Pending")
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ status }) => status),
        ["canceled"]
      )
    }).pipe(Effect.scoped)
  )
})
