import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { attempt } from "./SqliteError.ts"

/**
 * Removes erased data from the write-ahead log, which still contains former pages of the database. A checkpoint copies
 * the log to the file and truncates the log, unless a reader uses the log all the time.
 */
export const cutBack = (database: SqliteDatabase["Service"]): Effect.Effect<void, SqlError> =>
  database
    .whenFree(attempt("checkpoint", () => isCutBack(database)))
    .pipe(Effect.repeat({ until: (done) => done, schedule: aWhile }), Effect.asVoid)

const aWhile = Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 20 }))

const isCutBack = ({ db }: SqliteDatabase["Service"]): boolean => {
  const timeout = Number(db.prepare("PRAGMA busy_timeout").get()?.["timeout"])
  // The timeout is zero: waiting for another reader would block the event loop. The setting applies to statements
  // compiled after it.
  db.exec("PRAGMA busy_timeout = 0")
  try {
    return db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`)
  }
}
