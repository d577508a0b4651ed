/** What is logged of the mark of a restored database, and how each instance takes unknown requests while it holds. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { Restorations } from "../../../src/execution/restore/Restorations.ts"
import { restoredStanding } from "../../../src/execution/restore/sendSafety.ts"
import { timings } from "../../../src/execution/timings.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore } from "../../../src/store/PaymentStore.ts"

const HOUR = 3_600_000

describe("the mark of a restored database", () => {
  it.effect("is logged once by a process that knew another one, and not after it has ended", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    const store = MemoryStore.make()
    const marked = (until: number) =>
      Effect.flatMap(store.restoration.read, (before) =>
        store.restoration.replace(before, { wentBackTo: 0, markedAt: 0, until, acceptedDoubles: [] })
      )
    return Effect.gen(function* () {
      const { known, reread } = yield* Restorations
      yield* known
      yield* reread
      assert.deepStrictEqual(lines, [])
      yield* marked(24 * HOUR)
      yield* reread
      yield* reread
      yield* known
      assert.lengthOf(lines, 1)
      assert.match(
        lines[0] ?? "",
        /^Warn The database is marked as restored to 1970-01-01T00:00:00\.000Z\. Until 1970-01-02/
      )
      yield* marked(0)
      yield* reread
      assert.lengthOf(lines, 1)
    }).pipe(
      Effect.provide(Layer.provide(Restorations.layer, Layer.succeed(PaymentStore, store))),
      Effect.provide(Logger.layer([logger]))
    )
  })

  const mark = { wentBackTo: 10 * HOUR, markedAt: 11 * HOUR, until: 35 * HOUR, acceptedDoubles: ["accepted"] }
  const neither = {
    canInquire: false,
    idempotency: { by: "none", lifetimeMs: 0 },
    inquiresByName: false,
    notFoundIsFinalAfterMs: null
  } as const
  const keys = { ...neither, idempotency: { by: "header", lifetimeMs: 24 * HOUR } } as const
  const proves = { ...neither, canInquire: true, inquiresByName: true, notFoundIsFinalAfterMs: 900_000 } as const

  it.each([
    ["accepted", neither, 12, null, { _tag: "AcceptsDoubles" }],
    ["a", neither, 12, null, { _tag: "Excluded" }],
    ["a", keys, 12, null, { _tag: "RefusesSecond" }],
    ["a", keys, 34.5, null, { _tag: "Excluded" }],
    ["a", keys, 12, 11 * HOUR, { _tag: "Excluded" }],
    ["a", keys, 12, 10 * HOUR, { _tag: "RefusesSecond" }],
    ["a", proves, 11, null, { _tag: "ProvesAbsence", from: 11 * HOUR + timings.attempt + 900_000 }]
  ] as const)(
    "of instance %s, %j, after %d hours, with former names until %j: %j",
    (id, declared, at, former, standing) => {
      assert.deepStrictEqual(restoredStanding({ id, declared }, mark, former, at * HOUR), standing)
    }
  )
})
