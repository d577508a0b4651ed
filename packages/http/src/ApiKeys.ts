/**
 * Who may call the API: keys are made here, listed, revoked, and looked up for each request.
 *
 * A key belongs to an account and a mode. A database keeps its SHA-256; the text is shown once, when it is made. The
 * one exception is the sandbox's own test key, kept readable so that each start can print the same one.
 *
 * Gotchas: an accepted key is remembered for a second. Revoked by another process, it works that much longer.
 */
import { Clock, Context, Data, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import * as ApiKey from "./ApiKey.ts"
import type { ApiKeyMode, RandomBytes } from "./ApiKey.ts"

/** Whom a request speaks for. */
export interface Principal {
  readonly account: string
  readonly livemode: boolean
  readonly keyId: string
}

/** A key as it may be shown: never its text. Times are ms UTC. */
export interface ApiKeyRecord extends Principal {
  readonly name: string
  /** `pmx_test_…wxyz` */
  readonly display: string
  readonly createdAt: number
  readonly revokedAt: number | null
}

export interface NewApiKey {
  readonly account: string
  readonly mode: ApiKeyMode
  /** A word for people: which server uses it. */
  readonly name: string
}

/** The request has no key that holds. `because` is for our own logs: a client is told the same for all. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  readonly because: "missing" | "malformed" | "unknown" | "revoked"
}> {}

/** The account has as many active keys of this mode as are allowed: two, so that one can replace the other. */
export class TooManyApiKeys extends Data.TaggedError("TooManyApiKeys")<{
  readonly account: string
  readonly mode: ApiKeyMode
  readonly maxActive: number
}> {
  override get message(): string {
    return `Account ${this.account} has ${this.maxActive} active ${this.mode} keys already: revoke one first.`
  }
}

export class ApiKeyNotFound extends Data.TaggedError("ApiKeyNotFound")<{ readonly keyId: string }> {
  override get message(): string {
    return `There is no API key ${this.keyId}.`
  }
}

/** The database did not answer; nothing is known of the key. */
export class ApiKeysUnavailable extends Data.TaggedError("ApiKeysUnavailable")<{ readonly cause: unknown }> {}

export interface ApiKeysOptions {
  /** Active keys of one account and mode, the sandbox's readable one not counted. Default 2. */
  readonly maxActive?: number
  /** Default: the platform's cryptographic randomness. */
  readonly random?: RandomBytes
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Makes a key. Its text is in the answer and nowhere else, ever again. */
    readonly create: (
      request: NewApiKey
    ) => Effect.Effect<
      { readonly key: Redacted.Redacted; readonly record: ApiKeyRecord },
      TooManyApiKeys | ApiKeysUnavailable
    >
    /** Every key of an account, also the revoked, newest first. */
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, ApiKeysUnavailable>
    /** From now on the key is refused. Revoking it again changes nothing. */
    readonly revoke: (keyId: string) => Effect.Effect<ApiKeyRecord, ApiKeyNotFound | ApiKeysUnavailable>
    /** Takes the value of the `Authorization` header. A key with a wrong checksum costs no look-up. */
    readonly authenticate: (
      authorization: string | undefined
    ) => Effect.Effect<Principal, Unauthorized | ApiKeysUnavailable>
    /** The sandbox's test key: made on the first call, the same text ever after, until it is revoked. */
    readonly ensureReadableTestKey: (account: string) => Effect.Effect<string, ApiKeysUnavailable>
  }
>()("@paymux/http/ApiKeys") {
  /** On the `SqlClient` of the application, whose database has the `apiKeyMigrations`. */
  static readonly layer = (options: ApiKeysOptions = {}): Layer.Layer<ApiKeys, never, SqlClient.SqlClient> =>
    Layer.effect(ApiKeys, make(options))
}

const REMEMBERED_MS = 1000
const REMEMBERED_KEYS = 1024

const make = Effect.fnUntraced(function* ({ maxActive = 2, random = ApiKey.randomBytes }: ApiKeysOptions) {
  const sql = yield* SqlClient.SqlClient
  const { columns, fromMs, lockAccount } = dialect(sql)
  const remembered = makeMemory()

  const create = Effect.fnUntraced(
    function* (request: NewApiKey) {
      const livemode = request.mode === "live"
      yield* lockAccount(request.account)
      const [active] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM paymux_api_keys
      WHERE account = ${request.account} AND livemode = ${livemode} AND revoked_at IS NULL AND readable IS NULL`
      if (Number(active?.count ?? 0) >= maxActive) {
        return yield* new TooManyApiKeys({ account: request.account, mode: request.mode, maxActive })
      }
      const key = ApiKey.generate(request.mode, random)
      const [row] = yield* insert(request, key, null)
      if (row === undefined) return yield* new ApiKeysUnavailable({ cause: new Error("The new key exists already.") })
      return { key: Redacted.make(key), record: recordOf(row) }
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", unavailable)
  )

  const insert = Effect.fnUntraced(function* (request: NewApiKey, key: string, readable: string | null) {
    const id = `key_${ApiKey.randomBase62(20, random)}`
    const now = yield* Clock.currentTimeMillis
    return yield* sql<Row>`INSERT INTO paymux_api_keys
        (id, account, livemode, name, hash, last4, readable, created_at)
      VALUES (${id}, ${request.account}, ${request.mode === "live"}, ${request.name}, ${ApiKey.hash(key)},
        ${key.slice(-4)}, ${readable}, ${fromMs(now)})
      ON CONFLICT DO NOTHING RETURNING ${columns}`
  })

  const list = Effect.fnUntraced(
    function* (account: string) {
      const rows = yield* sql<Row>`SELECT ${columns} FROM paymux_api_keys WHERE account = ${account}
      ORDER BY created_at DESC, id DESC`
      return rows.map(recordOf)
    },
    Effect.catchTag("SqlError", unavailable)
  )

  const revoke = Effect.fnUntraced(
    function* (keyId: string) {
      const now = yield* Clock.currentTimeMillis
      const [row] = yield* sql<Row>`UPDATE paymux_api_keys
      SET revoked_at = coalesce(revoked_at, ${fromMs(now)}), readable = NULL
      WHERE id = ${keyId} RETURNING ${columns}`
      if (row === undefined) return yield* new ApiKeyNotFound({ keyId })
      remembered.forget(keyId)
      return recordOf(row)
    },
    Effect.catchTag("SqlError", unavailable)
  )

  const authenticate = Effect.fnUntraced(
    function* (authorization: string | undefined) {
      if (authorization === undefined) return yield* new Unauthorized({ because: "missing" })
      // Taken before the look-up: what was true then is believed for no longer than that.
      const now = yield* Clock.currentTimeMillis
      const known = remembered.get(authorization, now)
      if (known !== undefined) return known
      const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
      const parsed = key === undefined ? null : ApiKey.parse(key)
      if (key === undefined || parsed === null) return yield* new Unauthorized({ because: "malformed" })
      const hash = ApiKey.hash(key)
      const [row] = yield* sql<Pick<Row, "id" | "account" | "livemode" | "hash"> & { revoked: boolean | number }>`
      SELECT id, account, livemode, hash, revoked_at IS NOT NULL AS revoked FROM paymux_api_keys WHERE hash = ${hash}`
      if (row === undefined || !ApiKey.isSameHash(row.hash, hash))
        return yield* new Unauthorized({ because: "unknown" })
      if (row.revoked) return yield* new Unauthorized({ because: "revoked" })
      const principal = { account: row.account, livemode: Boolean(row.livemode), keyId: row.id }
      remembered.put(authorization, principal, now)
      return principal
    },
    Effect.catchTag("SqlError", unavailable)
  )

  const ensureReadableTestKey = Effect.fnUntraced(
    function* (account: string) {
      const readable = sql<{ readable: string }>`SELECT readable FROM paymux_api_keys WHERE readable IS NOT NULL`
      const [existing] = yield* readable
      if (existing !== undefined) return existing.readable
      const key = ApiKey.generate("test", random)
      yield* insert({ account, mode: "test", name: "Sandbox" }, key, key)
      // Of several processes that start at once, one has written.
      const [written] = yield* readable
      if (written !== undefined) return written.readable
      return yield* new ApiKeysUnavailable({ cause: new Error("The sandbox key was revoked while it was made.") })
    },
    Effect.catchTag("SqlError", unavailable)
  )

  return ApiKeys.of({ create, list, revoke, authenticate, ensureReadableTestKey })
})

interface Row {
  readonly id: string
  readonly account: string
  readonly livemode: boolean | number
  readonly name: string
  readonly hash: string
  readonly last4: string
  readonly created_at: number
  readonly revoked_at: number | null
}

const recordOf = (row: Row): ApiKeyRecord => {
  const livemode = Boolean(row.livemode)
  return {
    keyId: row.id,
    account: row.account,
    livemode,
    name: row.name,
    display: `pmx_${livemode ? "live" : "test"}_…${row.last4}`,
    createdAt: row.created_at,
    revokedAt: row.revoked_at
  }
}

/** What SQLite and PostgreSQL write differently. */
const dialect = (sql: SqlClient.SqlClient) => {
  const times = sql.onDialectOrElse({
    pg: () =>
      "(extract(epoch FROM created_at) * 1000)::float8 AS created_at, " +
      "(extract(epoch FROM revoked_at) * 1000)::float8 AS revoked_at",
    orElse: () => "created_at, revoked_at"
  })
  return {
    columns: sql.literal(`id, account, livemode, name, hash, last4, ${times}`),
    fromMs: (ms: number) =>
      sql.onDialectOrElse({
        pg: () => sql`to_timestamp(${ms}::float8 / 1000)`,
        orElse: () => sql`${ms}`
      }),
    /** Within a transaction: no other makes a key of this account before it ends. SQLite has one writer anyway. */
    lockAccount: (account: string) =>
      sql.onDialectOrElse({
        pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${account}, 0))`),
        orElse: () => Effect.void
      })
  }
}

/**
 * Accepted keys, by the header they came in: hashing each request's would cost more than all else here. Bounded: the
 * oldest goes first, and what is too old to be believed goes with the next that is added.
 */
const makeMemory = () => {
  const entries = new Map<string, { readonly principal: Principal; readonly since: number }>()
  // A clock that was set back must not make a key last longer.
  const holds = (since: number, now: number): boolean => now >= since && now - since < REMEMBERED_MS
  return {
    get: (header: string, now: number): Principal | undefined => {
      const entry = entries.get(header)
      if (entry === undefined) return undefined
      if (holds(entry.since, now)) return entry.principal
      entries.delete(header)
      return undefined
    },
    put: (header: string, principal: Principal, now: number): void => {
      for (const [known, { since }] of entries) {
        if (holds(since, now) && entries.size < REMEMBERED_KEYS) break
        entries.delete(known)
      }
      entries.set(header, { principal, since: now })
    },
    forget: (keyId: string): void => {
      for (const [header, { principal }] of entries) if (principal.keyId === keyId) entries.delete(header)
    }
  }
}

const unavailable = (cause: SqlError) => Effect.fail(new ApiKeysUnavailable({ cause }))
