/** The replacement of the secret, one step after the other, while the engines take payments. */
import { AuditLog } from "@paymux/dashboard"
import { PostgresClient } from "@paymux/sql"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { secretsOf } from "../../packages/paymux/src/options/secretOption.ts"
import { rotateSecret } from "../../packages/paymux/src/secrets/rotateSecret.ts"
import type { EngineHost } from "../crash/EngineHost.ts"
import type { EngineSecrets } from "../crash/processes/Protocol.ts"

const former = "the former secret of the failovers, of 32 characters"
const next = "the next secret of the failovers, of 32 characters"

export const firstSecrets: EngineSecrets = [former]

/** Until the former secret is replaced; the engines keep it. */
export const replaceSecret = async (engines: ReadonlyArray<EngineHost>, database: string): Promise<void> => {
  await deploy(engines, [former, next])
  await deploy(engines, [next, former])
  await rotate(database)
}

/** After `replaceSecret`, also if the database has gone back since. */
export const removeFormerSecret = async (engines: ReadonlyArray<EngineHost>, database: string): Promise<void> => {
  await rotate(database)
  await deploy(engines, [next])
}

const deploy = async (engines: ReadonlyArray<EngineHost>, secrets: EngineSecrets): Promise<void> => {
  for (const engine of engines) await engine.giveSecrets(secrets)
}

/** It is refused until the row of an engine that was killed has expired. */
const rotate = async (database: string): Promise<void> => {
  const secrets = secretsOf([next, former])
  if (secrets === null) throw new Error("There are two secrets")
  await rotateSecret({ secrets, account: "default", onProgress: () => Effect.void }).pipe(
    Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 300 }),
    Effect.provide(
      AuditLog.layer.pipe(
        Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(database), maxConnections: 1 }))
      ),
      { local: true }
    ),
    Effect.runPromise
  )
}
