/** `paymux providers`: the provider instances of a configuration. */
import type { ProviderInstance } from "@paymux/dashboard"
import { Console, Effect, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { contextOf } from "../doctor/probe.ts"
import { clientLayer } from "../Database.ts"
import { withStoredCell } from "../options/withStoredCell.ts"
import { shownDatabase } from "../options/DatabaseUrl.ts"
import { settingsOf } from "../options/PaymuxOptions.ts"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { storedCell } from "../options/Settings.ts"
import { providerInstance } from "../providers/providerInstance.ts"
import { optionsOf } from "./doctor.ts"
import { cellFlag } from "./cellFlag.ts"
import { databaseFlag, jsonFlag } from "./database.ts"
import { printTable } from "./table.ts"
import { userError } from "./userError.ts"

const list = Command.make(
  "list",
  {
    config: Flag.String("config").pipe(
      Flag.withDescription("The module that exports your options; default ./paymux.config.ts"),
      Flag.optional
    ),
    database: databaseFlag,
    cell: cellFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ cell, config, database, json }) {
    const settings = settingsOf(yield* optionsOf(Option.getOrNull(config), { cell, database }))
    if (Result.isFailure(settings)) return yield* userError(settings.failure)
    const { cellUrl, providers } = yield* inCellOfDatabase(settings.success)
    const instances = yield* Effect.forEach(providers, (provider) =>
      // Made as at a start, and released at once: an instance shows whether it receives webhooks.
      Effect.scoped(
        Effect.map(provider.make(contextOf(provider, cellUrl)), (operations) =>
          providerInstance(provider, cellUrl, operations)
        )
      )
    )
    if (json) return yield* Console.log(JSON.stringify(instances, null, 2))
    if (instances.length === 0) {
      return yield* Console.error("No providers in the configuration. The sandbox adds simulated ones.")
    }
    yield* printTable(
      ["provider", "mode", "adapter", "methods", "operations", "webhooks to"],
      instances.map((instance) => [
        instance.id,
        instance.retired ? `${instance.mode}, retired` : instance.mode,
        instance.adapter ?? "",
        methodsText(instance),
        Object.keys(instance.operations).join(", "),
        instance.webhookUrl ?? "none"
      ])
    )
  })
).pipe(Command.withDescription("List the provider instances, with the address that each sends its webhooks to"))

/** The database is read only for its cell, which is in the addresses: without a database the list is shown all the same. */
const inCellOfDatabase = (settings: PaymuxSettings): Effect.Effect<PaymuxSettings> => {
  const { cell, database } = settings
  const isMissing = database._tag === "Sqlite" && !existsSync(database.filename)
  if (cell !== null || isMissing) return Effect.succeed(settings)
  return Effect.scoped(Effect.provide(storedCell, clientLayer(database))).pipe(
    Effect.map((stored) => withStoredCell(settings, stored)),
    Effect.catch(() =>
      Effect.as(
        Console.error(
          `The cell cannot be read from ${shownDatabase(database)}. If the server is a cell, name it with --cell.`
        ),
        settings
      )
    )
  )
}

/** `card: token, hosted; upi: qr` */
const methodsText = ({ methods }: ProviderInstance): string =>
  Object.entries(methods)
    .map(([rail, { flows }]) => `${rail}: ${Object.keys(flows).join(", ")}`)
    .join("; ")

export const providers = Command.make("providers").pipe(
  Command.withDescription("Show the configured providers"),
  Command.withSubcommands([list])
)
