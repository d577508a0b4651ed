import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { DatabaseSync } from "node:sqlite"
import * as GroupCommit from "../../src/sqlite/GroupCommit.ts"
import { layer, SqliteDatabase } from "../../src/sqlite/SqliteClient.ts"
import { moduleUrl, otherProcess, temporaryFile } from "../OnDisk.ts"

type Database = SqliteDatabase["Service"]

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const setUp = (options: { readonly filename?: string; readonly maxBatch?: number } = {}) =>
  Effect.gen(function* () {
    const database = yield* SqliteDatabase
    database.db.exec("CREATE TABLE items (id INTEGER PRIMARY KEY, body BLOB) STRICT")
    const group = GroupCommit.make(
      options.maxBatch === undefined ? { database } : { database, maxBatch: options.maxBatch }
    )
    return { database, group }
  })

const insert =
  (id: number, body: Uint8Array | null = null) =>
  ({ prepare }: Database) => {
    prepare("INSERT INTO items (id, body) VALUES (?, ?)").run(id, body)
    return id
  }

const ids = (db: DatabaseSync) =>
  db
    .prepare("SELECT id FROM items ORDER BY id")
    .all()
    .map((row) => row["id"])

/** A second connection, which sees what is committed only. */
const observer = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (db) => Effect.sync(() => db.close())
  )

const together = { concurrency: "unbounded" } as const

describe("GroupCommit", () => {
  it.live("what is submitted in one turn is one transaction, and an answer means committed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { group } = yield* setUp()
        const other = yield* observer(filename)
        const committedBefore = yield* Effect.forEach(
          range(1, 50),
          (id) =>
            group.submit((database) => {
              insert(id)(database)
              return ids(other).length
            }),
          together
        )
        assert.deepStrictEqual(new Set(committedBefore), new Set([0]))
        assert.deepStrictEqual(ids(other), range(1, 50))
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  it.live("a transaction holds at most maxBatch units", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { group } = yield* setUp({ maxBatch: 10 })
        const other = yield* observer(filename)
        const committedBefore = yield* Effect.forEach(
          range(1, 25),
          (id) =>
            group.submit((database) => {
              insert(id)(database)
              return ids(other).length
            }),
          together
        )
        assert.deepStrictEqual(new Set(committedBefore), new Set([0, 10, 20]))
        assert.deepStrictEqual(ids(other), range(1, 25))
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  it.live("one failing unit in a batch of 50 fails alone, and nothing of it is kept", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      const exits = yield* Effect.forEach(
        range(1, 50),
        (id) =>
          Effect.exit(
            group.submit((database) => {
              insert(id)(database)
              if (id === 23) insert(1000)(database)
              return insert(id === 23 ? 1 : 100 + id)(database)
            })
          ),
        together
      )
      const failed = exits.filter(Exit.isFailure)
      assert.strictEqual(failed.length, 1)
      const error = failed.map((exit) => Cause.squash(exit.cause))[0]
      assert.isTrue(SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation")
      assert.isTrue(exits[22] !== undefined && Exit.isFailure(exits[22]))
      const kept = range(1, 50).filter((id) => id !== 23)
      assert.deepStrictEqual(ids(database.db), [...kept, ...kept.map((id) => 100 + id)])
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("a fault of the unit's own code is a defect of its caller alone", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      const fault = new TypeError("a fault")
      const broken = group.submit((database): number => {
        insert(2)(database)
        throw fault
      })
      const exits = yield* Effect.forEach(
        [group.submit(insert(1)), broken, group.submit(insert(3))],
        (unit) => Effect.exit(unit),
        together
      )
      assert.deepStrictEqual(exits, [Exit.succeed(1), Exit.die(fault), Exit.succeed(3)])
      assert.deepStrictEqual(yield* Effect.exit(broken), Exit.die(fault))
      assert.deepStrictEqual(ids(database.db), [1, 3])
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("of compare-and-sets on the same version in one batch exactly one wins", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      database.db.exec("CREATE TABLE versions (version INTEGER NOT NULL) STRICT; INSERT INTO versions VALUES (7)")
      const won = yield* Effect.forEach(
        range(1, 20),
        () =>
          group.submit(
            ({ prepare }) => prepare("UPDATE versions SET version = 8 WHERE version = 7").run().changes === 1
          ),
        together
      )
      assert.deepStrictEqual(won.filter((w) => w).length, 1)
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("when COMMIT fails every caller of the batch fails, nothing is kept, and the next batch passes", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      database.db.exec("CREATE TABLE children (parent INTEGER REFERENCES items DEFERRABLE INITIALLY DEFERRED) STRICT")
      const orphan = group.submit(({ prepare }) => Number(prepare("INSERT INTO children VALUES (999)").run().changes))
      const exits = yield* Effect.forEach(
        [group.submit(insert(1)), orphan, group.submit(insert(2))],
        (unit) => Effect.map(Effect.flip(unit), (error) => error.reason._tag),
        together
      )
      assert.deepStrictEqual(exits, ["ConstraintError", "ConstraintError", "ConstraintError"])
      assert.deepStrictEqual(ids(database.db), [])
      assert.strictEqual(yield* group.submit(insert(3)), 3)
      assert.deepStrictEqual(ids(database.db), [3])
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("on a full disk what was answered is kept, what failed is not, and with room again all goes on", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { database, group } = yield* setUp()
        database.db.exec("PRAGMA max_page_count = 12")
        const exits = yield* Effect.forEach(
          range(1, 40),
          (id) => Effect.exit(group.submit(insert(id, new Uint8Array(id === 20 ? 200_000 : 2_000)))),
          together
        )
        const answered = exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))
        for (const exit of exits) {
          if (Exit.isFailure(exit)) assert.match(Cause.pretty(exit.cause), /No room left for the database/)
        }
        assert.isBelow(answered.length, 40)
        assert.deepStrictEqual(ids(yield* observer(filename)), answered)
        database.db.exec("PRAGMA max_page_count = 100000")
        assert.strictEqual(yield* group.submit(insert(500)), 500)
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  it.live("a batch does not join the open transaction of another fiber", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      const sql = yield* SqlClient.SqlClient
      const opened = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const transaction = yield* sql`INSERT INTO items (id) VALUES (100)`.pipe(
        Effect.andThen(Deferred.succeed(opened, undefined)),
        Effect.andThen(Deferred.await(go)),
        // Turns in which a batch that does not wait would run.
        Effect.andThen(Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))),
        Effect.andThen(Effect.fail("undo")),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(opened)
      const units = yield* Effect.forkChild(
        Effect.forEach(range(1, 10), (id) => group.submit(insert(id)), together),
        { startImmediately: true }
      )
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual(yield* Effect.flip(Fiber.join(transaction)), "undo")
      assert.deepStrictEqual(yield* Fiber.join(units), range(1, 10))
      assert.deepStrictEqual(ids(database.db), range(1, 10))
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("a caller interrupted before its unit has started writes nothing", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      const fiber = yield* Effect.forkChild(group.submit(insert(1)), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* group.submit(insert(2))
      assert.deepStrictEqual(ids(database.db), [2])
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("submitting inside a transaction is a defect, not a wait without end", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(sql.withTransaction(group.submit(insert(1))))
      assert.isTrue(Exit.hasDies(exit))
      assert.deepStrictEqual(ids(database.db), [])
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("a transaction left open by others than the client is ended before the next batch", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      database.db.exec("BEGIN; INSERT INTO items (id) VALUES (100)")
      assert.strictEqual(yield* group.submit(insert(1)), 1)
      assert.deepStrictEqual(ids(database.db), [1])
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("units for a database that was closed fail", () =>
    Effect.gen(function* () {
      const { database, group } = yield* setUp()
      database.db.close()
      const error = yield* Effect.flip(group.submit(insert(1)))
      assert.strictEqual(error.reason._tag, "ConnectionError")
    }).pipe(Effect.provide(layer({ filename: ":memory:" })))
  )

  it.live("while another process holds the file past the timeout all fail, and then all goes on", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { database, group } = yield* setUp()
        const other = yield* observer(filename)
        other.exec("BEGIN IMMEDIATE")
        const reasons = yield* Effect.forEach(
          range(1, 5),
          (id) => Effect.map(Effect.flip(group.submit(insert(id))), (error) => error.reason._tag),
          together
        )
        assert.deepStrictEqual(new Set(reasons), new Set(["LockTimeoutError"]))
        other.exec("COMMIT")
        yield* group.submit(insert(6))
        assert.deepStrictEqual(ids(database.db), [6])
      }).pipe(Effect.provide(layer({ filename, busyTimeoutMs: 0 })))
    })
  )

  it.live("every answered unit survives kill -9", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const other = yield* otherProcess(insertForever(filename))
      const answered: Array<number> = []
      while (answered.length < 500) answered.push(Number(yield* other.nextLine))
      yield* other.kill
      const kept = new Set(ids(yield* observer(filename)))
      assert.deepStrictEqual(
        answered.filter((id) => !kept.has(id)),
        []
      )
    })
  )
})

const insertForever = (filename: string) => `
  import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
  import { layer, SqliteDatabase } from ${moduleUrl("sqlite/SqliteClient.ts")}
  import { make } from ${moduleUrl("sqlite/GroupCommit.ts")}
  await Effect.runPromise(Effect.gen(function* () {
    const database = yield* SqliteDatabase
    database.db.exec("CREATE TABLE items (id INTEGER PRIMARY KEY) STRICT")
    const group = make({ database })
    let next = 0
    const one = Effect.suspend(() => {
      const id = ++next
      return group.submit(({ prepare }) => prepare("INSERT INTO items VALUES (?)").run(id)).pipe(
        Effect.andThen(Effect.sync(() => process.stdout.write(id + "\\n")))
      )
    })
    yield* Effect.all(Array.from({ length: 16 }, () => Effect.forever(one)), { concurrency: "unbounded" })
  }).pipe(Effect.provide(layer({ filename: ${JSON.stringify(filename)} }))))
`
