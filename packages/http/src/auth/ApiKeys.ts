/**
 * API keys: creation, list, rotation, revocation, and the authentication of requests.
 *
 * A key belongs to an account and a mode. The database stores its SHA-256; the text is shown once, on creation. The
 * only exception is the sandbox's own test key, stored in plain text so that each start can print it.
 *
 * Gotchas: an accepted key is cached for a second. After another process revokes the key, this process accepts it for
 * that time.
 */
import type { Tenant } from "@paymux/core"
import { Cell } from "@paymux/core/store"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ApiKey from "./ApiKey.ts"
import type { ApiKeyMode, RandomBytes } from "./ApiKey.ts"
import {
  ApiKeyNameInvalid,
  ApiKeyNotFound,
  ApiKeyNotRotated,
  ApiKeyOfOtherCell,
  ApiKeysUnavailable,
  TooManyApiKeys,
  Unauthorized
} from "./ApiKeyErrors.ts"
import { makeMemory } from "./ApiKeyMemory.ts"
import { dialect, recordOf } from "./ApiKeyRow.ts"
import { lastUseWriter } from "./ApiKeyUses.ts"
import type { ApiKeyRecord, Row } from "./ApiKeyRow.ts"
import type { Principal } from "../request/RequestNote.ts"
import { isSameText } from "../request/isSameText.ts"

export interface NewApiKey {
  readonly account: string
  readonly mode: ApiKeyMode
  /** A label of the key, such as the server that uses the key. */
  readonly name: string
}

/** A new key with its text, which is not stored. */
export interface MadeApiKey {
  readonly key: Redacted.Redacted
  readonly record: ApiKeyRecord
}

export interface RotateApiKey {
  /**
   * The time for which the replaced key is still accepted after a rotation, ms. Default 24 h, at most 30 days. With 0,
   * the replaced key is rejected immediately.
   */
  readonly overlap?: number
  /** The tenant to which the key must belong. Default: any tenant. */
  readonly of?: Tenant
}

export interface RotatedApiKey extends MadeApiKey {
  /** The time from which the former key is rejected, ms UTC. */
  readonly formerExpiresAt: number
}

/** An account and mode with its number of active API keys. The sandbox's own key is counted too. */
export interface ActiveApiKeys extends Tenant {
  readonly active: number
}

export interface ApiKeysOptions {
  /** Maximum number of active keys of an account and mode, without the sandbox's own. Default 2. */
  readonly maxActive?: number
  /** The source of random bytes. Default: the platform's cryptographic randomness. */
  readonly random?: RandomBytes
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Creates a key. Its text is only in the result. */
    readonly create: (
      request: NewApiKey
    ) => Effect.Effect<MadeApiKey, ApiKeyNameInvalid | TooManyApiKeys | ApiKeysUnavailable>
    /** All keys of an account, including revoked and expired ones, newest first. */
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, ApiKeysUnavailable>
    /** The number of active keys for every account and mode that has or had a key, ordered by account name. */
    readonly active: Effect.Effect<ReadonlyArray<ActiveApiKeys>, ApiKeysUnavailable>
    /**
     * Replaces an active key by a new one with the same account, mode and name. The former key expires after the
     * overlap.
     */
    readonly rotate: (
      keyId: string,
      rotation?: RotateApiKey
    ) => Effect.Effect<RotatedApiKey, ApiKeyNotFound | ApiKeyNotRotated | ApiKeysUnavailable>
    /**
     * Revokes a key immediately. Revoking it again has no effect. With `of`, only a key of this tenant can be revoked.
     */
    readonly revoke: (keyId: string, of?: Tenant) => Effect.Effect<ApiKeyRecord, ApiKeyNotFound | ApiKeysUnavailable>
    /**
     * Authenticates the value of an `Authorization` header. A key with a wrong checksum is rejected without a look-up.
     * A key that names another cell is accepted if it is stored here, because its account was moved to this cell.
     */
    readonly authenticate: (
      authorization: string | undefined
    ) => Effect.Effect<Principal, Unauthorized | ApiKeyOfOtherCell | ApiKeysUnavailable>
    /**
     * The principal of a key that `authenticate` accepted less than a second before `now`, ms UTC. `null`: not cached.
     */
    readonly remembered: (authorization: string, now: number) => Principal | null
    /** The sandbox's test key: created on the first call, and the same until it is revoked. */
    readonly ensureReadableTestKey: (account: string) => Effect.Effect<string, ApiKeysUnavailable>
  }
>()("@paymux/http/ApiKeys") {
  /**
   * The service of API keys. It requires a database with the `apiKeyMigrations`. New keys contain the name of the
   * `Cell`.
   */
  static readonly layer = (options: ApiKeysOptions = {}): Layer.Layer<ApiKeys, never, SqlClient> =>
    Layer.effect(ApiKeys, make(options))
}

const DAY = 86_400_000
const LONGEST_OVERLAP = 30 * DAY

const make = Effect.fnUntraced(function* ({ maxActive = 2, random = ApiKey.randomBytes }: ApiKeysOptions) {
  const sql = yield* SqlClient
  const cell = yield* Cell
  const { belongsTo, columns, fromMs, isActive, lockAccount } = dialect(sql)
  const memory = makeMemory()
  const recordUse = yield* lastUseWriter(sql)

  const countActive = Effect.fnUntraced(function* ({ account, mode }: NewApiKey, now: number) {
    const [active] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM paymux_api_keys
      WHERE account = ${account} AND livemode = ${mode === "live"} AND readable IS NULL AND ${isActive(now)}`
    return Number(active?.count ?? 0)
  })

  const insertNew = Effect.fnUntraced(function* (request: NewApiKey, now: number) {
    const key = ApiKey.generate(request.mode, random, cell)
    const [row] = yield* insert(request, key, null, now)
    if (row === undefined) return yield* new ApiKeysUnavailable({ cause: new Error("The new key exists already.") })
    return { key: Redacted.make(key), record: recordOf(row) } satisfies MadeApiKey
  })

  const insert = (request: NewApiKey, key: string, readable: string | null, now: number) =>
    sql<Row>`INSERT INTO paymux_api_keys
        (id, account, livemode, name, hash, last4, readable, created_at)
      VALUES (${`key_${ApiKey.randomBase62(20, random)}`}, ${request.account}, ${request.mode === "live"},
        ${request.name}, ${ApiKey.hash(key)}, ${key.slice(-4)}, ${readable}, ${fromMs(now)})
      ON CONFLICT DO NOTHING RETURNING ${columns}`

  const rotationRefusal = Effect.fnUntraced(function* (keyId: string, now: number) {
    const [row] = yield* sql<Pick<Row, "revoked_at" | "expires_at">>`SELECT ${columns} FROM paymux_api_keys
      WHERE id = ${keyId}`
    if (row === undefined || row.revoked_at !== null) return "revoked"
    if (row.expires_at === null) return "sandbox"
    return row.expires_at <= now ? "expired" : "being_replaced"
  })

  return ApiKeys.of({
    create: Effect.fnUntraced(
      function* (request) {
        if (!isName(request.name)) return yield* new ApiKeyNameInvalid()
        const now = yield* Clock.currentTimeMillis
        yield* lockAccount(request.account)
        if ((yield* countActive(request, now)) >= maxActive) {
          return yield* new TooManyApiKeys({ account: request.account, mode: request.mode, maxActive })
        }
        return yield* insertNew(request, now)
      },
      sql.withTransaction,
      Effect.catchTag("SqlError", unavailable)
    ),
    list: Effect.fnUntraced(
      function* (account) {
        const rows = yield* sql<Row>`SELECT ${columns} FROM paymux_api_keys WHERE account = ${account}
        ORDER BY created_at DESC, id DESC`
        return rows.map(recordOf)
      },
      Effect.catchTag("SqlError", unavailable)
    ),
    active: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const rows = yield* sql<{ account: string; livemode: boolean | number; active: number | string }>`
        SELECT account, livemode, sum(CASE WHEN ${isActive(now)} THEN 1 ELSE 0 END) AS active
        FROM paymux_api_keys GROUP BY account, livemode ORDER BY account, livemode`
      return rows.map(({ account, active, livemode }) => ({
        account,
        livemode: Boolean(livemode),
        active: Number(active)
      }))
    }).pipe(Effect.catchTag("SqlError", unavailable)),
    rotate: Effect.fnUntraced(
      function* (keyId: string, { of, overlap = DAY } = {}) {
        const refused = (reason: ApiKeyNotRotated["reason"]) => new ApiKeyNotRotated({ keyId, reason })
        if (!Number.isSafeInteger(overlap) || overlap < 0 || overlap > LONGEST_OVERLAP) return yield* refused("overlap")
        if (!isKeyId(keyId)) return yield* new ApiKeyNotFound({ keyId })
        const now = yield* Clock.currentTimeMillis
        const [found] = yield* sql<Pick<Row, "account">>`SELECT account FROM paymux_api_keys
          WHERE id = ${keyId} AND ${belongsTo(of)}`
        if (found === undefined) return yield* new ApiKeyNotFound({ keyId })
        yield* lockAccount(found.account)
        const formerExpiresAt = now + overlap
        const [held] = yield* sql<Row>`UPDATE paymux_api_keys SET expires_at = ${fromMs(formerExpiresAt)}
          WHERE id = ${keyId} AND revoked_at IS NULL AND expires_at IS NULL AND readable IS NULL RETURNING ${columns}`
        if (held === undefined) return yield* refused(yield* rotationRefusal(keyId, now))
        const next = { account: held.account, mode: held.livemode ? "live" : "test", name: held.name } as const
        if ((yield* countActive(next, now)) >= maxActive) return yield* refused("too_many")
        return { ...(yield* insertNew(next, now)), formerExpiresAt } satisfies RotatedApiKey
      },
      sql.withTransaction,
      (rotated, keyId) => Effect.tap(rotated, () => Effect.sync(() => memory.forget(keyId))),
      Effect.catchTag("SqlError", unavailable)
    ),
    revoke: Effect.fnUntraced(
      function* (keyId, of) {
        if (!isKeyId(keyId)) return yield* new ApiKeyNotFound({ keyId })
        const now = yield* Clock.currentTimeMillis
        const [row] = yield* sql<Row>`UPDATE paymux_api_keys
        SET revoked_at = coalesce(revoked_at, ${fromMs(now)}), readable = NULL
        WHERE id = ${keyId} AND ${belongsTo(of)} RETURNING ${columns}`
        if (row === undefined) return yield* new ApiKeyNotFound({ keyId })
        memory.forget(keyId)
        return recordOf(row)
      },
      Effect.catchTag("SqlError", unavailable)
    ),
    authenticate: Effect.fnUntraced(
      function* (authorization) {
        if (authorization === undefined) return yield* new Unauthorized({ because: "missing" })
        // The current time is read before the database look-up, because the result is valid as of this time.
        const now = yield* Clock.currentTimeMillis
        const known = memory.get(authorization, now)
        if (known !== null) return known
        const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
        const parsed = key === undefined ? null : ApiKey.parse(key)
        if (key === undefined || parsed === null) return yield* new Unauthorized({ because: "malformed" })
        const hash = ApiKey.hash(key)
        const forgets = memory.forgets()
        const [row] = yield* sql<Row>`SELECT ${columns} FROM paymux_api_keys WHERE hash = ${hash}`
        if (row === undefined || !isSameText(row.hash, hash)) {
          return parsed.cell === null || parsed.cell === cell
            ? yield* new Unauthorized({ because: "unknown" })
            : yield* new ApiKeyOfOtherCell({ cell: parsed.cell, here: cell })
        }
        if (row.revoked_at !== null) return yield* new Unauthorized({ because: "revoked" })
        const expiresAt = row.expires_at
        if (expiresAt !== null && expiresAt <= now) return yield* new Unauthorized({ because: "expired" })
        const principal = { account: row.account, livemode: Boolean(row.livemode), keyId: row.id }
        yield* recordUse(row.id, now)
        memory.put(authorization, { principal, since: now, expiresAt }, forgets)
        return principal
      },
      Effect.catchTag("SqlError", unavailable)
    ),
    ensureReadableTestKey: Effect.fnUntraced(
      function* (account) {
        const readable = sql<{ readable: string }>`SELECT readable FROM paymux_api_keys WHERE readable IS NOT NULL`
        const [existing] = yield* readable
        if (existing !== undefined) return existing.readable
        const key = ApiKey.generate("test", random, cell)
        yield* insert({ account, mode: "test", name: "Sandbox" }, key, key, yield* Clock.currentTimeMillis)
        // If several processes start at the same time, only one of them inserts the sandbox key. So the stored key is
        // read again.
        const [written] = yield* readable
        if (written !== undefined) return written.readable
        return yield* new ApiKeysUnavailable({ cause: new Error("The sandbox key was revoked while it was made.") })
      },
      Effect.catchTag("SqlError", unavailable)
    ),
    remembered: memory.get
  })
})

/** Whether a text can be an id of an API key. The database may reject other texts. */
const isKeyId = (id: unknown): boolean => typeof id === "string" && /^key_[0-9A-Za-z]{1,40}$/.test(id)

/**
 * Validates a name, which may be untyped input. Characters that change the direction of text could make one key look
 * like another.
 */
const isName = (name: unknown): boolean =>
  typeof name === "string" && /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,100}$/u.test(name)

const unavailable = (cause: SqlError) => Effect.fail(new ApiKeysUnavailable({ cause }))
