/** A connection to a file, with the settings that every connection of Paymux has. */
import { closeSync, openSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { isBusy } from "./failureCodes.ts"

export interface OpenOptions {
  /** The path of the file, or `:memory:`. */
  readonly filename: string
  /**
   * The maximum time that a write waits for another writing process, ms. Default 5000. The wait blocks the event loop.
   */
  readonly busyTimeoutMs?: number
  /** Whether the connection refuses writes. The database must exist. Default: false. */
  readonly readOnly?: boolean
}

export const defaultBusyTimeoutMs = 5000

/** Creates the file for its owner alone: it holds personal data and secrets. SQLite gives its log the same mode. */
export const createPrivate = (filename: string): void => {
  try {
    closeSync(openSync(filename, "ax", 0o600))
  } catch {
    // The file exists, or SQLite reports why it cannot be created.
  }
}

export const openDatabase = (options: OpenOptions): DatabaseSync => {
  const { busyTimeoutMs: timeout = defaultBusyTimeoutMs, readOnly = false } = options
  if (!readOnly && options.filename !== ":memory:") createPrivate(options.filename)
  const db = new DatabaseSync(options.filename, { timeout, readOnly })
  try {
    if (!readOnly) setJournal(db, Math.ceil(timeout / pauseMs))
    db.exec(pragmas)
    return db
  } catch (cause) {
    db.close()
    throw cause
  }
}

// Sets WAL mode, so that other processes can read while this one writes. If two processes set it on a new file at the
// same moment, SQLite reports "busy" to one of them at once, without its timeout.
const setJournal = (db: DatabaseSync, attempts: number): void => {
  try {
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"]
    if (mode !== "wal" && mode !== "memory")
      throw new Error(`The database cannot use a write-ahead log, but ${String(mode)}`)
  } catch (cause) {
    if (attempts === 0 || !isBusy(cause)) throw cause
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    setJournal(db, attempts - 1)
  }
}

const pauseMs = 10

// The settings of each connection. `journal_size_limit` truncates the log after a long reader let it grow. The cache is
// 32 MiB. `secure_delete` overwrites deleted content with zeroes, because earlier copies of a payment that is erased
// later may be on other pages.
const pragmas = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 1000;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -32768;
  PRAGMA secure_delete = ON;
`
