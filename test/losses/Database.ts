/** A database file that is copied at some moment, and replaced by the copy: what a restore, or a failover to a standby, does. */
import {
  runMigrations,
  SqliteClient,
  SqliteDatabase,
  SqlitePaymentStore,
  Statements,
  UnmatchedReports
} from "@paymux/sql"
import { Effect, Layer } from "effect"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrations } from "../../packages/paymux/src/Database.ts"
import { keep } from "../../packages/paymux/src/options/settingRows.ts"

const opened = (filename: string) =>
  Layer.mergeAll(Statements.layer, UnmatchedReports.layer).pipe(
    Layer.provideMerge(SqlitePaymentStore.layer),
    Layer.provideMerge(SqliteClient.layer({ filename, writerThreadFrom: Number.POSITIVE_INFINITY })),
    Layer.orDie
  )

export interface Database {
  readonly layer: ReturnType<typeof opened>
  /** Of an open database. */
  readonly copy: Effect.Effect<void, never, SqliteDatabase>
  /** Of a closed one: it is the copy from then on. */
  readonly restore: Effect.Effect<void>
}

/** Migrated once, then copied for each run. */
export const databases = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-losses-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const migrated = join(folder, "migrated.db")
  const file = join(folder, "payments.db")
  const copied = join(folder, "copied.db")
  const empty = SqliteClient.layer({ filename: migrated })
  // The names of a run are the same each time.
  const made = Effect.andThen(runMigrations(migrations), keep("installation_id", "losses"))
  yield* Effect.orDie(Effect.provide(made, empty))
  const become = (source: string) =>
    Effect.sync(() => {
      for (const rest of ["-wal", "-shm"]) rmSync(`${file}${rest}`, { force: true })
      copyFileSync(source, file)
    })
  const fresh = (): Effect.Effect<Database> =>
    Effect.as(become(migrated), {
      layer: opened(file),
      copy: SqliteDatabase.use(({ db }) =>
        Effect.sync(() => {
          rmSync(copied, { force: true })
          db.exec(`VACUUM INTO '${copied}'`)
        })
      ),
      restore: become(copied)
    })
  return { fresh }
})
