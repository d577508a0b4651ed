import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

/** The path of a database that is not there yet, in a directory that goes with the scope. */
export const temporaryFile = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-sql-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
).pipe(Effect.map((directory) => join(directory, "payments.db")))

/** Another Node process that runs `script` (an ES module) and is killed with the scope. */
export const otherProcess = (script: string) =>
  Effect.acquireRelease(
    Effect.sync(() => start(script)),
    (other) => other.kill
  )

const start = (script: string) => {
  const child = spawn(process.execPath, ["--input-type=module", "--no-warnings", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve))
  return {
    /** The next line that it prints; `undefined` once it has ended. */
    nextLine: Effect.promise(() => lines.next()).pipe(
      Effect.map((line) => (line.done === true ? undefined : line.value))
    ),
    /** Kills it as `kill -9` does and waits until it is gone. */
    kill: Effect.promise(() => {
      child.kill("SIGKILL")
      return exited
    }),
    exitCode: Effect.promise(() => exited)
  }
}

/** For the scripts of other processes: the address of a module of this package. */
export const moduleUrl = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href)
