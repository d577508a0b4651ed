/** The thread that writes, below the group commit that gives it work. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql"
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as GroupCommit from "../../../src/sqlite/GroupCommit.ts"
import { layer, SqliteDatabase } from "../../../src/sqlite/SqliteClient.ts"
import type { Commit } from "../../../src/sqlite/steps.ts"
import { identityOf } from "../../../src/sqlite/fileIdentity.ts"
import * as Writer from "../../../src/sqlite/writer/Writer.ts"
import { temporaryFile } from "../../OnDisk.ts"
import { createItems, insert, range, together } from "./items.ts"

const ids = (db: DatabaseSync) =>
  db
    .prepare("SELECT id FROM items ORDER BY id")
    .all()
    .map(({ id }) => id)

/** A module that runs as the thread. */
const threadOf = (script: string) => new URL(`data:text/javascript,${encodeURIComponent(script)}`)

/** It says that it is ready, and does what the script says of a message. */
const threadThat = (onMessage: string) =>
  threadOf(`import { parentPort } from "node:worker_threads"
    parentPort.on("message", (message) => { ${onMessage} })
    parentPort.postMessage({ _tag: "Ready" })`)

interface SetUp {
  readonly module?: URL
  readonly deadlineMs?: number
}

const setUp = Effect.fnUntraced(function* ({ deadlineMs = 10_000, module }: SetUp = {}) {
  const database = yield* SqliteDatabase
  database.db.exec(createItems)
  const { busyTimeoutMs = 5_000, filename } = database.options
  const file = identityOf(filename)
  if (file === null) throw new Error("The file is missing")
  const sent: Array<number> = []
  const lost: Array<string> = []
  const onLost = (reason: string) => void lost.push(reason)
  const options = { filename, file, busyTimeoutMs, deadlineMs, onLost, ...(module !== undefined && { module }) }
  const writer = yield* Effect.acquireRelease(
    Effect.sync(() => Writer.make(options)),
    ({ close }) => close
  )
  const counted: Writer.Writer = {
    ...writer,
    send: (commits, settled) => {
      sent.push(commits.length)
      writer.send(commits, settled)
    }
  }
  const group = GroupCommit.make({ database, writer: counted, fewestSent: 1 })
  const untilReady = Effect.promise(async () => {
    while (!writer.isReady()) await new Promise((resolve) => setTimeout(resolve, 5))
  })
  const untilLost = Effect.promise(async () => {
    while (lost.length === 0) {
      writer.isReady()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })
  return { database, group, lost, sent, untilLost, untilReady, writer }
})

const onFile = <A, E>(
  test: Effect.Effect<A, E, SqliteDatabase | SqlClient.SqlClient | Scope.Scope>,
  busyTimeoutMs = 5_000
) =>
  Effect.flatMap(temporaryFile, (filename) =>
    Effect.scoped(test).pipe(Effect.provide(layer({ filename, busyTimeoutMs })))
  ).pipe(Effect.scoped)

describe("the thread that writes", () => {
  it.live("is given what waits, and an answer means committed", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, sent, untilReady } = yield* setUp()
        yield* untilReady
        const answers = yield* Effect.forEach(
          range(1, 200),
          (id) => Effect.map(group.submit(insert(id)), (answer) => [answer, ids(database.db).includes(id)]),
          together
        )
        assert.deepStrictEqual(
          answers,
          range(1, 200).map((id) => [id, true])
        )
        assert.strictEqual(
          sent.reduce((sum, count) => sum + count, 0),
          200
        )
      })
    )
  )

  it.live("writes nothing before it is ready: until then the event loop does", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, sent } = yield* setUp()
        assert.strictEqual(yield* group.submit(insert(1)), 1)
        assert.deepStrictEqual(sent, [])
        assert.deepStrictEqual(ids(database.db), [1])
      })
    )
  )

  it.live("keeps the order with what only the event loop can write", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, sent, untilReady } = yield* setUp()
        yield* untilReady
        const seen: Array<number> = []
        const look = group.submit(({ db }) => void seen.push(ids(db).length))
        yield* Effect.all(
          [
            ...range(1, 10).map((id) => group.submit(insert(id))),
            look,
            ...range(11, 15).map((id) => group.submit(insert(id))),
            look
          ],
          together
        )
        assert.deepStrictEqual(seen, [10, 15])
        assert.strictEqual(sent[0], 10)
        assert.deepStrictEqual(ids(database.db), range(1, 15))
      })
    )
  )

  it.live("is not taken for late once it has answered", () =>
    onFile(
      Effect.gen(function* () {
        const { group, untilReady, writer } = yield* setUp({ deadlineMs: 3_000 })
        yield* untilReady
        yield* group.submit(insert(1))
        yield* Effect.sleep("3300 millis")
        assert.isTrue(writer.isReady())
      })
    )
  )

  it.live("of a batch fails alone what SQLite refuses", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, untilReady } = yield* setUp()
        yield* untilReady
        const exits = yield* Effect.forEach([1, 2, 1, 3], (id) => Effect.exit(group.submit(insert(id))), together)
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
        const [refused] = exits.filter(Exit.isFailure)
        assert.strictEqual(refused === undefined ? null : (yield* Effect.flip(refused)).reason._tag, "UniqueViolation")
        assert.deepStrictEqual(ids(database.db), [1, 2, 3])
      })
    )
  )

  it.live("passes on what was found where a need is not met, and a fault in reading it is a defect of its caller", () =>
    onFile(
      Effect.gen(function* () {
        const { group, untilReady } = yield* setUp()
        yield* untilReady
        const fault = new Error("unreadable")
        const taken = (result: (row: unknown) => string): Commit<string> => ({
          steps: [
            { sql: "SELECT id FROM items WHERE id = ?", values: [1], need: { of: "no_row", otherwise: null, result } }
          ],
          done: "free"
        })
        const throws = taken(() => {
          throw fault
        })
        assert.strictEqual(yield* group.submit(taken(String)), "free")
        yield* group.submit(insert(1))
        const exits = yield* Effect.all(
          [Effect.exit(group.submit(taken((row) => JSON.stringify(row)))), Effect.exit(group.submit(throws))],
          together
        )
        assert.deepStrictEqual(exits, [Exit.succeed('{"id":1}'), Exit.die(fault)])
      })
    )
  )

  it.live("fails every caller of a batch whose COMMIT fails, and goes on", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, untilReady } = yield* setUp()
        database.db.exec("CREATE TABLE children (parent INTEGER REFERENCES items DEFERRABLE INITIALLY DEFERRED) STRICT")
        yield* untilReady
        const orphan: Commit<null> = {
          steps: [{ sql: "INSERT INTO children VALUES (999)", values: [], need: null }],
          done: null
        }
        const tags = yield* Effect.forEach(
          [insert(1), orphan, insert(2)],
          (commit) => Effect.map(Effect.flip(group.submit<number | null>(commit)), ({ reason }) => reason._tag),
          together
        )
        assert.deepStrictEqual(tags, ["ConstraintError", "ConstraintError", "ConstraintError"])
        assert.strictEqual(yield* group.submit(insert(3)), 3)
        assert.deepStrictEqual(ids(database.db), [3])
      })
    )
  )

  it.live("waits for a transaction of the event loop, and not beyond the timeout for another process", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, untilReady } = yield* setUp()
        const sql = yield* SqlClient.SqlClient
        yield* untilReady
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO items (id) VALUES (100)`
              yield* Effect.sleep("20 millis")
            })
          )
          .pipe(Effect.zip(Effect.delay(group.submit(insert(1)), "5 millis"), { concurrent: true }))
        const other = new DatabaseSync(database.options.filename)
        other.exec("BEGIN IMMEDIATE")
        const error = yield* Effect.flip(group.submit(insert(2)))
        assert.strictEqual(error.reason._tag, "LockTimeoutError")
        other.exec("COMMIT")
        other.close()
        yield* group.submit(insert(3))
        assert.deepStrictEqual(ids(database.db), [1, 3, 100])
      }),
      200
    )
  )
})

describe("a thread that is lost", () => {
  const failing = (options: SetUp, expected: RegExp) =>
    onFile(
      Effect.gen(function* () {
        const { database, group, lost, sent, untilReady, writer } = yield* setUp(options)
        yield* untilReady
        const exits = yield* Effect.forEach(range(1, 40), (id) => Effect.exit(group.submit(insert(id))), together)
        const kept = new Set(ids(database.db))
        for (const [index, exit] of exits.entries()) {
          // What was acknowledged is there; what failed may be.
          if (Exit.isSuccess(exit)) assert.isTrue(kept.has(index + 1))
          else {
            // A failure and no defect: what called for the commit reads the payment again.
            assert.isTrue(Cause.hasFails(exit.cause))
            assert.match(Cause.pretty(exit.cause), expected)
          }
        }
        assert.isAbove(sent.length, 0)
        assert.isTrue(exits.some(Exit.isFailure))
        assert.strictEqual(lost.length, 1)
        // From now on the event loop writes.
        assert.isFalse(writer.isReady())
        const before = sent.length
        assert.deepStrictEqual(
          yield* Effect.forEach(range(101, 140), (id) => group.submit(insert(id)), together),
          range(101, 140)
        )
        assert.strictEqual(sent.length, before)
      })
    )

  it.live("because it ended leaves no caller waiting", () =>
    failing({ module: threadThat("process.exit(1)") }, /it ended/)
  )

  it.live("because it broke leaves no caller waiting", () =>
    failing({ module: threadThat("throw new Error('out of luck')") }, /out of luck/)
  )

  it.live("because it never answers leaves no caller waiting beyond the deadline", () =>
    failing({ module: threadThat(""), deadlineMs: 50 }, /it did not answer for 50 ms/)
  )

  it.live("because it hangs leaves no caller waiting beyond the deadline", () =>
    failing({ module: threadThat("while (true) {}"), deadlineMs: 50 }, /it did not answer for 50 ms/)
  )

  it.live("because it cannot be started is no fault: the event loop writes", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, lost, sent, untilLost } = yield* setUp({
          module: threadOf("throw new Error('no thread')")
        })
        yield* untilLost
        assert.deepStrictEqual(lost, ["no thread"])
        yield* Effect.forEach(range(1, 40), (id) => group.submit(insert(id)), together)
        assert.deepStrictEqual(sent, [])
        assert.deepStrictEqual(ids(database.db), range(1, 40))
      })
    )
  )
})

describe("a file that is another one by now", () => {
  const replaced = (replace: (filename: string) => void) =>
    onFile(
      Effect.gen(function* () {
        const { database, group, lost, sent, untilLost } = yield* setUp()
        const { filename } = database.options
        replace(filename)
        yield* untilLost
        assert.match(lost.join(), /is another file than the one that the event loop has open/)
        const exits = yield* Effect.forEach(range(1, 40), (id) => Effect.exit(group.submit(insert(id))), together)
        assert.deepStrictEqual(sent, [])
        // The event loop writes to the file that it has open, which the next start does not find.
        assert.isTrue(exits.every(Exit.isFailure))
        return existsSync(filename)
      })
    )

  it.live("is not written by the thread where it was replaced", () =>
    replaced((filename) => {
      copyFileSync(filename, `${filename}.copy`)
      renameSync(`${filename}.copy`, filename)
    })
  )

  it.live("is not made where it was deleted", () => Effect.map(replaced(rmSync), (exists) => assert.isFalse(exists)))
})

describe("a file that is lost while the thread writes", () => {
  it.live("is noticed after its commit, and none of the batch is acknowledged", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, sent, untilReady } = yield* setUp()
        yield* untilReady
        yield* Effect.forEach(range(1, 40), (id) => group.submit(insert(id)), together)
        const before = sent.length
        assert.isAbove(before, 0)
        const callers = yield* Effect.forkChild(
          Effect.forEach(range(41, 100), (id) => Effect.exit(group.submit(insert(id))), together),
          { startImmediately: true }
        )
        rmSync(database.options.filename)
        const exits = yield* Fiber.join(callers)
        assert.isAbove(sent.length, before)
        assert.isTrue(exits.every(Exit.isFailure))
      })
    )
  )
})

describe("the end of the thread", () => {
  it.live("comes after what it was given is written", () =>
    onFile(
      Effect.gen(function* () {
        const { database, sent, untilReady, writer } = yield* setUp()
        yield* untilReady
        const ends: Array<string> = []
        const commits = range(1, 100).map((id) => ({
          steps: insert(id).steps,
          done: () => void ends.push("done"),
          fail: () => void ends.push("failed")
        }))
        writer.send(commits, () => void ends.push("settled"))
        yield* writer.close
        assert.deepStrictEqual(ends, [...commits.map(() => "done"), "settled"])
        assert.deepStrictEqual(ids(database.db), range(1, 100))
        assert.isFalse(writer.isReady())
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.live("leaves no caller waiting where another process keeps it from writing", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, untilReady, writer } = yield* setUp()
        yield* untilReady
        const other = new DatabaseSync(database.options.filename)
        other.exec("BEGIN IMMEDIATE")
        const callers = yield* Effect.forkChild(
          Effect.forEach(range(1, 40), (id) => Effect.exit(group.submit(insert(id))), together),
          { startImmediately: true }
        )
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))
        yield* writer.close
        other.exec("COMMIT")
        other.close()
        const kept = new Set(ids(database.db))
        for (const [index, exit] of (yield* Fiber.join(callers)).entries()) {
          if (Exit.isSuccess(exit)) assert.isTrue(kept.has(index + 1))
        }
        assert.strictEqual(yield* group.submit(insert(100)), 100)
      })
    )
  )

  it.live("is for good, also where it never began", () =>
    onFile(
      Effect.gen(function* () {
        const { writer } = yield* setUp()
        yield* writer.close
        // One that was started would be ready by then.
        for (let time = 0; time < 50; time++) {
          assert.isFalse(writer.isReady())
          yield* Effect.sleep("20 millis")
        }
      })
    )
  )
})

describe("what cannot be sent", () => {
  it.live("fails its callers, was not written, and keeps nothing from being written later", () =>
    onFile(
      Effect.gen(function* () {
        const { database, group, untilReady } = yield* setUp()
        yield* untilReady
        const odd: Commit<string> = {
          // What no type permits.
          steps: [
            { sql: "INSERT INTO items (id) VALUES (?)", values: [7], need: null },
            { sql: "UPDATE items SET id = ?", values: [true as unknown as number], need: null }
          ],
          done: "done"
        }
        const exits = yield* Effect.forEach(
          [insert(1), odd, insert(2)],
          (commit) => Effect.exit(group.submit<number | string>(commit)),
          together
        )
        assert.isTrue(exits.every(Exit.isFailure))
        assert.deepStrictEqual(ids(database.db), [])
        // Its statements are known to the thread all the same.
        assert.deepStrictEqual(
          yield* Effect.forEach(range(1, 20), (id) => group.submit(insert(id)), together),
          range(1, 20)
        )
        assert.strictEqual(yield* group.submit(({ db }) => ids(db).length), 20)
      })
    )
  )
})
