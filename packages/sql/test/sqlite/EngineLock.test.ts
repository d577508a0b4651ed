import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as EngineLock from "../../src/sqlite/EngineLock.ts"
import { moduleUrl, otherProcess, temporaryFile } from "../OnDisk.ts"

const withLock = (filename: string) => Effect.provide(EngineLock.layer({ filename }))

const refusal = (filename: string) => Effect.flip(withLock(filename)(Effect.void))

describe("EngineLock", () => {
  it.effect("a second engine in the same process is refused, with a sentence that names the file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const error = yield* refusal(filename).pipe(withLock(filename))
      assert.strictEqual(error._tag, "EngineAlreadyRunning")
      assert.strictEqual(error.message, `Another Paymux engine is already running on ${filename}: stop it first.`)
    })
  )

  it.effect("the lock is free again after its scope, and a refusal does not free it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* withLock(filename)(refusal(filename).pipe(Effect.andThen(refusal(filename))))
      yield* withLock(filename)(Effect.void)
    })
  )

  it.effect("its file can be read by its owner alone, and is not opened again while it is locked", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const modeOf = () => statSync(`${filename}-lock`).mode & 0o777
      const first = yield* withLock(filename)(Effect.sync(modeOf))
      assert.strictEqual(first, process.platform === "win32" ? 0o666 : 0o600)
      const program = `
        import { DatabaseSync } from "node:sqlite"
        const db = new DatabaseSync(process.argv.at(-1) + "-lock", { timeout: 0 })
        try { db.exec("BEGIN EXCLUSIVE"); console.log("free") } catch { console.log("locked") }`
      const other = () =>
        spawnSync(process.execPath, ["--input-type=module", "--eval", program, filename], { encoding: "utf8" }).stdout
      const during = Effect.andThen(refusal(filename), Effect.sync(other))
      assert.strictEqual((yield* withLock(filename)(during)).trim(), "locked")
    })
  )

  it.effect("other spellings of the path are the same file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const directory = dirname(filename)
      mkdirSync(join(directory, "sub"))
      writeFileSync(filename, "")
      symlinkSync(filename, join(directory, "link.db"))
      const spellings = [`${directory}/sub/../payments.db`, join(directory, "link.db")]
      yield* withLock(filename)(Effect.forEach(spellings, (spelling) => refusal(spelling)))
    })
  )

  it.effect("a hard link is the same file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const link = join(dirname(filename), "hard.db")
      writeFileSync(filename, "")
      linkSync(filename, link)
      assert.strictEqual((yield* withLock(filename)(refusal(link)))._tag, "EngineAlreadyRunning")
      yield* withLock(link)(Effect.void)
    })
  )

  it.effect("databases in memory are not locked", () => withLock(":memory:")(withLock(":memory:")(Effect.void)))

  it.effect("a directory that is not there is a ConnectionError", () =>
    Effect.gen(function* () {
      const error = yield* refusal("/nowhere/payments.db")
      assert.strictEqual(error._tag === "SqlError" ? error.reason._tag : error._tag, "ConnectionError")
    })
  )

  it.live("an engine in another process is refused until kill -9, which frees the lock", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const other = yield* otherProcess(holdForever(filename))
      assert.strictEqual(yield* other.nextLine, "held")
      assert.strictEqual((yield* refusal(filename))._tag, "EngineAlreadyRunning")
      yield* other.kill
      yield* withLock(filename)(Effect.void)
    })
  )

  it.live("other programs read and write the database beside a running engine", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const other = yield* otherProcess(holdForever(filename))
      assert.strictEqual(yield* other.nextLine, "held")
      const db = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(filename)),
        (db) => Effect.sync(() => db.close())
      )
      db.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('hello')")
      assert.strictEqual(db.prepare("SELECT text FROM notes").get()?.["text"], "hello")
    })
  )
})

const holdForever = (filename: string) => `
  import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
  import { layer } from ${moduleUrl("sqlite/EngineLock.ts")}
  const holder = Effect.runFork(Effect.sync(() => process.stdout.write("held\\n")).pipe(
    Effect.andThen(Effect.never),
    Effect.provide(layer({ filename: ${JSON.stringify(filename)} }))
  ))
  // Refers to the fiber: otherwise it may be collected, with the lock that it holds.
  setInterval(() => holder, 60_000)
`
