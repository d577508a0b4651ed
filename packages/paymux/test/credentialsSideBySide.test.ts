/** Servers of one database whose configuration of a provider instance differs, as while they are replaced one after the other. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { card } from "./card.ts"
import { emptyDatabases } from "./emptyDatabases.ts"

const { postgres } = await emptyDatabases()

/** What each instance received: the operation, and the API key of the server that sent it. */
const sent: Array<string> = []

const provider = (id: string) =>
  defineProvider({
    id,
    options: Schema.Struct({ apiKey: Schema.String }),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} } } },
      operations: {
        create: { idempotency: { by: "header", lifetime: "24 hours" } },
        refund: { idempotency: { by: "header", lifetime: "24 hours" }, partial: true }
      }
    }),
    make: ({ apiKey }) => {
      const received = (operation: string) => Effect.sync(() => void sent.push(`${id}: ${operation} with ${apiKey}`))
      return Effect.succeed({
        create: ({ amount, id: operation }) =>
          Effect.as(received("create"), Outcome.succeeded({ reference: `ref_${operation}`, amount })),
        refund: ({ id: operation }) =>
          Effect.as(received("refund"), Outcome.succeeded({ reference: `re_${operation}` }))
      })
    }
  })

const [acme, other] = [provider("acme"), provider("other")]

const start = (apiKey: string, retired = false): Promise<Paymux> =>
  createPaymux({
    providers: [acme({ apiKey, retired }), other({ apiKey })],
    routing: { version: 1, default: { priority: ["acme", "other"] } },
    database: postgres,
    secret: "the secret of this test, of 32 characters",
    logs: false
  })

const pay = async (paymux: Paymux) => (await paymux.payments.create(card)).id
const took = async (work: () => Promise<unknown>) => {
  sent.length = 0
  await work()
  return [...sent]
}

describe("servers that run side by side", () => {
  it("with the old and the new credentials of an instance serve each other's payments, each with its own", async () => {
    await using former = await start("old key")
    await using next = await start("new key")
    for (const [one, its, two, theirs] of [
      [former, "old key", next, "new key"],
      [next, "new key", former, "old key"]
    ] as const) {
      const made = await took(() => pay(one))
      assert.deepStrictEqual(made, [`acme: create with ${its}`])
      const id = await pay(one)
      assert.deepStrictEqual(await took(() => two.refunds.create(id)), [`acme: refund with ${theirs}`])
      assert.strictEqual((await one.payments.get(id)).amount_refunded, card.amount)
    }
  })

  it("of which one has paused an instance give it new payments only through the other, and serve all it has", async () => {
    await using active = await start("key")
    await using paused = await start("key", true)
    assert.deepStrictEqual(await took(() => pay(active)), ["acme: create with key"])
    assert.deepStrictEqual(await took(() => pay(paused)), ["other: create with key"])
    const id = await pay(active)
    assert.deepStrictEqual(await took(() => paused.refunds.create(id)), ["acme: refund with key"])
  })
})
