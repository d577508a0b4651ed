/** The ids under which the events of one webhook are stored. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, inquiryOnly, read, scripted, start, reported } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const taken = { _tag: "Succeeded" } as const
// Boundary: a vendor may send any JSON.
const vendor: NonNullable<Script["webhook"]> = (body) =>
  Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)

const environment = Effect.gen(function* () {
  const store = MemoryStore.make()
  const engine = yield* start(store, [
    scripted("a", { create: () => Effect.succeed(Outcome.pending({})), webhook: vendor }, inquiryOnly)
  ])
  const records = yield* Effect.forEach([1, 2, 3, 4], () => engine.create())
  return {
    receive: (events: ReadonlyArray<Evidence>) =>
      engine.inbox.receive("a", new TextEncoder().encode(JSON.stringify(events)), {}),
    events: (...ids: ReadonlyArray<string | undefined>) =>
      records.flatMap((record, n) => (n in ids ? [reported(createOf(record), taken, ids[n])] : [])),
    rows: Effect.forEach(records, ({ payment }) => Effect.map(store.evidenceOf(payment.id), (rows) => rows.length)),
    states: Effect.forEach(records, (record) => Effect.map(read(store, record), ({ payment }) => payment.state.status)),
    ids: Effect.forEach(records, ({ payment }) =>
      Effect.map(store.evidenceOf(payment.id), (rows) => rows.map(({ eventId }) => eventId).join())
    )
  }
})

describe("the events of a webhook", () => {
  it.effect("are all applied without ids, even from two webhooks with the same number of events", () =>
    Effect.gen(function* () {
      const { events, receive, states } = yield* environment
      const [first, second, third, fourth] = events(undefined, undefined, undefined, undefined)
      for (const body of [
        [first, second],
        [third, fourth]
      ])
        yield* receive(body.flatMap((event) => event ?? []))
      assert.deepStrictEqual(yield* states, ["succeeded", "succeeded", "succeeded", "succeeded"])
    })
  )

  it.effect("keep their own ids; duplicates get a number", () =>
    Effect.gen(function* () {
      const { events, ids, receive } = yield* environment
      yield* receive(events("x", "y", "x", "x"))
      assert.deepStrictEqual(yield* ids, ["x", "y", "x#2", "x#3"])
    })
  )

  it.effect("under an id that was used before are applied if they report something else", () =>
    Effect.gen(function* () {
      const { events, ids, receive, states } = yield* environment
      const [first, second] = events("x", "x")
      for (const event of [first, second, first, second]) {
        assert.strictEqual(yield* receive(event === undefined ? [] : [event]), "applied")
      }
      assert.deepStrictEqual(yield* states, ["succeeded", "succeeded", "pending", "pending"])
      assert.deepStrictEqual(yield* ids, ["x", "x", "", ""])
    })
  )

  it.effect("under one id are all applied as a payment goes on, and each once", () =>
    Effect.gen(function* () {
      const { events, receive, rows, states } = yield* environment
      const [paid] = events("x")
      if (paid === undefined) return assert.fail()
      const opened: Evidence = { ...paid, outcome: { _tag: "Pending", vendorCode: "opened" } }
      for (const event of [opened, paid, { ...paid, occurredAt: 5 }, opened]) yield* receive([event])
      assert.deepStrictEqual((yield* states)[0], "succeeded")
      assert.deepStrictEqual((yield* rows)[0], 1)
    })
  )

  it.effect.each(["", " ", "\t\n", "\u200b"])("with the blank id %j are applied as events without one", (blank) =>
    Effect.gen(function* () {
      const { events, ids, receive, states } = yield* environment
      const [first, second] = events(blank, blank)
      for (const event of [first, second, first]) yield* receive(event === undefined ? [] : [event])
      assert.deepStrictEqual((yield* states).slice(0, 2), ["succeeded", "succeeded"])
      assert.deepStrictEqual(yield* ids, ["", "", "", ""])
    })
  )
})
