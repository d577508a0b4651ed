/** What the commands about webhooks share. */
import { Ids } from "@paymux/core"
import { Effect, Layer } from "effect"
import { Argument, Flag } from "effect/cli"
import * as Audited from "../../Audited.ts"
import { openInstallation } from "../../secrets/openInstallation.ts"
import { accountFlag, databaseFlag, liveFlag } from "../database.ts"
import { givenSecrets } from "../givenSecrets.ts"
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
      const { secrets } = yield* openInstallation(yield* givenSecrets)
      return Audited.endpoints({ secrets, allow })
    })
  ).pipe(Layer.provide(Ids.layer))

export const noEndpoint = (id: string, account: string, live: boolean) =>
  userError(new Error(`Endpoint ${id} not found in account ${account} (${live ? "live" : "test"} mode).`))
