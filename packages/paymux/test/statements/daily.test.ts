/** When the statement of a provider is read without a command. */
import { assert, describe, it } from "@effect/vitest"
import { Ids, invalidRequest, rateLimited } from "@paymux/core"
import type { ProviderError } from "@paymux/core"
import { ProviderRegistry } from "@paymux/core/engine"
import type { StatementPage } from "@paymux/core/statement"
import { Statements } from "@paymux/sql"
import { memoryContext } from "@paymux/test-suites"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { instantProvider } from "../../../../test/bench/InstantProvider.ts"
import { databaseLayer } from "../../src/Database.ts"
import { dailyStatements } from "../../src/reconcile/dailyStatements.ts"

const empty: StatementPage = { movements: [], next: null }

/** The hours after the start at which `answer` was asked for. */
const reading = Effect.fnUntraced(function* (answer: Effect.Effect<StatementPage, ProviderError>, hours: number) {
  const asked: Array<number> = []
  let hour = 0
  const provider = {
    ...instantProvider,
    capabilities: { ...instantProvider.capabilities, statement: { bookedWithin: "1 minute" } as const }
  }
  const operations = {
    ...(yield* provider.make(memoryContext(provider.id))),
    statement: () => Effect.suspend(() => (asked.push(hour), answer))
  }
  const running = {
    provider,
    operations,
    declared: () => assert.fail("no payment is made"),
    checkpointed: () => null,
    forget: () => {}
  }
  const registry = ProviderRegistry.of({
    providers: [provider],
    get: () => running,
    serving: () => running,
    declared: () => assert.fail("no payment is made"),
    retired: [],
    currentId: (id) => id,
    firstId: (id: string) => id,
    idsOf: (id) => [id]
  })
  yield* TestClock.setTime(Date.UTC(2026, 10, 1))
  yield* Layer.build(
    dailyStatements.pipe(
      Layer.provide(Layer.succeed(ProviderRegistry, registry)),
      Layer.provide(Statements.layer),
      Layer.provide(databaseLayer({ _tag: "Sqlite", filename: ":memory:" })),
      Layer.provide(Ids.layer),
      Layer.provide(Logger.layer([]))
    )
  )
  yield* TestClock.adjust("4 minutes")
  assert.isEmpty(asked)
  for (hour = 0; hour < hours; hour++) {
    yield* TestClock.adjust("1 hour")
    // Reading goes on while the clock does not move: the database answers in turns of the process.
    for (let turn = 0; turn < 50; turn++) yield* Effect.promise(() => setImmediate())
  }
  return asked
})

describe("the daily task", () => {
  it.effect("reads a statement soon after the start, and then once a day", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reading(Effect.succeed(empty), 50), [0, 23, 46])
    })
  )

  it.effect("tries again within the hour if the provider does not answer", () =>
    Effect.gen(function* () {
      const asked = yield* reading(Effect.fail(rateLimited(null)), 3)
      assert.deepStrictEqual([...new Set(asked)], [0, 1, 2])
    })
  )

  it.effect("waits for a day if the run has failed for good", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reading(Effect.fail(invalidRequest("a line of an unknown type")), 50), [0, 24, 48])
    })
  )
})
