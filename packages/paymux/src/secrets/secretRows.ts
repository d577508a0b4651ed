/** The secrets that a database knows: a row of the settings for each, named by its digest, with the lasting keys encrypted by it. */
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SecretState } from "./admission.ts"

export interface StoredSecret {
  readonly state: SecretState
  /** `null`: it is retired. */
  readonly keys: string | null
}

const prefix = "secret "

const Stored = Schema.fromJsonString(
  Schema.Struct({
    state: Schema.Literals(["reads", "writes", "replaced", "retired"]),
    keys: Schema.NullOr(Schema.String)
  })
)
const decode = Schema.decodeUnknownSync(Stored)
const encode = Schema.encodeSync(Stored)

/** By digest. */
export const storedSecrets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly value: string }>`
    SELECT name, value FROM paymux_settings WHERE name LIKE ${`${prefix}%`}`
  return new Map(rows.map(({ name, value }): [string, StoredSecret] => [name.slice(prefix.length), decode(value)]))
})

export const storeSecret = Effect.fnUntraced(function* (digest: string, secret: StoredSecret) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${prefix + digest}, ${encode(secret)}, ${now})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at`
})

export const forgetSecret = Effect.fnUntraced(function* (digest: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_settings WHERE name = ${prefix + digest}`
})

/** In a transaction of its own, which waits for others that read or change the known secrets. SQLite has a single writer. */
export const withSecretsLocked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.andThen(
        sql.onDialectOrElse({
          pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${"paymux secrets"}, 0))`),
          orElse: () => Effect.void
        }),
        effect
      )
    )
  )
