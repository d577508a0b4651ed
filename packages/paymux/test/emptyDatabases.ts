/** A database of each kind, until the tests of the file have ended. */
import { afterAll } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { migrations } from "../src/Database.ts"

export const emptyDatabases = async () => {
  const scope = Scope.makeUnsafe()
  const folder = mkdtempSync(join(tmpdir(), "paymux-test-"))
  const postgres = await Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, sqlite: `sqlite:${join(folder, "paymux.db")}`, postgres }
}
