/** `paymux migrate`: brings the tables of every package up to date, in one transaction. */
import { pendingMigrations, runMigrations } from "@paymux/sql"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { clientLayer, migrations } from "../Database.ts"
import { shownDatabase } from "../DatabaseUrl.ts"
import { databaseFlag, databaseOf } from "./database.ts"
import { progress } from "./progress.ts"
import { printTable } from "./table.ts"
import { told } from "./told.ts"

export const migrate = Command.make(
  "migrate",
  {
    database: databaseFlag,
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Only list what would be done; ends with 1 if there is anything"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ database, dryRun }) {
    const chosen = yield* databaseOf(database)
    // Only to look, a file that is not there is not made.
    const isMissing = dryRun && chosen._tag === "Sqlite" && !existsSync(chosen.filename)
    const client = clientLayer(isMissing ? { _tag: "Sqlite", filename: ":memory:" } : chosen)
    const work = dryRun ? pendingMigrations(migrations) : runMigrations(migrations)
    const steps = yield* progress("Migrating the database", Effect.mapError(Effect.provide(work, client), told))
    const shown = shownDatabase(chosen)
    if (steps.length === 0) return yield* Console.error(`${shown} is up to date.`)
    yield* printTable(
      ["package", "step", "name"],
      steps.map(({ migration, owner }) => [owner, String(migration.id), migration.name])
    )
    if (!dryRun) return yield* Console.error(`${shown} is up to date.`)
    return yield* told(new Error(`${shown} lacks these: run "paymux migrate".`))
  })
).pipe(
  Command.withDescription("Bring the database's tables up to date; servers may go on running"),
  Command.withExamples([
    { command: "paymux migrate --database postgres://…", description: "Before a new version of the servers is started" }
  ])
)
