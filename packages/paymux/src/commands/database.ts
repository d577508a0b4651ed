/** What every command that opens the database shares: its flags, and how its faults are reported. */
import { CurrentActor } from "@paymux/dashboard"
import { Console, Effect, Layer, Option } from "effect"
import { Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { accountNameRule, isAccountName } from "@paymux/http"
import { databaseLayer } from "../Database.ts"
import type { Database } from "../Database.ts"
import { parseDatabaseUrl } from "../options/DatabaseUrl.ts"
import type { DatabaseChoice } from "../options/DatabaseUrl.ts"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { ownIdsLayer, storedOwnIds } from "../options/Settings.ts"
import { commandActor } from "./commandActor.ts"
import { configuration } from "./configuration.ts"
import { userError } from "./userError.ts"

export const databaseFlag = Flag.String("database").pipe(
  Flag.withDescription(
    "sqlite:<file> or postgres://…; default: the database of ./paymux.config.ts, or sqlite:paymux.db"
  ),
  Flag.optional
)

export const DEFAULT_ACCOUNT = "default"

export const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("The account it belongs to: 1 to 64 letters, digits, _ or -"),
  Flag.filter(isAccountName, (account) => `an account ${accountNameRule}, not ${JSON.stringify(account)}`),
  Flag.withDefault(DEFAULT_ACCOUNT)
)

export const liveFlag = Flag.Boolean("live").pipe(
  Flag.withDescription("Live mode instead of test mode"),
  Flag.withDefault(false)
)

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of a table"),
  Flag.withDefault(false)
)

interface Failure {
  readonly message: string
}

/** Runs `effect` on the database, which creates the file if it is missing; a failure is reported in one sentence. */
export const onDatabase = Effect.fnUntraced(function* <A, E extends Failure, R, S>(
  flag: Option.Option<string>,
  services: Layer.Layer<S, Failure, Database>,
  effect: Effect.Effect<A, E, R>
): Effect.fn.Return<A, CliError.UserError, Exclude<R, S | Database>> {
  const database = yield* databaseOf(flag)
  const isThere = isSqliteFile(database)
  const layer = services.pipe(
    Layer.provideMerge(ownIdsLayer(storedOwnIds)),
    Layer.provideMerge(databaseLayer(database))
  )
  return yield* Effect.provide(effect, layer).pipe(
    Effect.provideService(CurrentActor, commandActor()),
    Effect.mapError(userError),
    Effect.ensuring(isThere ? Effect.void : tellMade(database))
  )
})

const isSqliteFile = (database: DatabaseChoice): boolean => database._tag === "Sqlite" && existsSync(database.filename)

/** In the wrong folder a command would go well, on a database that no server looks at. */
const tellMade = (database: DatabaseChoice) =>
  Effect.suspend(() => {
    if (database._tag !== "Sqlite" || !isSqliteFile(database)) return Effect.void
    const file = resolve(database.filename)
    return Console.error(
      `Made ${basename(file)}, a new database, in ${dirname(file)}. If the server uses another, name that with --database.`
    )
  })

/** The same for commands that only read: a missing database is reported, and not created. */
export const onExistingDatabase = Effect.fnUntraced(function* <A, E extends Failure, R, S>(
  flag: Option.Option<string>,
  services: Layer.Layer<S, Failure, Database>,
  effect: Effect.Effect<A, E, R>
): Effect.fn.Return<A, CliError.UserError, Exclude<R, S | Database>> {
  const database = yield* databaseOf(flag)
  if (database._tag === "Sqlite" && !isSqliteFile(database)) {
    return yield* userError(new Error(`Database not found: ${database.filename}. Name it with --database.`))
  }
  return yield* onDatabase(flag, services, effect)
})

/** For a command that has read a configuration, which --config may name: its database, and not that of the folder. */
export const orConfigured = (
  flag: Option.Option<string>,
  { database = DEFAULT_DATABASE }: Pick<PaymuxOptions, "database">
): Option.Option<string> => Option.orElse(flag, () => Option.some(database))

const DEFAULT_DATABASE = "sqlite:paymux.db"

export const databaseOf = Effect.fnUntraced(function* (
  flag: Option.Option<string>
): Effect.fn.Return<DatabaseChoice, CliError.UserError> {
  const url = Option.isSome(flag) ? flag.value : ((yield* configuration(null)).database ?? DEFAULT_DATABASE)
  const parsed = parseDatabaseUrl(url)
  return parsed._tag === "Refused" ? yield* userError(new Error(parsed.sentence)) : parsed
})
