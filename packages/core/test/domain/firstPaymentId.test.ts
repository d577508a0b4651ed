import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { firstPaymentId, isPaymentId, make as makeIds } from "../../src/domain/Ids.ts"

it.effect("the first id of a time is before every id made then or later, and after all made earlier", () =>
  Effect.gen(function* () {
    for (const byte of [0, 255]) {
      const ids = makeIds((length) => new Uint8Array(length).fill(byte))
      for (const time of [1, 31, 32, 1_700_000_000_123, 2 ** 41, 2 ** 48 - 2]) {
        yield* TestClock.setTime(time)
        const made = yield* ids.payment
        assert.isTrue(firstPaymentId(time) < made, `${time}`)
        assert.isTrue(firstPaymentId(time + 1) > made, `${time}`)
        assert.isTrue(isPaymentId(firstPaymentId(time)))
      }
    }
    assert.strictEqual(firstPaymentId(0), `pay_${"0".repeat(26)}`)
  })
)
