/**
 * Sessions of people who signed in. The database has the hash of each id, so that a copy of it opens none, and any process
 * serves them all. They end after 12 hours, or 1 hour without a request (NIST SP 800-63B, AAL2).
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable } from "./orUnavailable.ts"
import { identityOf, isEnded, shiftedTo } from "./sessionRows.ts"
import type { Session, SessionMethod, SessionRow, SessionTimes } from "./sessionRows.ts"
import { isToken, newToken, tokenHash } from "./Tokens.ts"

export interface NewSession {
  /** `null`: of the sandbox's link. */
  readonly userId: string | null
  readonly method: SessionMethod
  /** ms UTC at which the person last proved who they are. */
  readonly authenticatedAt: number
  /** Whether a code of TOTP, or a recovery code, was right. */
  readonly secondFactor: boolean
  readonly client: Client
}

/** Who sends a request, as far as that is known. */
export interface Client {
  /** IP address. */
  readonly address: string | null
  readonly userAgent: string | null
}

export interface SessionsOptions {
  /** Whether the sandbox runs: its sessions hold only then. */
  readonly sandbox: boolean
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The id, which is the value of the cookie. */
    readonly create: (session: NewSession) => Effect.Effect<string, SqlError>
    /** `null`: unknown, or ended. */
    readonly find: (id: string) => Effect.Effect<Session | null, StoreUnavailable>
    /** Under a new id, with the time at which the person proved who they are. It does not last longer than the former. */
    readonly renew: (id: string, authenticatedAt: number) => Effect.Effect<string | null, StoreUnavailable>
    readonly end: (id: string) => Effect.Effect<void, StoreUnavailable>
    /** Of one user, everywhere. Returns their number. */
    readonly endAll: (userId: string) => Effect.Effect<number, StoreUnavailable>
    /** Deletes sessions that have ended, at most `count`. Returns their number. */
    readonly prune: (count: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@paymux/dashboard/Sessions") {
  static readonly layer = (options: SessionsOptions): Layer.Layer<Sessions, never, SqlClient.SqlClient> =>
    Layer.effect(
      Sessions,
      Effect.map(SqlClient.SqlClient, (sql) =>
        Sessions.of({
          create: create(sql),
          find: (id) => orUnavailable(find(sql, options)(id)),
          renew: (id, authenticatedAt) => orUnavailable(renew(sql)(id, authenticatedAt)),
          end: (id) => orUnavailable(Effect.asVoid(sql`DELETE FROM paymux_sessions WHERE hash = ${tokenHash(id)}`)),
          endAll: (userId) =>
            orUnavailable(sql`DELETE FROM paymux_sessions WHERE user_id = ${userId} RETURNING hash`).pipe(
              Effect.map((rows) => rows.length)
            ),
          prune: (count) => orUnavailable(prune(sql)(count))
        })
      )
    )
}

const lifetime = 12 * 3_600_000

const create = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ authenticatedAt, client, method, secondFactor, userId }: NewSession) {
    const now = yield* Clock.currentTimeMillis
    const id = newToken()
    yield* sql`INSERT INTO paymux_sessions
        (hash, user_id, method, created_at, last_seen_at, authenticated_at, expires_at, second_factor, address, user_agent)
      VALUES (${tokenHash(id)}, ${userId}, ${method}, ${now}, ${now}, ${authenticatedAt}, ${now + lifetime}, ${secondFactor},
        ${client.address?.slice(0, 64) ?? null}, ${client.userAgent?.replaceAll("\0", "").slice(0, 200) ?? null})`
    return id
  })

const find = (sql: SqlClient.SqlClient, { sandbox }: SessionsOptions) =>
  Effect.fnUntraced(function* (id: string) {
    if (!isToken(id)) return null
    const hash = tokenHash(id)
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql<SessionRow>`
      SELECT s.user_id, s.method, s.last_seen_at, s.authenticated_at, s.expires_at, s.second_factor, u.email,
        m.account, m.livemode, m.role
      FROM paymux_sessions s
      LEFT JOIN paymux_users u ON u.id = s.user_id
      LEFT JOIN paymux_memberships m ON m.user_id = s.user_id
      WHERE s.hash = ${hash}
      ORDER BY m.account, m.livemode`
    const [row] = rows
    if (row === undefined) return null
    const stored = timesOf(row)
    const times = shiftedTo(now, stored)
    if (isEnded(now, times)) return null
    if (times.lastSeenAt !== stored.lastSeenAt) yield* touch(sql)(hash, stored, times)
    return identityOf({ rows, times, now, sandbox })
  })

const timesOf = (row: SessionRow): SessionTimes => ({
  lastSeenAt: Number(row.last_seen_at),
  authenticatedAt: Number(row.authenticated_at),
  expiresAt: Number(row.expires_at)
})

/** Another process may have done so at the same moment: then this changes nothing. */
const touch = (sql: SqlClient.SqlClient) => (hash: string, stored: SessionTimes, times: SessionTimes) =>
  sql`UPDATE paymux_sessions SET last_seen_at = ${times.lastSeenAt}, authenticated_at = ${times.authenticatedAt},
    expires_at = ${times.expiresAt} WHERE hash = ${hash} AND last_seen_at = ${stored.lastSeenAt}`

/** One statement: the former id ends as the new one begins. */
const renew = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (id: string, authenticatedAt: number) {
    const now = yield* Clock.currentTimeMillis
    const next = newToken()
    const rows = yield* sql`UPDATE paymux_sessions
      SET hash = ${tokenHash(next)}, authenticated_at = ${authenticatedAt}, last_seen_at = ${now}
      WHERE hash = ${tokenHash(id)} RETURNING hash`
    return rows.length === 0 ? null : next
  })

const prune = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (count: number) {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql`DELETE FROM paymux_sessions WHERE hash IN (
      SELECT hash FROM paymux_sessions WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${count})
      RETURNING hash`
    return rows.length
  })
