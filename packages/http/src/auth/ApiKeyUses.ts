/** The time of the last use of each API key: written at most once a minute, in the background. */
import { Effect, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { dialect } from "./ApiKeyRow.ts"

export const lastUseWriter = Effect.fnUntraced(function* (sql: SqlClient) {
  const { fromMs } = dialect(sql)
  const scope = yield* Scope.Scope
  const written = new Map<string, number>()

  /** Records a use at `at`, ms UTC. */
  return (keyId: string, at: number) => {
    const former = written.get(keyId)
    // A time earlier than the last written one is written too, because the wall clock may have been set back.
    if (former !== undefined && at - former < minute && at >= former) return Effect.void
    written.set(keyId, at)
    // The `WHERE` condition keeps a later time that another process may have written.
    return sql`UPDATE paymux_api_keys SET last_used_at = ${fromMs(at)}
      WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < ${fromMs(at)})`.pipe(
      Effect.catchCause((cause) => Effect.logDebug(`The last use of API key ${keyId} was not written`, cause)),
      Effect.forkIn(scope),
      Effect.asVoid
    )
  }
})

const minute = 60_000
