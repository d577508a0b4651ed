/** A rules file that changes while the server runs: what is used, what is reported, and that no fault ends the watch. */
import { assert, describe, it } from "@effect/vitest"
import { RulesWorkFailed } from "@paymux/dashboard"
import { RoutingInvalid } from "@paymux/routing"
import { Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { RulesRefused } from "../../src/rules/reloading.ts"
import { load, parse } from "../../src/rules/loadRules.ts"
import { refused } from "../../src/rules/RulesFile.ts"
import type { ParsedRules } from "../../src/rules/RulesFile.ts"
import * as RulesWatch from "../../src/rules/RulesWatch.ts"
import { temporaryFolder } from "./folder.ts"

const rules = (name: string) => `version: 1\ndefault: { priority: [${name}] }\n`

type Use = (rules: ParsedRules) => Effect.Effect<void, RulesRefused | RulesWorkFailed>

const parsed = (file: string, bytes: Uint8Array) =>
  Effect.mapError(Effect.fromResult(parse({ file }, bytes)), ({ message }) => new RulesRefused({ message }))

/** A file that is in force, and what came of it since. Every `name` is a provider except `unknown`. */
const watched = Effect.fnUntraced(function* (start: string, before: Use = () => Effect.void) {
  const folder = yield* temporaryFolder
  const file = `${folder}/routing.yaml`
  writeFileSync(file, rules(start))
  const used: Array<string> = []
  const reported: Array<string> = []
  const { digest, path } = yield* load(file)
  const { look } = RulesWatch.make({
    file,
    path,
    digest,
    use: Effect.fnUntraced(function* ({ bytes }) {
      const loaded = yield* parsed(file, bytes)
      yield* before(loaded)
      const text = JSON.stringify(loaded.config)
      if (text.includes("unknown")) {
        const path = ["default", "priority", 0]
        const problems = [{ path, message: 'provider "unknown" is not configured' }]
        const { message } = refused(loaded, new RoutingInvalid({ problems }))
        return yield* new RulesRefused({ message })
      }
      used.push(/\["(\w+)"\]/.exec(text)?.[1] ?? text)
    }),
    report: (problem) => Effect.sync(() => void reported.push(problem.replaceAll(`${folder}/`, "")))
  })
  return { folder, file, look, twice: Effect.andThen(look, look), used, reported }
})

describe("a rules file is taken", () => {
  it.live("once it was the same for two looks, and once only", () =>
    Effect.gen(function* () {
      const { file, look, reported, twice, used } = yield* watched("a")
      yield* twice
      assert.deepStrictEqual(used, [])
      writeFileSync(file, rules("b"))
      yield* look
      assert.deepStrictEqual(used, [])
      yield* look
      assert.deepStrictEqual(used, ["b"])
      yield* twice
      yield* twice
      assert.deepStrictEqual({ used, reported }, { used: ["b"], reported: [] })
    })
  )

  it.live("whole: a half-written file is neither used nor reported", () =>
    Effect.gen(function* () {
      const { file, look, reported, twice, used } = yield* watched("a")
      yield* twice
      writeFileSync(file, rules("b").slice(0, 20))
      yield* look
      writeFileSync(file, rules("b"))
      yield* look
      assert.deepStrictEqual({ used, reported }, { used: [], reported: [] })
      yield* look
      assert.deepStrictEqual({ used, reported }, { used: ["b"], reported: [] })
    })
  )

  it.live("whole: not where it is written while it is read", () =>
    Effect.gen(function* () {
      const { file, look, reported, twice, used } = yield* watched("a")
      writeFileSync(file, rules("b").slice(0, 20))
      yield* look
      const looking = yield* Effect.forkChild(look, { startImmediately: true })
      writeFileSync(file, rules("b"))
      yield* Fiber.join(looking)
      assert.deepStrictEqual({ used, reported }, { used: [], reported: [] })
      yield* twice
      assert.deepStrictEqual({ used, reported }, { used: ["b"], reported: [] })
    })
  )

  it.live("by its name: an editor renames another file over it", () =>
    Effect.gen(function* () {
      const { file, twice, used } = yield* watched("a")
      yield* twice
      writeFileSync(`${file}.new`, rules("c"))
      renameSync(`${file}.new`, file)
      yield* twice
      assert.deepStrictEqual(used, ["c"])
    })
  )

  it.live("through symbolic links: a ConfigMap swaps the folder behind it", () =>
    Effect.gen(function* () {
      const { file, folder, reported, twice, used } = yield* watched("a")
      for (const [name, provider] of [
        ["one", "a"],
        ["two", "b"]
      ] as const) {
        mkdirSync(`${folder}/${name}`)
        writeFileSync(`${folder}/${name}/routing.yaml`, rules(provider))
      }
      symlinkSync("one", `${folder}/..data`)
      rmSync(file)
      symlinkSync("..data/routing.yaml", file)
      yield* twice
      symlinkSync("two", `${folder}/..data_tmp`)
      renameSync(`${folder}/..data_tmp`, `${folder}/..data`)
      yield* twice
      assert.deepStrictEqual({ used, reported }, { used: ["b"], reported: [] })
    })
  )

  it.live("in the order of its edits: a look ends when its check does", () =>
    Effect.gen(function* () {
      const checks = yield* Queue.unbounded<void>()
      const { file, look, twice, used } = yield* watched("a", () => Queue.take(checks))
      writeFileSync(file, rules("b"))
      yield* look
      const slow = yield* Effect.forkChild(look, { startImmediately: true })
      yield* Effect.promise(turn)
      writeFileSync(file, rules("c"))
      yield* Queue.offer(checks, undefined)
      yield* Fiber.join(slow)
      yield* Queue.offer(checks, undefined)
      yield* twice
      assert.strictEqual(used.at(-1), "c")
    })
  )

  it.live("not again where only its time changed", () =>
    Effect.gen(function* () {
      const { file, twice, used } = yield* watched("a")
      yield* twice
      writeFileSync(file, rules("a"))
      yield* twice
      assert.deepStrictEqual(used, [])
    })
  )
})

describe("a fault is reported once, and the last good rules stay", () => {
  const faults: ReadonlyArray<readonly [string, (file: string) => void, string]> = [
    [
      "a broken file",
      (file) => writeFileSync(file, "version: 1\nversion: 1\n"),
      "routing.yaml:2:1 this key is in the mapping twice"
    ],
    [
      "a refused file",
      (file) => writeFileSync(file, rules("unknown")),
      'routing.yaml:2:23 provider "unknown" is not configured'
    ],
    [
      "an empty file",
      (file) => writeFileSync(file, ""),
      "routing.yaml is empty: rules have at least `version: 1` and a `default`"
    ],
    ["no file", (file) => rmSync(file), "routing.yaml is not there"],
    ["a folder", (file) => (rmSync(file), mkdirSync(file)), "routing.yaml is not a file"],
    ["no text", (file) => writeFileSync(file, new Uint8Array([255, 254])), "routing.yaml is not UTF-8"],
    [
      "too much",
      (file) => writeFileSync(file, "#".repeat(5 << 20)),
      "routing.yaml is 5.0 MB; rules may have at most 4 MB"
    ]
  ]
  for (const [what, spoil, line] of faults) {
    it.live(`wrong: ${what}`, () =>
      Effect.gen(function* () {
        const { file, reported, twice, used } = yield* watched("a")
        yield* twice
        spoil(file)
        yield* twice
        yield* twice
        assert.deepStrictEqual({ used, reported }, { used: [], reported: [line] })
        rmSync(file, { recursive: true, force: true })
        writeFileSync(file, rules("a"))
        yield* twice
        yield* twice
        assert.deepStrictEqual({ used, reported }, { used: ["a"], reported: [line] })
      })
    )
  }

  // A superuser reads what others may not.
  const isRoot = process.getuid?.() === 0
  it.live.skipIf(isRoot)(
    `a file that may not be read, until it may${isRoot ? " (skipped: root may read all)" : ""}`,
    () =>
      Effect.gen(function* () {
        const { file, reported, twice, used } = yield* watched("a")
        writeFileSync(file, rules("b"))
        chmodSync(file, 0)
        yield* twice
        yield* twice
        assert.deepStrictEqual(
          { used, reported },
          { used: [], reported: ["routing.yaml cannot be read: permission denied"] }
        )
        chmodSync(file, 0o600)
        yield* twice
        assert.deepStrictEqual(used, ["b"])
      })
  )

  it.live("each other fault anew", () =>
    Effect.gen(function* () {
      const { file, reported, twice } = yield* watched("a")
      for (const content of ["a: 1\na: 1\n", "a: 1\na: 1\n", "b: .nan", "a: 1\na: 1\n"]) {
        writeFileSync(file, content)
        yield* twice
      }
      assert.deepStrictEqual(reported, [
        "routing.yaml:2:1 this key is in the mapping twice",
        "routing.yaml:1:4 must be a finite number",
        "routing.yaml:2:1 this key is in the mapping twice"
      ])
    })
  )

  it.live("rules that took too long to check, which are tried again once they are saved again", () =>
    Effect.gen(function* () {
      const busy = { still: true }
      const { file, reported, twice, used } = yield* watched("a", () =>
        busy.still ? Effect.fail(new RulesWorkFailed({ reason: "too slow" })) : Effect.void
      )
      writeFileSync(file, rules("b"))
      yield* twice
      yield* twice
      assert.deepStrictEqual({ used, reported }, { used: [], reported: ["too slow"] })
      busy.still = false
      yield* twice
      assert.deepStrictEqual(used, [])
      writeFileSync(file, rules("b"))
      yield* twice
      assert.deepStrictEqual({ used, reported }, { used: ["b"], reported: ["too slow"] })
    })
  )

  it.live("what should never happen too, and the next good file is taken", () =>
    Effect.gen(function* () {
      const failing = { still: true }
      const { file, reported, twice, used } = yield* watched("a", () =>
        failing.still ? Effect.die(new Error("out of luck")) : Effect.void
      )
      writeFileSync(file, rules("b"))
      yield* twice
      yield* twice
      assert.deepStrictEqual({ used, reported }, { used: [], reported: ["routing.yaml: Error: out of luck"] })
      failing.still = false
      writeFileSync(file, rules("c"))
      yield* twice
      assert.deepStrictEqual(used, ["c"])
    })
  )
})

describe("over time", () => {
  it.effect("it is looked at every second of the clock, whatever happens", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = `${folder}/routing.yaml`
      writeFileSync(file, rules("a"))
      const { digest, path } = yield* load(file)
      const used = yield* Queue.unbounded<unknown>()
      const following = yield* Effect.forkChild(
        RulesWatch.follow({
          file,
          path,
          digest,
          use: ({ bytes }) =>
            Effect.flatMap(parsed(file, bytes), ({ config }) => Effect.asVoid(Queue.offer(used, config))),
          report: (problem) => Effect.andThen(Queue.offer(used, problem), Effect.die(new Error("the log is full")))
        })
      )
      writeFileSync(file, "")
      // The file is read in real time: the clock goes on until it was.
      const turning = yield* Effect.forkChild(
        Effect.forever(Effect.andThen(TestClock.adjust("1 second"), Effect.promise(turn)))
      )
      assert.include(String(yield* Queue.take(used)), "routing.yaml is empty")
      writeFileSync(file, rules("b"))
      assert.include(String(yield* Queue.take(used)), "the log is full")
      assert.deepStrictEqual(yield* Queue.take(used), { version: 1, default: { priority: ["b"] } })
      yield* Fiber.interrupt(turning)
      yield* Fiber.interrupt(following)
    })
  )

  it.live("of a thousand reloads nothing is kept but the last", () =>
    Effect.gen(function* () {
      const seen: Array<WeakRef<object>> = []
      const { file, look, used } = yield* watched("a", (loaded) =>
        Effect.sync(() => void seen.push(new WeakRef(loaded)))
      )
      for (let i = 0; i < 1_000; i++) {
        writeFileSync(file, `${rules("b")}# ${i}\n`)
        yield* look
        yield* look
      }
      assert.strictEqual(used.length, 1_000)
      yield* Effect.promise(turn)
      setFlagsFromString("--expose-gc")
      runInNewContext("gc")()
      assert.isAtMost(seen.filter((each) => each.deref() !== undefined).length, 2)
    })
  )
})

/** Lets what the system has ready be taken. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
