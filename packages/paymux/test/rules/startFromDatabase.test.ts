/** Which version of the rules a start takes when the newest ones cannot be read, for whatever reason. */
import { assert, describe, it } from "@effect/vitest"
import { RulesWorkFailed } from "@paymux/dashboard"
import { runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Result } from "effect"
import { settingsMigrations } from "../../src/options/Settings.ts"
import { checkToJson } from "../../src/rules/draft.ts"
import * as RulesVersions from "../../src/rules/RulesVersions.ts"
import { newestFitting } from "../../src/rules/startFromDatabase.ts"

const providers = [
  {
    id: "a",
    mode: "test" as const,
    capabilities: {
      methods: { card: { currencies: "any" as const, flows: { hosted: {} } } },
      operations: { create: {} }
    }
  }
]

const database = Layer.orDie(
  Layer.provideMerge(
    Layer.effectDiscard(runMigrations([settingsMigrations])),
    SqliteClient.layer({ filename: ":memory:" })
  )
)

const publish = (remark: string, from: number) =>
  RulesVersions.add({
    from,
    ruleset: `sha256:${remark}`,
    text: `version: 1 # ${remark}\ndefault: { priority: [a] }\n`,
    note: null,
    restores: null
  })

/** Ends as the remark of a text says. */
const check = (text: string) => {
  if (text.includes("defect")) return Effect.die(new RangeError("Maximum call stack size exceeded"))
  return text.includes("thread")
    ? Effect.fail(new RulesWorkFailed({ reason: "The rules take too much memory: simplify them." }))
    : checkToJson(text, providers)
}

const unfit = (version: number, reason: string) => ({
  version,
  problems: [{ line: null, column: null, message: `cannot be read: ${reason}` }],
  isRefused: false
})

describe("a start from rules in the database", () => {
  it.effect("goes on with the version before one whose check ends with a defect or takes too much, and says why", () =>
    Effect.gen(function* () {
      yield* publish("good", 0)
      yield* publish("thread", 1)
      yield* publish("defect", 2)
      const ofThree = yield* newestFitting(3, providers, check)
      assert.deepStrictEqual([ofThree.version, ofThree.unfit], [1, unfit(3, "Maximum call stack size exceeded")])
      const ofTwo = yield* newestFitting(2, providers, check)
      assert.deepStrictEqual(
        [ofTwo.version, ofTwo.unfit],
        [1, unfit(2, "The rules take too much memory: simplify them.")]
      )
    }).pipe(Effect.provide(database))
  )

  it.effect("fails with the version and the reason if no version can be read", () =>
    Effect.gen(function* () {
      yield* publish("defect", 0)
      const failed = yield* Effect.result(newestFitting(1, providers, check))
      assert.match(
        Result.isFailure(failed) ? failed.failure.message : "",
        /^version 1 of the rules .*\nversion 1 of the rules cannot be read: Maximum call stack size exceeded$/
      )
    }).pipe(Effect.provide(database))
  )
})
