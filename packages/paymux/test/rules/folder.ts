import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Goes with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "paymux-rules-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
