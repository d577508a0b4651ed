/** What the commands about webhooks share. */
import { Ids } from "@paymux/core"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { Argument, Flag } from "effect/cli"
import * as Audited from "../../Audited.ts"
import { secretProblems } from "../../options/secretOption.ts"
import { installationSecret } from "../../options/Settings.ts"
import { configuration } from "../configuration.ts"
import { accountFlag, databaseFlag, liveFlag } from "../database.ts"
import { userError } from "../userError.ts"

export const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

export const endpointArgument = Argument.String("id").pipe(
  Argument.withDescription("we_…, as in `paymux webhooks list`")
)

export const endpointFlag = Flag.String("endpoint").pipe(
  Flag.withDescription("Only deliveries to this endpoint: we_…"),
  Flag.optional
)

/**
 * Secrets are encrypted under the server's own: PAYMUX_SECRET, else that of the configuration, else in test mode the one
 * the database keeps.
 */
export const endpoints = (allow: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const secret = yield* installationSecret(yield* givenSecret)
      return Audited.endpoints({ secret, allow })
    })
  ).pipe(Layer.provide(Ids.layer))

/** A database belongs to the first secret it is used with: one that no server starts with is refused. */
const givenSecret = Effect.gen(function* () {
  const fromEnvironment = yield* Config.option(Config.Redacted("PAYMUX_SECRET"))
  const secret = Option.isSome(fromEnvironment)
    ? Redacted.value(fromEnvironment.value)
    : (yield* configuration(null)).secret
  const [problem] = secretProblems(secret)
  if (problem !== undefined) return yield* userError(new Error(problem))
  return secret === undefined ? null : Redacted.make(secret)
})

export const noEndpoint = (id: string, account: string, live: boolean) =>
  userError(new Error(`Endpoint ${id} not found in account ${account} (${live ? "live" : "test"} mode).`))
