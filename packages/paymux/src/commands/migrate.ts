/**
 * `paymux migrate`: brings the tables of every package up to date, in one transaction; then makes an index for each key of
 * metadata that the configuration names.
 */
import { buildMetadataIndexes, missingMetadataIndexes, pendingMigrations, runMigrations } from "@paymux/sql"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { clientLayer, migrations } from "../Database.ts"
import { shownDatabase } from "../options/DatabaseUrl.ts"
import { indexedMetadataOf, indexedMetadataProblems } from "../options/indexedMetadata.ts"
import { configuration } from "./configuration.ts"
import { databaseFlag, databaseOf, orConfigured } from "./database.ts"
import { progress } from "./progress.ts"
import { printTable } from "./table.ts"
import { userError } from "./userError.ts"

export const migrate = Command.make(
  "migrate",
  {
    database: databaseFlag,
    config: Flag.String("config").pipe(
      Flag.withDescription("The module that exports your options; default ./paymux.config.ts"),
      Flag.optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("List the pending changes without making them; exits with 1 if there are any"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ config, database, dryRun }) {
    const configured = yield* configuration(Option.getOrNull(config))
    const problems = indexedMetadataProblems(configured.indexedMetadata)
    if (problems.length > 0) return yield* userError(new Error(problems.join("\n")))
    const keys = indexedMetadataOf(configured.indexedMetadata)
    const chosen = yield* databaseOf(orConfigured(database, configured))
    // Only to look, a file that is not there is not made.
    const isMissing = dryRun && chosen._tag === "Sqlite" && !existsSync(chosen.filename)
    const client = clientLayer(isMissing ? { _tag: "Sqlite", filename: ":memory:" } : chosen)
    const { built, steps } = yield* Effect.mapError(
      Effect.provide(dryRun ? whatIsMissing(keys) : bringUpToDate(keys), client),
      userError
    )
    const shown = shownDatabase(chosen)
    if (steps.length === 0 && built.length === 0) return yield* Console.error(`${shown} is up to date.`)
    yield* printTable(
      ["package", "step", "name"],
      [
        ...steps.map(({ migration, owner }) => [owner, String(migration.id), migration.name]),
        ...built.map((key) => ["core", "index", `metadata ${key}`])
      ]
    )
    if (!dryRun) return yield* Console.error(`${shown} is up to date.`)
    return yield* userError(new Error(`${shown} lacks these: run "paymux migrate".`))
  })
).pipe(
  Command.withDescription("Update the database's tables and indexes; servers can keep running"),
  Command.withExamples([
    { command: "paymux migrate --database postgres://…", description: "Before a new version of the servers is started" }
  ])
)

const bringUpToDate = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const steps = yield* progress("Migrating the database", runMigrations(migrations))
  const built = yield* progress("Building indexes of metadata", buildMetadataIndexes(keys))
  return { steps, built }
})

const whatIsMissing = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  return { steps: yield* pendingMigrations(migrations), built: yield* missingMetadataIndexes(keys) }
})
