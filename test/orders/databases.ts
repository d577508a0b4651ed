/** A new database of each kind that can be copied, and replaced by its copy, while no server runs. */
import { runMigrations, SqliteClient, coreMigrations } from "@paymux/sql"
import { apiKeyMigrations } from "@paymux/http"
import { Effect } from "effect"
import type { Scope } from "effect"
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { copyOf, temporaryDatabase } from "../support/PostgresDatabases.ts"

export interface Copyable {
  /** `sqlite:<file>` or `postgres://…`, with all tables. */
  readonly url: string
  readonly copy: Effect.Effect<void>
  /** The database is its copy from then on. */
  readonly goBack: Effect.Effect<void>
}

const sets = [coreMigrations, apiKeyMigrations]

export const sqlite: Effect.Effect<Copyable, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-orders-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const replace = (from: string, to: string) =>
    Effect.sync(() => {
      rmSync(join(folder, to), { recursive: true, force: true })
      cpSync(join(folder, from), join(folder, to), { recursive: true })
    })
  const filename = join(folder, "live", "payments.db")
  yield* Effect.sync(() => mkdirSync(join(folder, "live")))
  yield* Effect.orDie(Effect.provide(runMigrations(sets), SqliteClient.layer({ filename })))
  return { url: `sqlite:${filename}`, copy: replace("live", "copied"), goBack: replace("copied", "live") }
})

export const postgres: Effect.Effect<Copyable, never, Scope.Scope> = Effect.gen(function* () {
  const url = yield* temporaryDatabase(sets)
  return { url, ...(yield* copyOf(url)) }
}).pipe(Effect.orDie)
