/**
 * For vitest's `globalSetup`: the temporary folders of a run are below one that goes when it ends. Where the system has room in
 * memory, that is where it is: a test with a database of its own makes and deletes some hundred files, which cost more time on a
 * disk than all that PostgreSQL does with them.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"

/** Bytes: databases, and profiles of browsers. */
const needed = 4 * 1024 ** 3

const setup = (): (() => void) => {
  const folder = (hasRoom() && folderOfPrograms(memory)) || mkdtempSync(join(tmpdir(), "paymux-tests-"))
  // PostgreSQL is another user where the tests are root's.
  chmodSync(folder, 0o1777)
  // Threads get a copy of the environment.
  process.env["TMPDIR"] = folder
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // After Ctrl-C, Vitest tears nothing down.
  process.once("exit", remove)
  return remove
}

const hasRoom = (): boolean => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= needed
}

/** `null`: no program in it may be run, as in most containers. */
const folderOfPrograms = (parent: string): string | null => {
  const folder = mkdtempSync(join(parent, "paymux-tests-"))
  const program = join(folder, "program")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 })
  if (spawnSync(program).status === 0) return folder
  rmSync(folder, { recursive: true })
  return null
}

export default setup
