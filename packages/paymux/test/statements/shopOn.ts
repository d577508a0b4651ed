/** Shops on a new database of each kind. */
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { openShop } from "./Shop.ts"

const databases = {
  SQLite: Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-statements-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ).pipe(Effect.map((folder) => `sqlite:${join(folder, "paymux.db")}`)),
  PostgreSQL: temporaryDatabase(migrations)
} as const

export const databaseNames = ["SQLite", "PostgreSQL"] as const

export type Shop = Extract<Awaited<ReturnType<typeof openShop>>, { readonly paymux: unknown }>

/** Runs a test with a shop of its own. */
export const shopOn = (name: (typeof databaseNames)[number]) => (test: (shop: Shop) => Promise<void>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const opened = yield* Scope.provide(opening(name), scope)
    yield* Effect.promise(() => test(opened)).pipe(Effect.ensuring(Scope.close(scope, Exit.void)))
  })

const opening = Effect.fnUntraced(function* (name: (typeof databaseNames)[number]) {
  const url = yield* databases[name]
  return yield* Effect.acquireRelease(
    Effect.promise(() => openShop(url)),
    ({ paymux }) => Effect.promise(() => paymux.close())
  )
})
