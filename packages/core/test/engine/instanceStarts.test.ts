/** Starts with open operations of an instance that is not configured, and options of instances that are refused. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, Schema } from "effect"
import type { Tenant } from "../../src/domain/Payment.ts"
import { defineProvider } from "../../src/provider/defineProvider.ts"
import { providerProblems } from "../../src/provider/ProviderRegistry.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { card, scripted, start } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const pending = { create: () => Effect.succeed(Outcome.pending()) }
const other = (mode: "test" | "live") => scripted("other", pending, undefined, mode)

/** A store with one pending payment at the instance `gone`. */
const withOpenPayment = Effect.fnUntraced(function* (livemode: boolean) {
  const store = MemoryStore.make()
  const mode = livemode ? "live" : "test"
  const engine = yield* start(store, [scripted("gone", pending, undefined, mode)])
  const tenant: Tenant = { account: "default", livemode }
  yield* engine.payments.create(yield* card, { tenant, idempotency: null })
  yield* engine.end
  return store
})

/** The error of a start without `gone`, or its warnings. */
const startWithout = Effect.fnUntraced(function* (store: Store, mode: "test" | "live", retired: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
  const started = yield* Effect.exit(Effect.provide(start(store, [other(mode)], { retired }), logger))
  const warnings = lines.filter((line) => line.includes("gone"))
  return Exit.isSuccess(started)
    ? { refusal: null, warnings }
    : { refusal: String(Cause.squash(started.cause)), warnings }
})

const absence = (store: Store, mode: string) => store.providerState.get("gone", `paymux.absent_since.${mode}`)

describe("a start without an instance that has open operations", () => {
  it.effect("is refused for live ones, with the line to add, and marks nothing as absent", () =>
    Effect.gen(function* () {
      const store = yield* withOpenPayment(true)
      const { refusal } = yield* startWithout(store, "live", [])
      assert.include(refusal, 'Provider instance "gone" is not configured, and 1 live operation is open there.')
      assert.include(refusal, '{ id: "gone", retired: true }')
      assert.isNull(yield* absence(store, "live"))
    })
  )

  it.effect("warns of test ones, and remembers since when the instance is absent", () =>
    Effect.gen(function* () {
      const store = yield* withOpenPayment(false)
      const { refusal, warnings } = yield* startWithout(store, "test", [])
      assert.isNull(refusal)
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], "1 test operation is open there")
      assert.isNotNull(yield* absence(store, "test"))
    })
  )

  it.effect("succeeds if it was retired without its credentials", () =>
    Effect.gen(function* () {
      const store = yield* withOpenPayment(true)
      const { refusal, warnings } = yield* startWithout(store, "live", ["gone"])
      assert.isNull(refusal)
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], "is retired without its credentials")
    })
  )

  it.effect("says nothing of an instance without open operations", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const done = scripted("gone", { create: () => Effect.succeed(Outcome.succeeded()) }, undefined, "live")
      const engine = yield* start(store, [done])
      yield* engine.payments.create(yield* card, {
        tenant: { account: "default", livemode: true },
        idempotency: null
      })
      yield* engine.end
      assert.deepStrictEqual(yield* startWithout(store, "live", []), { refusal: null, warnings: [] })
    })
  )
})

const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
    operations: { create: {} }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})

describe("the options of an instance are refused", () => {
  const made = (options: object) => () => acme(options as Parameters<typeof acme>[0])

  it.each([
    ["retired and renamed at once", { retired: true, formerly: "old" }, /retired and renamed at once/],
    [
      "with its own id as a former one",
      { formerly: "acme" },
      /formerly: must not contain the id of the instance itself/
    ],
    ["with a former id twice", { formerly: ["old", "old"] }, /formerly: must not contain an id twice/],
    ["with a former id that is no id", { formerly: "Old one" }, /formerly: use lower-case letters/],
    ["retired in other words than true or false", { retired: "yes" }, /retired: must be true or false/]
  ])("%s", (_, options, sentence) => assert.throws(made(options), sentence))

  it("with an id that another instance has, had, or was retired with", () => {
    const renamed = acme({ id: "new", formerly: "old" })
    assert.deepStrictEqual(providerProblems([renamed]), [])
    assert.include(providerProblems([renamed, acme({ id: "old" })]).join(), 'Provider "new" was formerly "old", which')
    assert.include(
      providerProblems([renamed, acme({ id: "third", formerly: ["first", "old"] })]).join(),
      'The providers "new" and "third" were both formerly "old"'
    )
    assert.include(providerProblems([renamed], ["old"]).join(), 'Provider "new" was formerly "old", which')
    assert.include(providerProblems([renamed], ["new"]).join(), '"new" is used twice')
  })

  it("in a circle", () => {
    const circle = [acme({ id: "a", formerly: "b" }), acme({ id: "b", formerly: "a" })]
    assert.lengthOf(providerProblems(circle), 2)
  })
})
