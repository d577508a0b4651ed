/**
 * Detects faults of the files of an open database. Each fault is the end of a sentence that begins with the file's
 * name.
 */

/** The metadata of a file; `null`: the file does not exist. */
export interface Stat {
  readonly device: bigint
  readonly inode: bigint
  readonly mode: bigint
  readonly size: bigint
}

/** A file's metadata at the time when the database was opened. */
export interface NamedFile {
  readonly name: string
  readonly stat: Stat | null
}

/** The parts of the files that show whether the file was written, and whether SQLite wrote it. */
export interface Content {
  /** The first 100 bytes of the file, or fewer if it has no more. */
  readonly header: Buffer
  /** The part of the log's index that every checkpoint changes. */
  readonly checkpoint: Buffer
}

const writable = 0o222n

export const nameFault = (opened: Stat | null, now: Stat | null): string | null => {
  if (opened === null) return null
  if (now === null) return "was deleted or moved"
  if (now.device !== opened.device || now.inode !== opened.inode) return "was replaced by another file"
  return (opened.mode & writable) !== 0n && (now.mode & writable) === 0n ? "was made read-only" : null
}

/**
 * The log size, in bytes, that indicates a reader that never ends. Without such a reader, SQLite truncates the log to
 * half of this size.
 */
export const largeLog = 128 * 1024 * 1024

/** The next size of the log to report, after a log of `bytes`: twice as much, until the log is truncated. */
export const nextLargeLog = (limit: number, bytes: number): number => {
  if (bytes >= limit) return bytes * 2
  return bytes < largeLog ? largeLog : limit
}

export const headerBytes = 100
/** The bytes that are read from the log's index, in the format that SQLite documents for its WAL-index file. */
export const indexBytes = 132

/**
 * Extracts from the log's index the salts, the number of frames that a checkpoint has copied to the file, and the
 * number of frames that it was to copy.
 */
export const checkpointOf = (index: Buffer): Buffer =>
  Buffer.concat([index.subarray(32, 40), index.subarray(96, 100), index.subarray(128, 132)])

/**
 * Finds a fault by comparing the content before and now. `checkpointNow`: reads the checkpoint data after `now` was
 * read.
 */
export const contentFault = (before: Content, now: Content, checkpointNow: () => Buffer): string | null => {
  if (now.header.equals(before.header)) return null
  if (now.header.length < headerBytes) return "was truncated by another program"
  if (changeCounter(now) < changeCounter(before)) return overwritten
  // A checkpoint that a full disk interrupted leaves the same checkpoint data behind when it is repeated.
  return !isUnfinished(before) && checkpointNow().equals(before.checkpoint) ? overwritten : null
}

const overwritten = "was overwritten by another program"

const changeCounter = ({ header }: Content): number => header.readUInt32BE(24)

const isUnfinished = ({ checkpoint }: Content): boolean =>
  !checkpoint.subarray(8, 12).equals(checkpoint.subarray(12, 16))
