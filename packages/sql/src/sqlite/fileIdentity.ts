/** The identity of the file that now has a name: another file may get the name of a file that is open. */
import { statSync } from "node:fs"

export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
}

/** `null`: there is no such file. */
export const identityOf = (filename: string): FileIdentity | null => {
  const found = statSync(filename, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : { device: found.dev, inode: found.ino }
}
