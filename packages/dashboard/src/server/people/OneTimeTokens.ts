/** Links and steps that work once: what is kept of each is the hash of its token, for whom it is, and how long it holds. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { LinkInvalid } from "./errors.ts"
import { isToken, newToken, tokenHash } from "./Tokens.ts"

/**
 * `first_owner`: of an installation without users. `code`: the password was right, and a code is still to be entered.
 * `sandbox`: the address that `paymux serve --sandbox` prints. `oidc`: a sign-in with the identity provider, which is
 * stored when it is used.
 */
export type TokenPurpose = "first_owner" | "invitation" | "reset" | "code" | "sandbox" | "oidc"

export interface NewToken {
  readonly purpose: TokenPurpose
  /** The email address of an invitation, the id of a user, or empty. */
  readonly subject: string
  readonly data: object
  /** The id of the actor. */
  readonly createdBy: string
  /** ms */
  readonly lifetime: number
}

export interface Token {
  readonly subject: string
  /** As it was written; to be read with care. */
  readonly data: unknown
  /** ms UTC */
  readonly expiresAt: number
}

export const issueToken = Effect.fnUntraced(function* ({ createdBy, data, lifetime, purpose, subject }: NewToken) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const token = newToken()
  yield* sql`INSERT INTO paymux_one_time_tokens (hash, purpose, subject, data_json, created_by, created_at, expires_at)
    VALUES (${tokenHash(token)}, ${purpose}, ${subject}, ${JSON.stringify(data)}, ${createdBy}, ${now}, ${now + lifetime})`
  return { token, expiresAt: now + lifetime }
})

/** A token that can still be used. */
export const findToken = Effect.fnUntraced(function* (purpose: TokenPurpose, token: string) {
  if (!isToken(token)) return yield* new LinkInvalid()
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  // A clock that was set back must not make a token last longer than it was made for.
  const [row] = yield* sql<Row>`SELECT subject, data_json, expires_at FROM paymux_one_time_tokens
    WHERE hash = ${tokenHash(token)} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${now}`
  return row === undefined ? yield* new LinkInvalid() : tokenOf(row)
})

/** Only one of several at the same time succeeds. */
export const useToken = Effect.fnUntraced(function* (purpose: TokenPurpose, token: string, usedBy: string) {
  if (!isToken(token)) return yield* new LinkInvalid()
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [row] = yield* sql<Row>`UPDATE paymux_one_time_tokens SET used_at = ${now}, used_by = ${usedBy}
    WHERE hash = ${tokenHash(token)} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${now}
    RETURNING subject, data_json, expires_at`
  return row === undefined ? yield* new LinkInvalid() : tokenOf(row)
})

export interface SpentToken {
  readonly purpose: TokenPurpose
  readonly token: string
  readonly usedBy: string
  /** ms for which the token could still be used otherwise. */
  readonly lifetime: number
}

/** Uses a token that was not stored when it was issued. Only one of several at the same time succeeds. */
export const spendToken = Effect.fnUntraced(function* ({ lifetime, purpose, token, usedBy }: SpentToken) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const rows = yield* sql`INSERT INTO paymux_one_time_tokens
      (hash, purpose, subject, data_json, created_by, created_at, expires_at, used_at, used_by)
    VALUES (${tokenHash(token)}, ${purpose}, '', '{}', ${usedBy}, ${now}, ${now + lifetime}, ${now}, ${usedBy})
    ON CONFLICT (hash) DO NOTHING RETURNING hash`
  if (rows.length === 0) return yield* new LinkInvalid()
})

/** Of this subject, none of these works any more. */
export const withdrawTokens = Effect.fnUntraced(function* (purpose: TokenPurpose, subject: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_one_time_tokens
    WHERE purpose = ${purpose} AND subject = ${subject} AND used_at IS NULL`
})

/** Deletes tokens that ended before a time (ms UTC), at most `count`. Returns their number. */
export const pruneTokens = Effect.fnUntraced(function* (before: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`DELETE FROM paymux_one_time_tokens WHERE hash IN (
    SELECT hash FROM paymux_one_time_tokens WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${count})
    RETURNING hash`
  return rows.length
})

interface Row {
  readonly subject: string
  readonly data_json: string
  readonly expires_at: number | string
}

const tokenOf = (row: Row): Token => ({
  subject: row.subject,
  data: JSON.parse(row.data_json),
  expiresAt: Number(row.expires_at)
})
