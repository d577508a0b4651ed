/** What the commands about webhooks share. */
import { Ids } from "@paymux/core"
import { Effect, Layer } from "effect"
import { Argument, Flag } from "effect/cli"
import * as Audited from "../../Audited.ts"
import type { GivenSecrets } from "../../options/secretOption.ts"
import { Installation } from "../../secrets/Installation.ts"
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
  Layer.unwrap(Effect.map(givenSecrets, (given) => endpointsWith(given, allow)))

/**
 * As long as it runs, others see its secrets as those of a server: a rotation does not begin before its last text is stored.
 *
 * @internal Exported for its own test.
 */
export const endpointsWith = (given: GivenSecrets, allow: ReadonlyArray<string>) =>
  Layer.unwrap(Effect.map(Installation, ({ secrets }) => Audited.endpoints({ secrets, allow }))).pipe(
    Layer.provide(Layer.merge(Installation.layer(given), Ids.layer))
  )

export const noEndpoint = (id: string, account: string, live: boolean) =>
  userError(new Error(`Endpoint ${id} not found in account ${account} (${live ? "live" : "test"} mode).`))
