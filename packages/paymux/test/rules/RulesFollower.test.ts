/** Which versions of the rules in the database a process puts in force, and which it checks again. */
import { assert, describe, it } from "@effect/vitest"
import { RulesWorkFailed } from "@paymux/dashboard"
import { Routing } from "@paymux/routing"
import { PostgresClient, runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Logger, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { settingsMigrations } from "../../src/options/Settings.ts"
import * as RulesFollower from "../../src/rules/RulesFollower.ts"
import * as RulesVersions from "../../src/rules/RulesVersions.ts"
import type { UnfitVersion } from "../../src/rules/startFromDatabase.ts"
import * as RulesThread from "../../src/rules/worker/RulesThread.ts"

const providers = ["a", "b"].map((id) => ({
  id,
  mode: "test" as const,
  capabilities: { methods: { card: { currencies: "any" as const, flows: { hosted: {} } } }, operations: { create: {} } }
}))

const textTo = (provider: string): string => `version: 1\ndefault: { priority: [${provider}] }\n`

const publish = (provider: string, from: number) =>
  RulesVersions.add({
    from,
    ruleset: `sha256:${provider}`,
    text: textTo(provider),
    note: null,
    restores: null
  })

const databases: ReadonlyArray<readonly [string, () => Layer.Layer<SqlClient.SqlClient>]> = [
  [
    "SQLite",
    () =>
      Layer.orDie(
        Layer.provideMerge(
          Layer.effectDiscard(runMigrations([settingsMigrations])),
          SqliteClient.layer({ filename: ":memory:" })
        )
      )
  ],
  [
    "PostgreSQL",
    () =>
      Layer.orDie(
        Layer.unwrap(
          Effect.map(temporaryDatabase([settingsMigrations]), (url) =>
            PostgresClient.layer({ url: Redacted.make(url) })
          )
        )
      )
  ]
]

/** A follower of version 1, whose checks fail as long as `isBroken`, as they do where no thread can start. */
const following = (unfit: UnfitVersion | null = null) => Effect.andThen(publish("a", 0), followed(unfit))

/** The same of versions that are there. */
const followed = Effect.fnUntraced(function* (unfit: UnfitVersion | null) {
  const thread = yield* RulesThread.make(providers, null)
  const state = { isBroken: false, brokenRuleset: "", checks: 0, inForce: Array<unknown>(), logged: Array<string>() }
  const routing = Routing.of({
    use: () => Effect.die("not called"),
    useChecked: ({ config, ruleset }) =>
      Effect.sync(() => {
        if (ruleset === state.brokenRuleset) throw new RangeError("Maximum call stack size exceeded")
        state.inForce.push(config)
        return ruleset
      }),
    current: Effect.die("not called"),
    startWarnings: []
  })
  const { look, problemsOf } = yield* RulesFollower.make(routing, { version: 1, unfit }, (name, given) =>
    Effect.suspend(() => {
      state.checks++
      return state.isBroken ? Effect.fail(new RulesWorkFailed({ reason: "no thread" })) : thread.run(name, given)
    })
  )
  const log = Logger.layer([Logger.make(({ message }) => void state.logged.push(String(message)))])
  return { state, look: Effect.provide(look, log), problemsOf }
})

const toB = { version: 1, default: { priority: ["b"] } }

describe.each(databases)("a follower of the rules in the database, on %s", (_, database) => {
  it.live("checks a version again that it could not check, and reports once that it could not", () =>
    Effect.gen(function* () {
      const { look, problemsOf, state } = yield* following()
      yield* publish("b", 1)
      state.isBroken = true
      yield* Effect.andThen(look, look)
      assert.deepStrictEqual(state.inForce, [])
      assert.deepStrictEqual(problemsOf(2), [])
      assert.deepStrictEqual(state.logged, ["Version 2 of the routing rules was not checked: no thread"])
      state.isBroken = false
      yield* Effect.andThen(look, look)
      assert.deepStrictEqual(state.inForce, [toB])
    }).pipe(Effect.provide(database()))
  )

  it.live("checks it less and less often, and a newer one at once", () =>
    Effect.gen(function* () {
      const { look, state } = yield* following()
      yield* publish("b", 1)
      state.isBroken = true
      yield* Effect.repeat(look, { times: 62 })
      // After 1, 2, 4, 8, 16 and 32 looks.
      assert.strictEqual(state.checks, 6)
      state.isBroken = false
      yield* publish("b", 2)
      yield* look
      assert.strictEqual(state.checks, 7)
      assert.deepStrictEqual(state.inForce, [toB])
    }).pipe(Effect.provide(database()))
  )

  it.live("says why a version does not fit once it can be read, and keeps the newest that does not fit", () =>
    Effect.gen(function* () {
      const problem = { line: null, column: null, message: "cannot be read: no thread" }
      yield* publish("a", 0)
      yield* publish("c", 1)
      const { look, problemsOf } = yield* followed({ version: 2, problems: [problem], isRefused: false })
      assert.deepStrictEqual(problemsOf(2), [problem])
      yield* look
      assert.match(problemsOf(2)[0]?.message ?? "", /"c"|provider/)
    }).pipe(Effect.provide(database()))
  )

  it.live("skips no version that it could not check, also if an older one fits", () =>
    Effect.gen(function* () {
      const { look, state } = yield* following()
      yield* publish("a", 1)
      yield* publish("b", 2)
      state.isBroken = true
      yield* look
      state.isBroken = false
      yield* look
      assert.deepStrictEqual(state.inForce, [toB])
    }).pipe(Effect.provide(database()))
  )

  it.live(
    "keeps the rules that are in force if a version that was found valid ends with a defect, and says which",
    () =>
      Effect.gen(function* () {
        const { look, problemsOf, state } = yield* following()
        yield* publish("b", 1)
        const checked = yield* Effect.scoped(
          Effect.flatMap(RulesThread.make(providers, null), ({ run }) => run("Check", { text: textTo("b") }))
        )
        state.brokenRuleset = checked.ruleset
        yield* Effect.andThen(look, look)
        assert.deepStrictEqual(state.inForce, [])
        assert.deepStrictEqual(state.logged, [
          "Version 2 of the routing rules cannot be used here, version 1 stays in force:\nMaximum call stack size exceeded"
        ])
        assert.deepStrictEqual(
          problemsOf(2).map(({ message }) => message),
          ["cannot be put in force: Maximum call stack size exceeded"]
        )
      }).pipe(Effect.provide(database()))
  )

  it.live("checks the version again that a start could not read, and not the one that it refused", () =>
    Effect.gen(function* () {
      const problems = [{ line: null, column: null, message: "cannot be read: it took too long" }]
      for (const isRefused of [true, false]) {
        yield* Effect.gen(function* () {
          const { look, problemsOf, state } = yield* following({ version: 2, problems, isRefused })
          yield* publish("b", 1)
          assert.deepStrictEqual(problemsOf(2), problems)
          yield* look
          assert.deepStrictEqual(state.inForce, isRefused ? [] : [toB])
          assert.deepStrictEqual(problemsOf(2), isRefused ? problems : [])
        }).pipe(Effect.provide(database()))
      }
    })
  )

  it.live("checks a version once that does not fit, and keeps its problems", () =>
    Effect.gen(function* () {
      const { look, problemsOf, state } = yield* following()
      yield* publish("unknown", 1)
      yield* Effect.andThen(look, look)
      assert.deepStrictEqual(state.inForce, [])
      assert.lengthOf(problemsOf(2), 1)
      assert.lengthOf(state.logged, 1)
      assert.match(state.logged[0] ?? "", /^Version 2 .* cannot be used here, version 1 stays in force/)
      yield* publish("b", 2)
      yield* look
      assert.deepStrictEqual(state.inForce, [toB])
      assert.deepStrictEqual(problemsOf(3), [])
    }).pipe(Effect.provide(database()))
  )
})
