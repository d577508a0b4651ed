/** Later operations whose answer was lost, and cancels that meet money. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { createOperation, laterOperation } from "./operations.ts"
import { connected } from "./refusals.ts"

const unpaid = Effect.gen(function* () {
  const { instance, network, vendor } = yield* connected
  const fresh = yield* createOperation({ captureMethod: "manual" })
  const { reference } = yield* instance.create(fresh)
  return { vendor, instance, network, fresh, reference }
})

const paid = Effect.gen(function* () {
  const { fresh: operation, vendor, ...rest } = yield* unpaid
  yield* vendor.payersAct
  return { ...rest, operation }
})

const refusedFor = (errorType: string) => ({
  executed: false,
  reply: { status: 400, json: { errorType, errorMessage: "No." } }
})

const posts = (network: Effect.Success<typeof paid>["network"]) =>
  Effect.map(network.requests, (all) => all.filter(({ method }) => method === "POST").length)

describe("an inquiry about what was not answered", () => {
  it.live("takes the listed action for the answer, and sends nothing again", () =>
    Effect.gen(function* () {
      const { instance, network, operation, reference } = yield* paid
      for (const kind of ["capture", "refund"] as const) {
        const later = yield* laterOperation(kind, operation, reference)
        yield* network.failNext({ executed: true, reply: "reset" })
        yield* instance[kind](later)
        const before = yield* posts(network)
        const found = yield* instance.inquire(later)
        assert.deepInclude(found, { _tag: "Succeeded", amount: operation.amount })
        assert.isTrue("reference" in found && found.reference?.startsWith(kind))
        const old = { ...later, createdAt: later.createdAt - 30 * 86_400_000 }
        assert.deepStrictEqual(yield* instance.inquire(old), found)
        assert.strictEqual(yield* posts(network), before)
      }
    }).pipe(Effect.scoped)
  )

  it.live("sends it again where nothing is listed, and never when its key is old", () =>
    Effect.gen(function* () {
      const { instance, network, operation, reference } = yield* paid
      const capture = yield* laterOperation("capture", operation, reference)
      const before = yield* posts(network)
      const old = { ...capture, createdAt: capture.createdAt - 86_400_000 }
      const tooOld = Outcome.unknown({ reason: "in_progress", vendorCode: "key_expired" })
      assert.deepStrictEqual(yield* instance.inquire(old), tooOld)
      assert.strictEqual(yield* posts(network), before)
      assert.strictEqual((yield* instance.inquire(capture))._tag, "Pending")
      assert.strictEqual(yield* posts(network), before + 1)
    }).pipe(Effect.scoped)
  )

  it.live("sends nothing again if the list is missing", () =>
    Effect.gen(function* () {
      const { instance, network, operation, reference } = yield* paid
      const capture = yield* laterOperation("capture", operation, reference)
      const before = yield* posts(network)
      yield* network.failNext({ executed: false, reply: { status: 503 } })
      assert.strictEqual((yield* instance.inquire(capture))._tag, "Unknown")
      assert.strictEqual(yield* posts(network), before)
    }).pipe(Effect.scoped)
  )

  it.live("takes no refusal of the second send for an answer: it may be what the first one did", () =>
    Effect.gen(function* () {
      const { instance, network, operation, reference } = yield* paid
      for (const [kind, errorType] of [
        ["capture", "no_capturable_balance"],
        ["capture", "capture_expired"],
        ["cancel", "no_voidable_balance"],
        ["refund", "no_refundable_balance"],
        ["refund", "refund_expired"],
        ["refund", "insufficient_balance"]
      ] as const) {
        const later = yield* laterOperation(kind, operation, reference)
        // After the list, and what a cancel looks at.
        yield* network.failNext(refusedFor(errorType), kind === "cancel" ? 2 : 1)
        const unknown = Outcome.unknown({ reason: "in_progress", vendorCode: errorType })
        assert.deepStrictEqual(yield* instance.inquire(later), unknown, errorType)
      }
    }).pipe(Effect.scoped)
  )
})

describe("a cancel", () => {
  it.live("that leaves money behind is not done: an operator looks", () =>
    Effect.gen(function* () {
      const { fresh, instance, network, reference } = yield* unpaid
      const cancel = yield* laterOperation("cancel", fresh, reference)
      const balances = { capturable: "170.50", captured: "0" }
      const json = { paymentSessionId: reference, status: "canceled", asset: "usdc", balances }
      yield* network.failNext({ executed: true, reply: { status: 200, json } }, 1)
      const unknown = Outcome.unknown({ reason: "unmapped", vendorCode: "canceled_with_money" })
      assert.deepStrictEqual(yield* instance.cancel(cancel), unknown)
    }).pipe(Effect.scoped)
  )
})
