/** What the commands about webhooks share. */
import { Ids } from "@paymux/core"
import { WebhookEndpoints } from "@paymux/webhooks"
import { Config, Effect, Layer, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { installationSecret } from "../Settings.ts"
import { accountFlag, databaseFlag, liveFlag } from "./database.ts"
import { told } from "./told.ts"

export const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

export const endpointArgument = Argument.String("id").pipe(Argument.withDescription("we_…, as listed"))

export const endpointFlag = Flag.String("endpoint").pipe(
  Flag.withDescription("Only of this endpoint: we_…, as listed"),
  Flag.optional
)

/** Secrets are encrypted under the server's own: PAYMUX_SECRET, or in test mode the one the database keeps. */
export const endpoints = (allow: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const given = yield* Config.option(Config.Redacted("PAYMUX_SECRET"))
      const secret = yield* installationSecret(Option.getOrNull(given))
      return WebhookEndpoints.layer({ secret, allow })
    })
  ).pipe(Layer.provide(Ids.layer))

export const noEndpoint = (id: string, account: string, live: boolean) =>
  told(new Error(`There is no endpoint ${id} in account ${account} (${live ? "live" : "test"} mode).`))
