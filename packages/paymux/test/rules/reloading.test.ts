/** A changed rules file is checked in another thread, whatever becomes of that thread. */
import { assert, describe, it } from "@effect/vitest"
import { runMigrations, SqliteClient } from "@paymux/sql"
import { Routing, RoutingInvalid } from "@paymux/routing"
import { Effect, Layer, Logger, Result } from "effect"
import * as fc from "fast-check"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Worker } from "node:worker_threads"
import { afterAll, beforeAll } from "vitest"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"
import { settingsMigrations } from "../../src/options/Settings.ts"
import { checkFile } from "../../src/rules/checkFile.ts"
import { reload } from "../../src/rules/reloading.ts"
import { newWarnings } from "../../src/rules/logWarnings.ts"
import type { CheckInThread } from "../../src/rules/reloading.ts"
import { get } from "../../src/rules/RulesHistory.ts"
import { readRulesJson, toRulesJson } from "../../src/rules/RulesJson.ts"
import { RulesThreadFailed } from "../../src/rules/worker/askWorker.ts"
import * as RulesThread from "../../src/rules/worker/RulesThread.ts"

const providers = ["a", "b"].map((id) => ({
  id,
  mode: "test" as const,
  capabilities: { methods: { card: { currencies: "any" as const, flows: { hosted: {} } } }, operations: { create: {} } }
}))

const rules = (provider: string) => `version: 1\ndefault: { priority: [${provider}] }\n`
const fileOf = (text: string) => ({ file: "routing.yaml", bytes: new TextEncoder().encode(text) })

const database = Layer.orDie(
  Layer.provideMerge(
    Layer.effectDiscard(runMigrations([settingsMigrations])),
    SqliteClient.layer({ filename: ":memory:" })
  )
)

/** What is in force after a reload, what was logged, and how it ended. */
const reloaded = Effect.fnUntraced(function* (text: string, check: CheckInThread) {
  const used: Array<unknown> = []
  const logged: Array<string> = []
  const routing = Routing.of({
    use: () => Effect.die("not asked"),
    useChecked: ({ config, ruleset }) => Effect.sync(() => (used.push(config), ruleset)),
    current: Effect.die("not asked"),
    startWarnings: []
  })
  const result = yield* Effect.result(
    reload(fileOf(text), providers, check).pipe(
      Effect.provideService(Routing, routing),
      Effect.provide(Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void logged.push(line))]))
    )
  )
  const kept = yield* get(1)
  const [warnings, message] = Result.isFailure(result) ? [[], result.failure.message] : [result.success, null]
  return { used, logged, kept, warnings, message }
}, Effect.provide(database))

const inThread: CheckInThread = (file) =>
  Effect.scoped(Effect.flatMap(RulesThread.make(providers, null), (thread) => thread.checkFile(file)))

describe("a rules file that was checked in another thread", () => {
  it.live("is in force, and in the history as it was written", () =>
    Effect.gen(function* () {
      const { kept, logged, message, used } = yield* reloaded(rules("a"), inThread)
      assert.isNull(message)
      assert.deepStrictEqual(used, [{ version: 1, default: { priority: ["a"] } }])
      assert.strictEqual(logged.length, 1)
      assert.match(logged[0] ?? "", /Routing rules sha256:[0-9a-f]{64} in force, from routing\.yaml/)
      assert.deepInclude(kept, { source: "routing.yaml", text: rules("a") })
    })
  )

  it.live("has a warning for what may not do what it seems to", () =>
    Effect.gen(function* () {
      const text = `${rules("a")}failover: { deadline: 1ms }\n`
      const { warnings } = yield* reloaded(text, inThread)
      assert.include(warnings[0] ?? "", "routing.yaml:3:23")
    })
  )

  it.effect("logs a warning once, however often rules with it are put in force, and again once it was resolved", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const warn = newWarnings(["a"])
      const log = (lines: ReadonlyArray<string>) =>
        Effect.provide(warn(lines), Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))]))
      yield* Effect.forEach([["a"], ["a", "b"], ["a", "b"], ["b"], ["a", "b"], []], log)
      assert.deepStrictEqual(
        logged.map((line) => line.split("\n").slice(1)),
        [["b"], ["a"]]
      )
    })
  )

  it.live("changes nothing if it is invalid, with the message of a check in this thread", () =>
    Effect.gen(function* () {
      for (const [text, line] of [
        ["version: 1\nversion: 1\n", "routing.yaml:2:1 this key is in the mapping twice"],
        [rules("unknown"), 'routing.yaml:2:23 default: provider "unknown" is not configured'],
        ["", "routing.yaml is empty: rules have at least `version: 1` and a `default`"]
      ] as const) {
        const { kept, logged, message, used } = yield* reloaded(text, inThread)
        assert.deepStrictEqual({ kept, logged, message, used }, { kept: null, logged: [], message: line, used: [] })
        assert.deepStrictEqual(yield* checkFile(fileOf(text), providers), { _tag: "Refused", message: line })
      }
    })
  )

  it.live("is checked in this thread if the other one fails, which is logged", () =>
    Effect.gen(function* () {
      const fails: CheckInThread = () => Effect.fail(new RulesThreadFailed({ reason: "The thread ended." }))
      const { logged, message, used } = yield* reloaded(rules("b"), fails)
      assert.isNull(message)
      assert.deepStrictEqual(used, [{ version: 1, default: { priority: ["b"] } }])
      assert.include(logged[0] ?? "", "level=WARN")
      assert.include(logged[0] ?? "", "The thread ended. routing.yaml is checked in the thread that serves payments")
    })
  )

  it.live("is refused by the last check of its form", () =>
    Effect.gen(function* () {
      const problems = [{ path: [], message: "no longer fits" }]
      const routing = Routing.of({
        use: () => Effect.die("not asked"),
        useChecked: () => Effect.fail(new RoutingInvalid({ problems })),
        current: Effect.die("not asked"),
        startWarnings: []
      })
      const refused = yield* Effect.flip(
        Effect.provideService(reload(fileOf(rules("a")), providers, inThread), Routing, routing)
      )
      assert.strictEqual(refused._tag, "RulesRefused")
      assert.include(refused.message, "no longer fits")
    }).pipe(Effect.provide(database))
  )
})

describe("rules in JSON, in parts", () => {
  it("are the rules", async () => {
    const config = fc.record({ version: fc.integer(), rules: fc.array(fc.jsonValue()), default: fc.jsonValue() })
    const check = fc.asyncProperty(fc.oneof(config, fc.jsonValue()), async (value) => {
      // JSON has no negative zero.
      const plain: unknown = JSON.parse(JSON.stringify(value))
      const { frame, parts, whole } = toRulesJson(plain)
      const read = await Effect.runPromise(readRulesJson({ frame, parts }))
      assert.deepStrictEqual(read, plain)
      assert.strictEqual(whole, JSON.stringify(read))
    })
    await fc.assert(check, { numRuns: 200, seed: 1 })
  })

  it("are in many parts if they are many", async () => {
    const config = { version: 1, rules: Array.from({ length: 5_000 }, (_, n) => ({ name: `rule ${n}`, when: {} })) }
    const json = toRulesJson(config)
    assert.isAbove(json.parts.length, 2)
    for (const part of json.parts) assert.isBelow(part.length, 70_000)
    assert.deepStrictEqual(await Effect.runPromise(readRulesJson(json)), config)
  })
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-reloading-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const started = async (name: string): Promise<{ readonly file: string; readonly paymux: Paymux }> => {
  const file = join(folder, name)
  writeFileSync(file, rules("sandbox_card_a"))
  const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false, routing: file })
  return { file, paymux }
}

const providerOf = async (paymux: Paymux): Promise<string | undefined> => {
  const { attempts } = await paymux.payments.create({
    amount: 1200,
    currency: "EUR",
    payment_method: "card",
    customer: { email: "asha@example.com", phone: "+4915112345678" },
    payment_method_details: { card: { token: "tok_success" } }
  })
  return attempts[0]?.provider
}

/** The next thread that this process starts. */
const nextWorker = () =>
  new Promise<Worker>((resolve) => {
    process.once("worker", resolve)
  })

/** Valid, and not checked in no time. */
const many = (provider: string): string => {
  const each = Array.from(
    { length: 500 },
    (_, n) =>
      `  - { name: rule ${n}, when: { currency: EUR, amount: { between: [${n + 1}, ${n + 5_000}] } }, choose: { priority: [${provider}] } }\n`
  )
  return `version: 1\nrules:\n${each.join("")}default: { priority: [${provider}] }\n`
}

describe("the thread that checks a rules file", () => {
  it("may die: the rules are in force all the same", async () => {
    const { file, paymux } = await started("dies.yaml")
    await using _ = paymux
    const dying = nextWorker().then((worker) => worker.terminate())
    writeFileSync(file, rules("sandbox_card_b"))
    await dying
    while ((await providerOf(paymux)) !== "sandbox_card_b") await setTimeout(50)
  })

  it("ends after its check, and with the server", async () => {
    const { file, paymux } = await started("closes.yaml")
    const first = nextWorker()
    writeFileSync(file, rules("sandbox_card_b"))
    await once(await first, "exit")
    const second = nextWorker()
    writeFileSync(file, many("sandbox_card_a"))
    const worker = await second
    const ended = once(worker, "exit")
    const begun = performance.now()
    await paymux.close()
    await ended
    assert.isBelow(performance.now() - begun, 10_000)
  })

  it("checks quick edits one after the other: the last one is in force", async () => {
    const { file, paymux } = await started("quick.yaml")
    await using _ = paymux
    const slow = nextWorker()
    writeFileSync(file, many("sandbox_card_a"))
    await slow
    writeFileSync(file, many("sandbox_card_a").replace("rule 0", "rule zero"))
    writeFileSync(file, rules("sandbox_card_b"))
    while ((await providerOf(paymux)) !== "sandbox_card_b") await setTimeout(50)
    await setTimeout(2_000)
    assert.strictEqual(await providerOf(paymux), "sandbox_card_b")
  })
})
