/** The example data in a SQLite file: made once for all tests of a run, which takes ten seconds, and copied for each. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { loadExampleData } from "./exampleData.ts"
import type { ExampleDataOptions } from "./exampleData.ts"

/** `file`: of the database. Without the folder of a run of vitest, such as in a script, the data is made anew. */
export const placeExampleData = async (file: string, options: ExampleDataOptions): Promise<void> => {
  const folder = process.env["PAYMUX_EXAMPLE_DATA"]
  if (folder === undefined) return loadExampleData(options)
  const shared = join(folder, "paymux.db")
  const origin = join(folder, "receiver.txt")
  const lock = join(folder, "lock")
  while (!existsSync(origin)) {
    if (!isTaken(lock)) {
      // The other threads' wait ends if this one fails: the next of them tries.
      try {
        if (existsSync(origin)) continue
        await loadExampleData(options)
        copyFileSync(file, shared)
        writeFileSync(`${origin}.partial`, options.receiver.url(""))
        renameSync(`${origin}.partial`, origin)
        return
      } finally {
        rmdirSync(lock)
      }
    }
    await setTimeout(50)
  }
  copyFileSync(shared, file)
  moveEndpoints(file, readFileSync(origin, "utf8"), options.receiver.url(""))
}

/** `false`: it is ours now. */
const isTaken = (lock: string): boolean => {
  try {
    mkdirSync(lock)
    return false
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return true
    throw cause
  }
}

/** To the receiver of the server that has the copy. */
const moveEndpoints = (file: string, from: string, to: string) => {
  const database = new DatabaseSync(file)
  database.prepare("UPDATE webhook_endpoints SET url = replace(url, ?, ?)").run(from, to)
  database.close()
}
