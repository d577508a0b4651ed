/** A version with one further migration starts beside the running one, and migrates the database while both work. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrated } from "../Database.ts"
import { withStand } from "../TestHarness.ts"
import type { StandReport } from "../TestHarness.ts"

export interface TwoVersionsReport extends StandReport {
  /** Migrations of the core in the database before the next version came, and after. */
  readonly migrations: { readonly before: number; readonly after: number }
}

export const twoVersions = async (options: {
  readonly database: string
  readonly payments: number
}): Promise<TwoVersionsReport> => {
  const { database, payments } = options
  const migrations = { before: 0, after: 0 }
  const report = await withStand({ name: "versions", database, engines: 2 }, async (stand) => {
    migrations.before = await migrationsIn(database)
    await stand.untilPayments(payments / 4)
    await Promise.all([stand.join({ version: "next" }), stand.join({ version: "next" })])
    migrations.after = await migrationsIn(database)
    await stand.untilPayments(payments / 2)
    // One of each is killed, and comes back as what it was.
    await stand.engines[0]?.restart("SIGKILL")
    await stand.engines[2]?.restart("SIGKILL")
    await stand.untilPayments(payments)
  })
  return { ...report, migrations }
}

const migrationsIn = (database: string): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ id: number }>`SELECT id FROM paymux_migrations WHERE owner = 'core'`
      return rows.length
    }).pipe(Effect.provide(migrated({ url: database })))
  )
