/**
 * Reads the identity (device and inode) of the file that has a name at the moment. While a file is open, another file
 * may get its name.
 */
import { statSync } from "node:fs"

export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
}

/** The identity of the file; `null`: no file has this name. */
export const identityOf = (filename: string): FileIdentity | null => {
  const found = statSync(filename, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : { device: found.dev, inode: found.ino }
}
