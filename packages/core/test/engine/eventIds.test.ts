/** The ids under which the events of one webhook are stored. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Evidence } from "../../src/provider/Evidence.ts"
import * as Outcome from "../../src/provider/Outcome.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { createOf, inquiryOnly, read, scripted, start, reported } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const taken = { _tag: "Succeeded" } as const
// Boundary: what a vendor sends is anything.
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
})
