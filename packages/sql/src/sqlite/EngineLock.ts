/**
 * One engine per SQLite file.
 *
 * The lock is an exclusive transaction on an empty sidecar database, `<filename>-lock`. The operating system releases it when the
 * process ends, in any way, and SQLite enforces it between connections of one process. Other programs can use the database file.
 * The sidecar is never removed, since a second engine could be opening it at that moment.
 *
 * A hard link is another name of the same file, with a sidecar of its own: a second lock, in the system's folder for
 * temporary files, is named after the file's device and inode.
 *
 * Gotchas: as with any SQLite file, a process that holds the lock must not itself read the sidecar by other means (POSIX
 * drops its locks on close); network file systems may not keep locks at all.
 */
import { Data, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { closeSync, openSync, realpathSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { isBusy } from "./failureCodes.ts"
import { createPrivate } from "./openDatabase.ts"
import { attempt } from "./SqliteError.ts"

/** Error: another engine, in this process or another, holds the lock of the file. */
export class EngineAlreadyRunning extends Data.TaggedError("EngineAlreadyRunning")<{ readonly filename: string }> {
  override get message(): string {
    return `Another Paymux engine is already running on ${this.filename}: stop it first.`
  }
}

/** Holds the lock of `filename` until the scope closes. `:memory:` needs none. */
export const layer = (options: { readonly filename: string }): Layer.Layer<never, EngineAlreadyRunning | SqlError> =>
  options.filename === ":memory:"
    ? Layer.empty
    : Layer.effectDiscard(Effect.acquireRelease(acquire(options.filename), (lock) => Effect.sync(() => lock.close())))

const acquire = (filename: string): Effect.Effect<Lock, EngineAlreadyRunning | SqlError> =>
  attempt(`lock ${filename}`, () => locks(canonical(filename))).pipe(
    Effect.catchIf(
      (error) => error.reason._tag === "LockTimeoutError",
      () => Effect.fail(new EngineAlreadyRunning({ filename }))
    )
  )

type Lock = Pick<DatabaseSync, "close">

const locks = (filename: string): Lock => {
  const byName = lock(`${filename}-lock`)
  try {
    const byFile = lockOrNull(inodeLock(filename))
    return {
      close: () => {
        byFile?.close()
        byName.close()
      }
    }
  } catch (cause) {
    byName.close()
    throw cause
  }
}

/** The path of the second lock; `null`: the folder for temporary files cannot be written, as in some containers. */
const lockOrNull = (sidecar: string): DatabaseSync | null => {
  try {
    return lock(sidecar)
  } catch (cause) {
    if (isBusy(cause)) throw cause
    return null
  }
}

/**
 * Takes the lock by device and inode. Before its first start, the database file is created empty, which SQLite accepts
 * as a database.
 */
const inodeLock = (filename: string): string => {
  closeSync(openSync(filename, "a", 0o600))
  const { dev, ino, uid } = statSync(filename, { bigint: true })
  return join(tmpdir(), `paymux-${uid}-${dev}-${ino}.lock`)
}

const lock = (sidecar: string): DatabaseSync => {
  // The sidecar is created for its owner only, because a user that can read a file can lock it. An existing sidecar is
  // not opened here: closing it would drop the lock of this process.
  createPrivate(sidecar)
  const db = new DatabaseSync(sidecar, { timeout: 0 })
  try {
    // The lock writes nothing, so it needs no journal on the disk, which a killed process would leave behind.
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return db
  } catch (cause) {
    db.close()
    throw cause
  }
}

// The path that identifies a database file: two spellings of one path, or a symbolic link, are one database. Before the
// first start the file does not exist.
const canonical = (filename: string): string =>
  realPath(filename, () =>
    join(
      realPath(dirname(filename), (directory) => directory),
      basename(filename)
    )
  )

const realPath = (path: string, orElse: (path: string) => string): string => {
  try {
    return realpathSync(path)
  } catch {
    return orElse(path)
  }
}
