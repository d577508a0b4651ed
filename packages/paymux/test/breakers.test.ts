/** The circuit breakers of all processes through the library and the commands. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Misconfigured, ProviderError } from "@paymux/core"
import { Effect, Schema } from "effect"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"

/** Refuses our credentials, which opens its breaker at once. */
const refusing = defineProvider({
  id: "refusing",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({ methods: { card: { currencies: "any", flows: { token: {} } } }, operations: { create: {} } }),
  make: () =>
    Effect.succeed({
      create: () => Effect.fail(new ProviderError({ reason: new Misconfigured({ detail: "invalid key" }) }))
    })
})

const { commands, folder, paymux } = await paymuxOnDisk({ providers: [refusing({})] })

const json = async (...line: ReadonlyArray<string>) => JSON.parse((await commands.run(folder, ...line)).stdout)

describe("circuit breakers", () => {
  it("are listed with their history, in their own mode, by the library and the commands", async () => {
    assert.deepStrictEqual(await paymux.breakers.list(), [])
    assert.include((await commands.run(folder, "breakers", "list")).stderr, "No circuit breakers")
    await paymux.payments.create(card)
    const all = await paymux.breakers.list()
    assert.deepStrictEqual(
      all.map(({ cause, operation, pid, provider, state }) => ({ cause, operation, pid, provider, state })),
      [{ cause: "misconfigured", operation: "create", pid: process.pid, provider: "refusing", state: "open" }]
    )
    assert.deepStrictEqual(await paymux.breakers.list({ state: "closed" }), [])
    assert.deepStrictEqual(await paymux.forAccount("default", { mode: "live" }).breakers.list(), [])

    while ((await paymux.breakers.history()).data.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const { next, data: transitions } = await paymux.breakers.history({ provider: "refusing", state: "open" })
    assert.isNull(next)
    assert.deepStrictEqual(
      transitions.map(({ cause, from, process, to }) => ({ cause, from, process, to })),
      [{ cause: "misconfigured", from: "closed", process: all[0]?.process, to: "open" }]
    )
    assert.deepStrictEqual(await json("breakers", "history", "--json"), transitions)
    assert.deepStrictEqual(await json("breakers", "history", "--live", "--json"), [])
    while ((await json("breakers", "list", "--json")).length === 0) await new Promise((go) => setTimeout(go, 5))
    const [shown] = await json("breakers", "list", "--state", "open", "--provider", "refusing", "--json")
    assert.deepStrictEqual({ ...shown, seenAt: 0 }, { ...all[0], seenAt: 0 })
    assert.match((await commands.run(folder, "breakers", "list")).stdout, /refusing +create +open +\S+Z +misconfigured/)
  })

  it("refuse a query that makes no sense", async () => {
    for (const query of [{ limit: 0 }, { from: -1 }, { after: 1 }, { state: "ajar" }, { provider: 1 }, { x: 1 }]) {
      // Boundary: callers in JavaScript give what they like.
      const failure = await paymux.breakers.history(query as never).catch((error: unknown) => error)
      assert.include(String(failure), "not valid")
    }
    for (const filter of [null, { state: "x" }, { limit: 1 }]) {
      const failure = await paymux.breakers.list(filter as never).catch((error: unknown) => error)
      assert.include(String(failure), "not valid")
    }
    assert.include(String(await paymux.breakers.history({ after: "x" }).catch((error: unknown) => error)), "cursor")
    assert.include((await commands.run(folder, "breakers", "history", "--after", "x")).stderr, "The cursor must be")
  })
})
