/**
 * Rotates an endpoint's secret. For a time each event carries two signatures, one with the new secret and one with the
 * former, so that a receiver can verify with either and no event is lost during the change.
 */
import type { Tenant } from "@paymux/core"
import { Clock, Effect, Schema } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SecretBox } from "./SecretBox.ts"
import { generateSecret, readSecret } from "./Signature.ts"

export interface Rotation {
  /** An existing `whsec_` secret to import. Default: a new secret is generated. */
  readonly secret?: Redacted.Redacted<string>
  /**
   * The time, ms, for which the former secret also signs. Default: 24 h; at most 30 days. With 0, all former secrets
   * stop signing now.
   */
  readonly overlap?: number
}

export interface Rotated {
  /** The new secret, which cannot be read again. */
  readonly secret: Redacted.Redacted<string>
  /** The time until which the former secret also signs, ms UTC; `null` if it does not. */
  readonly formerUntil: number | null
}

/** The error of a refused rotation. The secret is unchanged. */
export class RotationRefused extends Schema.TaggedError<RotationRefused>()("RotationRefused", {
  reason: Schema.Literals(["overlap", "too_many"])
}) {
  override get message() {
    return this.reason === "overlap"
      ? "The former secret may sign for 0 ms to 30 days"
      : `${mostFormer} former secrets still sign: wait until one of them ends, or rotate with an overlap of 0, which ends them all`
  }
}

/** Rotates the secret; `null` if the tenant has no such endpoint. */
export const rotate = Effect.fnUntraced(function* (box: SecretBox, tenant: Tenant, id: string, rotation: Rotation) {
  const { overlap = defaultOverlap } = rotation
  if (!Number.isSafeInteger(overlap) || overlap < 0 || overlap > longestOverlap) {
    return yield* new RotationRefused({ reason: "overlap" })
  }
  const secret = rotation.secret ?? (yield* generateSecret)
  yield* readSecret(secret)
  const sealed = yield* box.seal(id, secret)
  const sql = yield* SqlClient.SqlClient
  // A row lock that serializes concurrent rotations. SQLite needs none, since it has a single writer.
  const locked = sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE", orElse: () => "" }))
  const swap = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [held] = yield* sql<{ secret: string }>`
      SELECT secret FROM webhook_endpoints
      WHERE id = ${id} AND account = ${tenant.account} AND livemode = ${tenant.livemode} AND secret <> '' ${locked}`
    if (held === undefined) return null
    // Fails if the server's secret was changed: other servers could not decrypt the new endpoint secret, and events
    // would wait.
    yield* box.open(id, held.secret)
    const ended = overlap === 0 ? sql`` : sql`AND expires_at <= ${now}`
    yield* sql`DELETE FROM webhook_former_secrets WHERE endpoint_id = ${id} ${ended}`
    if (overlap > 0) {
      const former = yield* sql`SELECT 1 FROM webhook_former_secrets WHERE endpoint_id = ${id}`
      if (former.length >= mostFormer) return yield* new RotationRefused({ reason: "too_many" })
      yield* sql`INSERT INTO webhook_former_secrets (endpoint_id, secret, expires_at)
        VALUES (${id}, ${held.secret}, ${now + overlap})`
    }
    yield* sql`UPDATE webhook_endpoints SET secret = ${sealed} WHERE id = ${id}`
    return { secret, formerUntil: overlap > 0 ? now + overlap : null } satisfies Rotated
  })
  return yield* sql.withTransaction(swap)
})

const day = 86_400_000
const defaultOverlap = day
const longestOverlap = 30 * day
/** The maximum number of former secrets, since receivers check every signature in the header. */
const mostFormer = 4
