/**
 * Watches the files of an open database: whether their names still refer to them, and whether only SQLite has written
 * them.
 *
 * A file that was deleted, moved or replaced stays open, and so commits to it succeed although the next start does not
 * find them. The same holds for its log (`-wal`). A copy over the open file (`cp backup.db payments.db`) keeps the
 * inode: the copy shows in the header, which only a checkpoint writes. The change counter in it hardly ever changes in
 * WAL mode, so the whole header is compared, and the index of the log (`-shm`) shows whether there was a checkpoint.
 *
 * Gotchas: closing a descriptor of a file drops every lock that this process holds on it (POSIX), also those of its
 * other connections. SQLite would then take another process for the last one and delete the log. So the connections of
 * a process to one file share two descriptors, until the last of them is closed.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { checkpointOf, contentFault, headerBytes, indexBytes, largeLog, nameFault, nextLargeLog } from "./fileFaults.ts"
import type { Content, NamedFile, Stat } from "./fileFaults.ts"

/**
 * Error: a file of the database was lost, so that further commits would be lost. Nothing is read or written any more
 * until the database is opened again.
 */
export class DatabaseFileLost extends Error {
  override readonly name = "DatabaseFileLost"
}

export interface DatabaseFiles {
  /**
   * Checks the names and the content of the files; returns the first fault that any check found. Called after each
   * commit, before the commit is acknowledged.
   */
  readonly check: () => DatabaseFileLost | null
  /**
   * Checks the content of the files only. Called before a commit, because the commit's checkpoint could overwrite a
   * copy, so that it would no longer be detected.
   */
  readonly checkContent: () => DatabaseFileLost | null
  /** Returns the fault that a check found, without another check. */
  readonly lost: () => DatabaseFileLost | null
  /** The size of the log in bytes, as of the last `check`. */
  readonly walBytes: () => number
  /** Releases the shared descriptors. Called after the connection is closed. */
  readonly close: () => void
}

/**
 * Runs `work`. If it fails because a file was lost, the error is that loss: SQLite's own message, such as "database
 * disk image is malformed", does not help an operator. Commits check the files too, but a process whose reads fail
 * makes none.
 */
export const namingLoss = <A>(files: DatabaseFiles, work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    files.check()
    throw files.lost() ?? cause
  }
}

/** The check for a database in memory, and for a connection that only reads: it finds no faults. */
export const noFiles: DatabaseFiles = {
  check: () => null,
  checkContent: () => null,
  lost: () => null,
  walBytes: () => 0,
  close: () => undefined
}

export interface FileReports {
  /** Called once, when a file is lost. */
  readonly onLost: (fault: DatabaseFileLost) => void
  /** Called when the log is large, and at least twice as large as at the last call. */
  readonly onLargeLog: (bytes: number) => void
}

export const databaseFiles = (
  db: DatabaseSync,
  filename: string,
  { onLargeLog, onLost }: FileReports
): DatabaseFiles => {
  const location = db.location()
  if (location === null) return noFiles
  // This first read creates the log and its index, and finishes a checkpoint that a crash left unfinished.
  db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get()
  const [wal, shm] = [`${location}-wal`, `${location}-shm`]
  const names = [...new Set([resolve(filename), location, wal, shm])]
  const known = names.map((name): NamedFile => ({ name, stat: statOf(name) }))
  const content = contentReader(location, shm)
  let last = content.read()
  let walBytes = 0
  let largest = largeLog
  let lost: DatabaseFileLost | null = null

  const lose = (sentence: string): DatabaseFileLost => {
    lost = new DatabaseFileLost(sentence)
    onLost(lost)
    return lost
  }
  const contentOrLost = (): DatabaseFileLost | null => {
    const now = content.read()
    // The checkpoint data are read again: another process may have ended a checkpoint between the two reads.
    const fault = contentFault(last, now, content.readCheckpoint)
    last = now
    return fault === null ? null : lose(`${location} ${fault}`)
  }
  const measure = (bytes: number) => {
    walBytes = bytes
    if (bytes >= largest) onLargeLog(bytes)
    largest = nextLargeLog(largest, bytes)
  }
  const namesOrLost = (): DatabaseFileLost | null => {
    for (const { name, stat } of known) {
      const now = statOf(name)
      if (name === wal && now !== null) measure(Number(now.size))
      const fault = nameFault(stat, now)
      if (fault !== null) return lose(`${name} ${fault}`)
    }
    return null
  }
  return {
    check: () => lost ?? unlessUnreadable(() => contentOrLost() ?? namesOrLost()),
    checkContent: () => lost ?? unlessUnreadable(contentOrLost),
    lost: () => lost,
    walBytes: () => walBytes,
    close: content.close
  }
}

/** Reports a failed check as a fault of this call only, because the check may succeed the next time. */
const unlessUnreadable = (look: () => DatabaseFileLost | null): DatabaseFileLost | null => {
  try {
    return look()
  } catch (cause) {
    return new DatabaseFileLost("The files of the database cannot be looked at", { cause })
  }
}

const contentReader = (location: string, index: string) => {
  const opened = openShared(location, index)
  const read = (descriptor: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, 0))
  }
  const readCheckpoint = () => checkpointOf(read(opened.index, indexBytes))
  return {
    // The checkpoint is read before the header: if another checkpoint begins in between, the next check sees it.
    read: (): Content => ({ checkpoint: readCheckpoint(), header: read(opened.file, headerBytes) }),
    readCheckpoint,
    close: () => closeShared(opened)
  }
}

interface Descriptors {
  readonly file: number
  readonly index: number
  connections: number
}

/** The shared descriptors, by device and inode of the file. */
const descriptors = new Map<string, Descriptors>()

const openShared = (location: string, index: string): Descriptors => {
  const { dev, ino } = statSync(location, { bigint: true })
  const place = `${dev}:${ino}`
  const opened = descriptors.get(place) ?? {
    file: openSync(location, "r"),
    index: openSync(index, "r"),
    connections: 0
  }
  opened.connections++
  descriptors.set(place, opened)
  return opened
}

const closeShared = (opened: Descriptors): void => {
  if (--opened.connections > 0) return
  for (const [place, each] of descriptors) if (each === opened) descriptors.delete(place)
  closeSync(opened.file)
  closeSync(opened.index)
}

const statOf = (name: string): Stat | null => {
  const found = statSync(name, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : { device: found.dev, inode: found.ino, mode: found.mode, size: found.size }
}
