/** What every command that opens the database shares: its flags, and how its faults are told. */
import { Effect, Layer } from "effect"
import { CliError, Flag } from "effect/cli"
import { databaseLayer } from "../Database.ts"
import { parseDatabaseUrl } from "../DatabaseUrl.ts"

export const databaseFlag = Flag.String("database").pipe(
  Flag.withDescription("sqlite:<file>"),
  Flag.withDefault("sqlite:paymux.db")
)

export const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("The account it belongs to"),
  Flag.withDefault("default")
)

export const liveFlag = Flag.Boolean("live").pipe(
  Flag.withDescription("Live mode instead of test mode"),
  Flag.withDefault(false)
)

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of a table"),
  Flag.withDefault(false)
)

/** Runs `effect` on the database; what fails is told in one sentence. */
export const onDatabase = <A, E extends { readonly message: string }, R, S>(
  url: string,
  services: Layer.Layer<S, { readonly message: string }, Layer.Success<ReturnType<typeof databaseLayer>>>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, CliError.UserError, Exclude<R, S>> => {
  const parsed = parseDatabaseUrl(url)
  return parsed._tag === "Refused"
    ? Effect.fail(told(new Error(parsed.sentence)))
    : Effect.mapError(Effect.provide(effect, Layer.provide(services, databaseLayer(parsed.filename))), told)
}

/** One sentence for the person at the terminal. */
export const told = (error: { readonly message: string }): CliError.UserError =>
  new CliError.UserError({ cause: error, userMessage: error.message })
