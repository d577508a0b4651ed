/** Several accounts in one Paymux: what one has, no other sees. */
import { assert, describe, it } from "@effect/vitest"
import { createPaymux, PaymentError } from "../src/index.ts"
import type { AccountOptions } from "../src/index.ts"
import { card } from "./card.ts"

const memory = { sandbox: true, database: ":memory:" } as const

const reasonOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    return error instanceof PaymentError ? error.reason._tag : String(error)
  }
  return "was not rejected"
}

describe("forAccount", () => {
  it("has the same operations, and nothing of another account", async () => {
    await using paymux = await createPaymux(memory)
    const [asha, ben] = [paymux.forAccount("asha"), paymux.forAccount("ben")]
    const payment = await asha.payments.create(card, { idempotencyKey: "order-1" })
    assert.deepStrictEqual(await asha.payments.get(payment.id), payment)
    for (const other of [ben, paymux]) {
      assert.strictEqual(await reasonOf(other.payments.get(payment.id)), "PaymentNotFound")
      assert.strictEqual(await reasonOf(other.refunds.create(payment.id)), "PaymentNotFound")
      assert.deepStrictEqual((await other.payments.list()).data, [])
    }
    const same = await ben.payments.create(card, { idempotencyKey: "order-1" })
    assert.notStrictEqual(same.id, payment.id)
    const endpoint = await asha.webhookEndpoints.add({ url: "http://127.0.0.1:4999/hook" })
    assert.isFalse(await ben.webhookEndpoints.remove(endpoint.id))
    assert.deepStrictEqual(await ben.webhookEndpoints.list(), [])
  })

  it("has keys of its own, which neither another account nor the other mode lists, rotates or revokes", async () => {
    await using paymux = await createPaymux(memory)
    const asha = paymux.forAccount("asha")
    const made = await asha.apiKeys.create({ name: "shop" })
    const rotated = await asha.apiKeys.rotate(made.id, { overlapMs: 60_000 })
    const listed = await asha.apiKeys.list()
    assert.deepStrictEqual(
      new Map(listed.map(({ expiresAt, keyId }) => [keyId, expiresAt])),
      new Map([
        [made.id, rotated.formerExpiresAt],
        [rotated.id, null]
      ])
    )
    assert.notInclude(JSON.stringify(listed), rotated.key)
    for (const other of [paymux, paymux.forAccount("ben"), paymux.forAccount("asha", { mode: "live" })]) {
      const none = `There is no API key ${rotated.id}`
      assert.include(await reasonOf(other.apiKeys.revoke(rotated.id)), none)
      assert.include(await reasonOf(other.apiKeys.rotate(rotated.id)), none)
      assert.notInclude(JSON.stringify(await other.apiKeys.list()), rotated.id)
    }
    const ask = (key: string) =>
      paymux.fetch(
        new Request("http://any/v1/payments", {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(card)
        })
      )
    for (const key of [made.key, rotated.key]) assert.strictEqual((await ask(key)).status, 201)
    assert.strictEqual((await asha.payments.list()).data.length, 2)
    assert.include(await reasonOf(asha.apiKeys.rotate(rotated.id, { overlapMs: -1 })), "0 ms to 30 days")
    const misspelt = Object.fromEntries([["overlap", 0]])
    assert.strictEqual(await reasonOf(asha.apiKeys.rotate(rotated.id, misspelt)), "InvalidPayment")
    await asha.apiKeys.revoke(made.id)
    const { key: last } = await asha.apiKeys.rotate(rotated.id, { overlapMs: 0 })
    for (const key of [made.key, rotated.key]) {
      const refused = await ask(key)
      assert.deepStrictEqual([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"])
    }
    assert.strictEqual((await ask(last)).status, 201)
    assert.include(await reasonOf(asha.apiKeys.create({ name: "a\nb" })), "no characters that control the cursor")
  })

  it("in the other mode reaches no provider of this one", async () => {
    await using paymux = await createPaymux(memory)
    const live = paymux.forAccount("asha", { mode: "live" })
    assert.strictEqual(await reasonOf(live.payments.create(card)), "NoRoute")
    assert.strictEqual((await paymux.forAccount("asha", { mode: "test" }).payments.create(card)).livemode, false)
  })

  it("refuses what is no account, no mode and no option, before anything is done", async () => {
    await using paymux = await createPaymux(memory)
    for (const account of ["", "a b", "a/b", "ä", "a\u0000", "a".repeat(65), "'; DROP TABLE payments", "asha\n"]) {
      assert.throws(
        () => paymux.forAccount(account),
        /must have 1 to 64 letters, digits, _ or -/,
        JSON.stringify(account)
      )
    }
    // The casts are the point: JavaScript does not check them.
    assert.throws(() => paymux.forAccount(5 as unknown as string), /\/account/)
    assert.throws(
      () => paymux.forAccount("a", { mode: "Live" } as unknown as AccountOptions),
      /\/mode must be live or test/
    )
    assert.throws(
      () => paymux.forAccount("a", { livemode: true } as AccountOptions),
      /\/livemode is not a known option/
    )
    assert.strictEqual((await paymux.forAccount("A-1_b").payments.list()).data.length, 0)
  })
})
