import { assert, describe, it, vi } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { chmodSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { layer, SqliteDatabase } from "../../src/sqlite/SqliteClient.ts"
import { otherProcess, temporaryFile } from "../OnDisk.ts"

const memory = layer({ filename: ":memory:" })

const reasonOf = <A, E extends { readonly reason: { readonly _tag: string } }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flip(effect).pipe(Effect.map((error) => error.reason._tag))

const items = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE, body BLOB, parent INTEGER REFERENCES items) STRICT`
  return sql
})

const names = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT name FROM items ORDER BY id`
  return rows.map((row) => row.name)
})

/** The clock that limits how long the connection is handed over within one turn. ns */
const monotonicClock = (read: () => bigint) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const every: Clock.Clock = Object.getPrototypeOf(Clock.Clock.defaultValue())
      return vi.spyOn(every, "monotonicTimeNanosUnsafe").mockImplementation(read)
    }),
    (spy) => Effect.sync(() => spy.mockRestore())
  )

/** The turns in which fibers end that have waited for the connection, and the one in which its holder ends. */
const turnsOfWaiting = Effect.fnUntraced(function* <A, E, R>(works: ReadonlyArray<Effect.Effect<A, E, R>>) {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* turns
  const [isOpen, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holder = yield* Effect.forkChild(
    Effect.map(sql.withTransaction(Effect.andThen(Deferred.succeed(isOpen, undefined), Deferred.await(end))), turn)
  )
  yield* Deferred.await(isOpen)
  const waiting = yield* Effect.forEach(works, (work) =>
    Effect.forkChild(Effect.map(work, turn), { startImmediately: true })
  )
  yield* Effect.sleep(10)
  yield* Deferred.succeed(end, undefined)
  const ended = yield* Fiber.join(holder)
  return { ended, after: yield* Effect.forEach(waiting, Fiber.join) }
})

/** Counts the turns of the event loop. */
const turns = Effect.acquireRelease(
  Effect.sync(() => {
    const counter = { turn: 0, next: setImmediate(() => count()) }
    const count = () => {
      counter.turn += 1
      counter.next = setImmediate(count)
    }
    return counter
  }),
  (counter) => Effect.sync(() => clearImmediate(counter.next))
).pipe(Effect.map((counter) => () => counter.turn))

describe("SqliteClient", () => {
  it.effect.skipIf(process.platform === "win32")(
    "creates files that no other user can read, and leaves others as they are (not on Windows, which has no file modes)",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        const modes = Effect.provide(
          Effect.map(items, () => ["", "-wal", "-shm"].map((suffix) => statSync(filename + suffix).mode & 0o777)),
          layer({ filename })
        )
        assert.deepStrictEqual(yield* modes, [0o600, 0o600, 0o600])
        chmodSync(filename, 0o640)
        const { db } = yield* Effect.provide(SqliteDatabase, layer({ filename }))
        assert.isDefined(db)
        assert.strictEqual(statSync(filename).mode & 0o777, 0o640)
      })
  )

  it.effect("commits are on the disk when they return, and references are enforced", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { db } = yield* SqliteDatabase
        const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
        assert.strictEqual(pragma("journal_mode"), "wal")
        assert.strictEqual(pragma("synchronous"), 2)
        assert.strictEqual(pragma("foreign_keys"), 1)
        assert.strictEqual(pragma("busy_timeout"), 5000)
        assert.strictEqual(pragma("temp_store"), 2)
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  it.effect("the database is closed with its scope and what was written is there again", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const db = yield* Effect.gen(function* () {
        const sql = yield* items
        yield* sql`INSERT INTO items (name) VALUES ('kept')`
        return (yield* SqliteDatabase).db
      }).pipe(Effect.provide(layer({ filename })))
      assert.isFalse(db.isOpen)
      assert.deepStrictEqual(yield* names.pipe(Effect.provide(layer({ filename }))), ["kept"])
    })
  )

  it.effect("a file that cannot be opened is a ConnectionError that names it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(Effect.void, layer({ filename: "/nowhere/payments.db" })))
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.strictEqual(error.reason.operation, "open /nowhere/payments.db")
    })
  )

  it.effect("errors are distinguished: duplicate, other constraint, full disk, closed", () =>
    Effect.gen(function* () {
      const sql = yield* items
      yield* sql`INSERT INTO items (id, name) VALUES (1, 'a')`
      const duplicate = yield* Effect.flip(sql`INSERT INTO items (id, name) VALUES (2, 'a')`)
      assert.deepInclude(duplicate.reason, { _tag: "UniqueViolation", constraint: "items.name" })
      assert.strictEqual(yield* reasonOf(sql`INSERT INTO items (id) VALUES (1)`), "UniqueViolation")
      assert.strictEqual(yield* reasonOf(sql`INSERT INTO items (parent) VALUES (9)`), "ConstraintError")
      const { db } = yield* SqliteDatabase
      db.exec("PRAGMA max_page_count = 10")
      const full = yield* Effect.flip(sql`INSERT INTO items (body) VALUES (${new Uint8Array(100_000)})`)
      assert.match(full.message, /^No room left for the database/)
      db.close()
      assert.strictEqual(yield* reasonOf(sql`SELECT 1`), "ConnectionError")
    }).pipe(Effect.provide(memory))
  )

  it.effect("parameters keep their value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const at = new Date("2026-01-02T03:04:05.678Z")
      const [row] = yield* sql.unsafe("SELECT ? a, ? b, ? c, ? d, ? e, ? f", [
        true,
        "é",
        7n,
        at,
        null,
        new Uint8Array([1, 2])
      ])
      assert.deepStrictEqual(
        { ...row },
        { a: 1, b: "é", c: 7, d: "2026-01-02T03:04:05.678Z", e: null, f: new Uint8Array([1, 2]) }
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("a parameter that SQLite would silently store as NULL is refused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, {}, [], Symbol("s")]) {
        const error = yield* Effect.flip(sql.unsafe("SELECT ?", [value]))
        assert.match(error.message, /^SQL parameter 1 cannot be /)
      }
    }).pipe(Effect.provide(memory))
  )

  it.effect("integers beyond 2^53 come back exactly under SafeIntegers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const select = sql<{ n: number | bigint }>`SELECT ${9007199254740993n} AS n`
      const exact = yield* Effect.provideService(select, SqlClient.SafeIntegers, true)
      assert.strictEqual(exact[0]?.n, 9007199254740993n)
      assert.strictEqual((yield* sql<{ n: number }>`SELECT ${7n} AS n`)[0]?.n, 7)
      assert.strictEqual(yield* reasonOf(select), "UnknownError")
    }).pipe(Effect.provide(memory))
  )

  it.effect("rows can be had as values and as a stream, with equal column names kept apart", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const select = sql`SELECT 1 AS a, 2 AS a`
      assert.deepStrictEqual(yield* select.values, [[1, 2]])
      assert.deepStrictEqual(yield* Effect.map(select, (rows) => rows.map((row) => ({ ...row }))), [{ a: 2 }])
      assert.strictEqual(yield* Stream.runCount(sql`SELECT 1 UNION SELECT 2`.stream), 2)
    }).pipe(Effect.provide(memory))
  )

  it.effect("a text of two statements is refused instead of half run", () =>
    Effect.gen(function* () {
      const sql = yield* items
      const error = yield* Effect.flip(
        sql.unsafe("INSERT INTO items (name) VALUES ('a'); INSERT INTO items (name) VALUES ('b')")
      )
      assert.match(error.message, /^More than one SQL statement/)
      yield* sql.unsafe("  INSERT INTO items (name) VALUES ('c'); -- the end\n")
      assert.deepStrictEqual(yield* names, ["c"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a plain write does not join the open transaction of another fiber", () =>
    Effect.gen(function* () {
      const sql = yield* items
      const opened = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const transaction = yield* sql`INSERT INTO items (name) VALUES ('undone')`.pipe(
        Effect.andThen(Deferred.succeed(opened, undefined)),
        Effect.andThen(Deferred.await(go)),
        Effect.andThen(Effect.fail("undo")),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(opened)
      const plain = yield* Effect.forkChild(sql`INSERT INTO items (name) VALUES ('kept')`, { startImmediately: true })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.await(transaction)
      yield* Fiber.join(plain)
      assert.deepStrictEqual(yield* names, ["kept"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a plain read sees nothing of the open transaction of another fiber", () =>
    Effect.gen(function* () {
      const sql = yield* items
      const database = yield* SqliteDatabase
      const count = database.read(() => database.prepare("SELECT count(*) AS n FROM items").get()?.["n"])
      const opened = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const transaction = yield* sql`INSERT INTO items (name) VALUES ('undone')`.pipe(
        Effect.andThen(Deferred.succeed(opened, undefined)),
        Effect.andThen(Deferred.await(go)),
        Effect.andThen(count),
        Effect.tap((seen) => Effect.sync(() => assert.strictEqual(seen, 1))),
        Effect.andThen(Effect.fail("undo")),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(opened)
      const reads = yield* Effect.forkChild(Effect.all([names, count], { concurrency: 2 }), { startImmediately: true })
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual(yield* Effect.flip(Fiber.join(transaction)), "undo")
      assert.deepStrictEqual(yield* Fiber.join(reads), [[], 0])
    }).pipe(Effect.provide(memory))
  )

  it.live("fibers that wait for the connection follow each other within one turn of the event loop", () =>
    Effect.gen(function* () {
      const sql = yield* items
      const { whenFree } = yield* SqliteDatabase
      yield* monotonicClock(() => 0n)
      const { after, ended } = yield* turnsOfWaiting([
        sql`INSERT INTO items (name) VALUES ('a')`,
        sql.withTransaction(Effect.andThen(sql`INSERT INTO items (name) VALUES ('b')`, sql`SELECT 1`)),
        sql`SELECT * FROM items`,
        Effect.timeoutOption(sql`INSERT INTO items (name) VALUES ('gone')`, 1),
        whenFree(Effect.void),
        sql`SELECT 1`
      ])
      assert.isAtMost(Math.max(...after), ended + 1)
      assert.deepStrictEqual(yield* names, ["a", "b"])
    }).pipe(Effect.scoped, Effect.provide(memory))
  )

  it.live("fibers that wait leave turns to the event loop while they take longer than a turn may", () =>
    Effect.gen(function* () {
      const sql = yield* items
      let now = 0n
      yield* monotonicClock(() => (now += 6_000_000n))
      const { after, ended } = yield* turnsOfWaiting(
        Array.from({ length: 20 }, () => sql.withTransaction(sql`SELECT 1`))
      )
      assert.isAbove(Math.max(...after), ended)
    }).pipe(Effect.scoped, Effect.provide(memory))
  )

  it.live("a fiber that yields while it holds the connection leaves a turn to the event loop", () =>
    Effect.gen(function* () {
      const sql = yield* items
      const { whenFree } = yield* SqliteDatabase
      const turn = yield* turns
      const yielding = Effect.andThen(Effect.yieldNow, Effect.yieldNow)
      for (const held of [sql.withTransaction(yielding), whenFree(yielding)]) {
        const before = turn()
        yield* held
        assert.isAbove(turn(), before)
      }
    }).pipe(Effect.scoped, Effect.provide(memory))
  )

  it.effect("an inner transaction that fails leaves the outer one whole", () =>
    Effect.gen(function* () {
      const sql = yield* items
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`INSERT INTO items (name) VALUES ('outer')`
          yield* sql`INSERT INTO items (name) VALUES ('inner')`.pipe(
            Effect.andThen(Effect.fail("undo")),
            sql.withTransaction,
            Effect.ignore
          )
        })
      )
      assert.deepStrictEqual(yield* names, ["outer"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a transaction that cannot be committed is undone and the connection goes on", () =>
    Effect.gen(function* () {
      const sql = yield* items
      yield* sql`CREATE TABLE children (parent INTEGER REFERENCES items DEFERRABLE INITIALLY DEFERRED) STRICT`
      const child = sql.withTransaction(sql`INSERT INTO children (parent) VALUES (5)`)
      assert.strictEqual(yield* reasonOf(child), "ConstraintError")
      yield* sql`INSERT INTO items (name) VALUES ('after')`
      assert.deepStrictEqual(yield* names, ["after"])
      assert.deepStrictEqual(yield* sql`SELECT * FROM children`, [])
    }).pipe(Effect.provide(memory))
  )

  it.live("a write waits for another process that is writing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* items
        const other = yield* otherProcess(holdWriteLock(filename, 300))
        assert.strictEqual(yield* other.nextLine, "locked")
        yield* sql`INSERT INTO items (name) VALUES ('ours')`
        assert.deepStrictEqual(yield* names, ["theirs", "ours"])
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  it.live("a write that has waited long enough for another process is a LockTimeoutError", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* items
        const other = yield* otherProcess(holdWriteLock(filename, 60_000))
        assert.strictEqual(yield* other.nextLine, "locked")
        assert.strictEqual(yield* reasonOf(sql`INSERT INTO items (name) VALUES ('ours')`), "LockTimeoutError")
        assert.strictEqual(yield* reasonOf(sql.withTransaction(Effect.void)), "LockTimeoutError")
        assert.deepStrictEqual(yield* names, [])
        yield* other.kill
        yield* sql`INSERT INTO items (name) VALUES ('ours')`
        assert.deepStrictEqual(yield* names, ["ours"])
      }).pipe(Effect.provide(layer({ filename, busyTimeoutMs: 0 })))
    })
  )

  it.live("several processes can open a new file at the same time", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const script = openAndInsert(filename)
      const others = yield* Effect.forEach([1, 2, 3, 4], () => otherProcess(script))
      for (const other of others) assert.strictEqual(yield* other.exitCode, 0)
      const db = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(filename)),
        (db) => Effect.sync(() => db.close())
      )
      assert.strictEqual(db.prepare("SELECT count(*) AS n FROM opened").get()?.["n"], 4)
    })
  )
})

const holdWriteLock = (filename: string, milliseconds: number) => `
  import { DatabaseSync } from "node:sqlite"
  const db = new DatabaseSync(${JSON.stringify(filename)})
  db.exec("BEGIN IMMEDIATE; INSERT INTO items (name) VALUES ('theirs')")
  process.stdout.write("locked\\n")
  setTimeout(() => db.exec("COMMIT"), ${milliseconds})
`

const openAndInsert = (filename: string) => `
  import { Effect } from ${JSON.stringify(import.meta.resolve("effect"))}
  import { layer, SqliteDatabase } from ${JSON.stringify(new URL("../../src/sqlite/SqliteClient.ts", import.meta.url).href)}
  await Effect.runPromise(Effect.gen(function* () {
    const { db } = yield* SqliteDatabase
    db.exec("CREATE TABLE IF NOT EXISTS opened (id INTEGER PRIMARY KEY); INSERT INTO opened DEFAULT VALUES")
  }).pipe(Effect.provide(layer({ filename: ${JSON.stringify(filename)} }))))
`
