import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as GroupCommit from "../../src/sqlite/GroupCommit.ts"
import { largeLog, nextLargeLog } from "../../src/sqlite/fileFaults.ts"
import { layer, SqliteDatabase } from "../../src/sqlite/SqliteClient.ts"
import { temporaryFile } from "../OnDisk.ts"

/** What a person or a program does to the files of a running server; `copy` is a former state of the database. */
const losses: ReadonlyArray<readonly [string, (file: string, copy: string) => void]> = [
  ["deleted", (file) => unlinkSync(file)],
  ["moved away", (file) => renameSync(file, `${file}-old`)],
  [
    "linked away",
    (file) => {
      linkSync(file, `${file}-old`)
      unlinkSync(file)
    }
  ],
  [
    "replaced by another file",
    (file, copy) => {
      copyFileSync(copy, `${file}-new`)
      renameSync(`${file}-new`, file)
    }
  ],
  [
    "replaced by a link to another file",
    (file, copy) => {
      unlinkSync(file)
      symlinkSync(copy, file)
    }
  ],
  ["restored by a copy over the open file", (file, copy) => copyFileSync(copy, file)],
  ["truncated", (file) => writeFileSync(file, "")],
  ["left without its log", (file) => unlinkSync(`${file}-wal`)],
  ["left without the index of its log", (file) => unlinkSync(`${file}-shm`)],
  ["made read-only", (file) => chmodSync(file, 0o400)]
]

/** What other programs may do beside a running server. */
const harmless: ReadonlyArray<readonly [string, (file: string) => void]> = [
  ["is read by another program", (file) => void readFileSync(file)],
  ["has a new time", (file) => utimesSync(file, 1, 1)],
  ["gets a second name", (file) => linkSync(file, `${file}-backup`)],
  ["gets a checkpoint by another process", (file) => elsewhere(file, "PRAGMA wal_checkpoint(TRUNCATE)")],
  ["is vacuumed by another process", (file) => elsewhere(file, "DELETE FROM items WHERE id < 0; VACUUM")],
  ["is written by another process", (file) => elsewhere(file, "INSERT INTO items (id) VALUES (100000)")]
]

const elsewhere = (file: string, sql: string): void => {
  const db = new DatabaseSync(file, { timeout: 1000 })
  db.exec(sql)
  db.close()
}

const opened = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const database = yield* SqliteDatabase
  yield* sql`CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, body BLOB) STRICT`
  const group = GroupCommit.make({ database })
  let next = 1
  const insert = group.submit(({ prepare }) => {
    prepare("INSERT INTO items (id, body) VALUES (?, ?)").run(next, new Uint8Array(3000))
    return next++
  })
  return { sql, database, insert, many: Effect.repeat(insert, { times: 20 }) }
})

/** A state of the database to which it is set back. */
const copied = (file: string, sql: SqlClient.SqlClient) => {
  const copy = `${file}-copy`
  return Effect.as(sql`VACUUM INTO ${copy}`.unprepared, copy)
}

const captured = () => {
  const lines: Array<string> = []
  return { lines, layer: Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]) }
}

describe("the files of an open database", () => {
  for (const [what, lose] of losses) {
    it.live(
      `from the first commit after the file was ${what}, nothing is acknowledged, and the log says so once`,
      () => {
        const log = captured()
        return Effect.gen(function* () {
          const filename = yield* temporaryFile
          yield* Effect.gen(function* () {
            const { insert, many, sql } = yield* opened
            yield* many
            const copy = yield* copied(filename, sql)
            // A checkpoint, so that the file is no longer the same as the copy.
            yield* many
            elsewhere(filename, "PRAGMA wal_checkpoint(PASSIVE)")
            yield* many
            lose(filename, copy)
            const exits = yield* Effect.all([Effect.exit(insert), Effect.exit(insert), Effect.exit(many)])
            assert.isTrue(exits.every(Exit.isFailure))
            // Reads would acknowledge as well what the next start does not find.
            const read = yield* Effect.flip(sql`SELECT count(*) FROM items`)
            assert.strictEqual(read.reason._tag, "ConnectionError")
            assert.isTrue(Exit.isFailure(yield* Effect.exit(sql.withTransaction(sql`DELETE FROM items`))))
          }).pipe(Effect.provide(layer({ filename })))
          const errors = log.lines.filter((line) => line.includes("level=ERROR"))
          assert.strictEqual(errors.length, 1)
          assert.include(errors[0] ?? "", filename)
        }).pipe(Effect.provide(log.layer))
      }
    )
  }

  for (const [what, read] of [
    ["a statement", Effect.asVoid(SqlClient.SqlClient.use((sql) => sql`SELECT count(*) FROM items`))],
    [
      "a read of a store",
      Effect.asVoid(
        SqliteDatabase.use((database) => database.read(() => database.prepare("SELECT count(*) FROM items").all()))
      )
    ]
  ] as const) {
    it.live(`a lost file is named also where ${what} fails before the next commit`, () => {
      const log = captured()
      return Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.provide(
          Effect.flatMap(opened, ({ many }) => many),
          layer({ filename })
        )
        // Nothing is in the cache of the new connection.
        yield* Effect.gen(function* () {
          writeFileSync(filename, "")
          const fault = yield* Effect.flip<void, SqlError, SqlClient.SqlClient | SqliteDatabase>(read)
          assert.strictEqual(fault.reason._tag, "ConnectionError")
          const { files } = yield* SqliteDatabase
          assert.match(files.lost()?.message ?? "", /was truncated by another program/)
        }).pipe(Effect.provide(layer({ filename })))
        assert.lengthOf(
          log.lines.filter((line) => line.includes("level=ERROR")),
          1
        )
      }).pipe(Effect.provide(log.layer))
    })
  }

  it.live("a failure with sound files is that failure", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { database, sql } = yield* opened
        const fault = yield* Effect.flip(sql`SELECT * FROM missing`)
        assert.include(String(fault.reason.cause), "no such table: missing")
        assert.isNull(database.files.lost())
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  for (const [what, change] of harmless) {
    it.live(`a file that ${what} is still the same`, () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.gen(function* () {
          const { database, many, sql } = yield* opened
          yield* many
          change(filename)
          yield* many
          yield* many
          yield* sql`SELECT count(*) FROM items`
          assert.isNull(database.files.lost())
        }).pipe(Effect.provide(layer({ filename })))
      })
    )
  }

  it.live("a transaction of the client is not acknowledged either", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { sql } = yield* opened
        unlinkSync(filename)
        const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO items (id) VALUES (1)`))
        assert.include(error.message, "was deleted or moved")
      }).pipe(Effect.provide(layer({ filename })), Effect.provide(Logger.layer([])))
    })
  )

  it.live("other connections of the process that are closed leave its locks and its log alone", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { database, many } = yield* opened
        for (let round = 0; round < 3; round++) {
          yield* Effect.provide(opened, layer({ filename }), { local: true })
          const program = `const { DatabaseSync } = require("node:sqlite")
            const db = new DatabaseSync(process.argv[1])
            db.prepare("SELECT count(*) FROM items").get()
            db.close()`
          execFileSync(process.execPath, ["-e", program, filename])
          yield* many
        }
        assert.isNull(database.files.lost())
      }).pipe(Effect.provide(layer({ filename })))
    })
  )

  it.live("its own checkpoints, and those after a crash, are no fault", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const crashed = `${filename}-crashed`
      yield* Effect.gen(function* () {
        const { database, many } = yield* opened
        database.db.exec("PRAGMA wal_autocheckpoint = 30")
        for (let round = 0; round < 20; round++) yield* many
        assert.isNull(database.files.lost())
        for (const suffix of ["", "-wal"]) copyFileSync(filename + suffix, crashed + suffix)
      }).pipe(Effect.provide(layer({ filename })))
      yield* Effect.gen(function* () {
        const { database, sql } = yield* opened
        for (let round = 0; round < 5; round++) {
          yield* sql`INSERT INTO items (body) VALUES (${new Uint8Array(9000)})`
          elsewhere(crashed, "PRAGMA wal_checkpoint(PASSIVE)")
        }
        assert.isNull(database.files.lost())
      }).pipe(Effect.provide(layer({ filename: crashed })))
    })
  )

  it.live("the size of the log is known, and a reader that does not end is reported at each doubling", () => {
    const log = captured()
    return Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { sql } = yield* opened
        const reader = new DatabaseSync(filename)
        reader.exec("BEGIN")
        reader.prepare("SELECT count(*) FROM items").get()
        const body = new Uint8Array(15 * 1024 * 1024)
        for (let count = 0; count < 20; count++) yield* sql`INSERT INTO items (body) VALUES (${body})`
        assert.isAbove((yield* SqliteDatabase).files.walBytes(), 20 * body.length)
        reader.close()
      }).pipe(Effect.provide(layer({ filename })))
      const warnings = log.lines.filter((line) => line.includes("level=WARN"))
      assert.strictEqual(warnings.length, 2)
      for (const warning of warnings) assert.match(warning, /-wal has grown to \d+ MiB/)
    }).pipe(Effect.provide(log.layer))
  })
})

describe("the sizes of a log that are reported", () => {
  it("double while it grows, and begin again after it was cut back", () => {
    const MiB = 1024 * 1024
    const reported: Array<number> = []
    let limit = largeLog
    for (const size of [1, 127, 128, 129, 255, 256, 500, 587, 64, 200, 201, 399, 400]) {
      if (size * MiB >= limit) reported.push(size)
      limit = nextLargeLog(limit, size * MiB)
    }
    assert.deepStrictEqual(reported, [128, 256, 587, 200, 400])
  })
})
