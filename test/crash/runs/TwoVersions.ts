/** A version with one further migration starts beside the running one, and migrates the database while both work. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrated } from "../Database.ts"
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export interface TwoVersionsReport extends HarnessReport {
  /** Migrations of the core in the database before the next version came, and after. */
  readonly migrations: { readonly before: number; readonly after: number }
}

export const twoVersions = async (options: {
  readonly database: string
  readonly payments: number
}): Promise<TwoVersionsReport> => {
  const { database, payments } = options
  const migrations = { before: 0, after: 0 }
  const report = await withHarness({ name: "versions", database, engines: 2 }, async (harness) => {
    migrations.before = await migrationsIn(database)
    await harness.untilPayments(payments / 4)
    await Promise.all([harness.join({ version: "next" }), harness.join({ version: "next" })])
    migrations.after = await migrationsIn(database)
    await harness.untilPayments(payments / 2)
    // One of each is killed, and comes back as what it was.
    await harness.engines[0]?.restart("SIGKILL")
    await harness.engines[2]?.restart("SIGKILL")
    await harness.untilPayments(payments)
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
