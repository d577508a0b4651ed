import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeCancelPayment, decodeCapturePayment, decodeCreateRefund } from "../../src/wire/OperationJson.ts"

const accepted = <A>(decoded: Effect.Effect<A, unknown>) => Effect.runSync(Effect.orDie(decoded))

/** `RawCardData`, or the pointers of the faults. */
const refused = (decoded: Effect.Effect<unknown, Effect.Error<ReturnType<typeof decodeCancelPayment>>>) => {
  const { reason } = Effect.runSync(Effect.flip(decoded))
  return reason._tag === "InvalidPayment" ? [...new Set(reason.errors.map(({ pointer }) => pointer))] : reason._tag
}

describe("the requests of later operations", () => {
  it("an amount that is absent is all there is", () => {
    assert.deepStrictEqual(accepted(decodeCapturePayment({})), { minorUnits: null })
    assert.deepStrictEqual(accepted(decodeCapturePayment({ amount: 1 })), { minorUnits: 1 })
    assert.deepStrictEqual(accepted(decodeCreateRefund({})), { minorUnits: null, reason: null })
    assert.deepStrictEqual(accepted(decodeCreateRefund({ amount: 5, reason: null })), { minorUnits: 5, reason: null })
    assert.isUndefined(accepted(decodeCancelPayment({})))
  })

  it.each([0, -1, 1.5, 2 ** 53, Number.NaN, "1", null, [1]])("an amount of %s is refused", (amount) => {
    assert.deepStrictEqual(refused(decodeCapturePayment({ amount })), ["/amount"])
    assert.deepStrictEqual(refused(decodeCreateRefund({ amount })), ["/amount"])
  })

  it.each([[[]], [null], [3], ["{}"], [true]])("%j is no request", (input) => {
    for (const decode of [decodeCapturePayment, decodeCreateRefund, decodeCancelPayment]) {
      assert.deepStrictEqual(refused(decode(input)), [""])
    }
  })

  it("a field that is not known is refused everywhere, by its name", () => {
    for (const decode of [decodeCapturePayment, decodeCreateRefund, decodeCancelPayment]) {
      assert.deepStrictEqual(refused(decode({ amont: 1 })), ["/amont"])
    }
    assert.deepStrictEqual(refused(decodeCapturePayment({ reason: "x" })), ["/reason"])
    assert.deepStrictEqual(refused(decodeCancelPayment({ amount: 1 })), ["/amount"])
  })

  it("a reason has 500 characters, and no card number in it", () => {
    assert.strictEqual(accepted(decodeCreateRefund({ reason: "r".repeat(500) })).reason?.length, 500)
    assert.deepStrictEqual(refused(decodeCreateRefund({ reason: "r".repeat(501) })), ["/reason"])
    assert.strictEqual(refused(decodeCreateRefund({ reason: "card 4242 4242 4242 4242" })), "RawCardData")
    assert.strictEqual(refused(decodeCancelPayment({ cvv: "1" })), "RawCardData")
  })
})
