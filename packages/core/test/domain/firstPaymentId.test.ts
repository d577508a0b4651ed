import { assert, it } from "@effect/vitest"
import { firstPaymentId, isPaymentId, make as makeIds } from "../../src/domain/Ids.ts"

it("the first id of a time is before every id made then or later, and after all made earlier", () => {
  for (const byte of [0, 255]) {
    for (const time of [1, 31, 32, 1_700_000_000_123, 2 ** 41, 2 ** 48 - 2]) {
      const ids = makeIds(
        (length) => new Uint8Array(length).fill(byte),
        () => time
      )
      const made = ids.payment(null)
      assert.isTrue(firstPaymentId(time) < made, `${time}`)
      assert.isTrue(firstPaymentId(time + 1) > made, `${time}`)
      assert.isTrue(isPaymentId(firstPaymentId(time)))
    }
  }
  assert.strictEqual(firstPaymentId(0), `pay_${"0".repeat(26)}`)
})
