/**
 * Limits of wrong tries, in the database so that all processes share them. A try is counted before the password is checked,
 * so that many at once do not get around the limit, and taken back when it was right.
 *
 * - From one address for one user: 5 in 15 minutes, then refused.
 * - From one address: 20 in 15 minutes, then refused.
 * - For one user from everywhere: never refused, since that would let anyone lock an owner out. After 10 in 15 minutes each
 *   further one waits, up to 5 seconds.
 * - From a known device: 5 in 15 minutes, then refused. Tries from elsewhere neither count for it nor slow it down.
 * - Wrong codes for one user: 10 in an hour, then refused. Only one who knows the password gets there; recovery codes work on.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { networkOf } from "./clientAddress.ts"
import { TooManyTries } from "./errors.ts"
import type { Origin } from "./HashQueue.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { Passwords } from "./Passwords.ts"

export interface Attempt {
  /** The IP address of the client; `null`: unknown. All such clients share a limit. */
  readonly address: string | null
  /** As entered, normalized: whether there is such a user makes no difference. */
  readonly email: string
  /** The id of a device that is known to the user, or of their session; `null`: neither. */
  readonly device: string | null
}

/**
 * Counts a try and checks its password, in a place for hashes. A slowed try gives its place up while it waits, and takes
 * another one for the hash. Otherwise a few slowed tries would keep all others out.
 */
export const checkWithinLimits = Effect.fnUntraced(function* <A, E, R>(
  attempt: Attempt,
  origin: Origin,
  check: Effect.Effect<A, E, R>
) {
  const { withPlace } = yield* Passwords
  const counted = Effect.gen(function* () {
    const wait = yield* countTry(attempt)
    return wait > 0 ? Effect.delay(withPlace(origin, check), wait) : Effect.succeed(yield* check)
  })
  return yield* Effect.flatten(withPlace(origin, counted))
})

/** Counts a try. Returns how long it must wait (ms): 0 unless there were many for this user. */
export const countTry: (
  attempt: Attempt
) => Effect.Effect<number, TooManyTries | StoreUnavailable, SqlClient.SqlClient> = Effect.fnUntraced(
  function* (attempt) {
    const { refusing, slowing } = bucketsOf(attempt)
    // What is refused writes nothing: otherwise anyone could keep the database busy, with ever new email addresses.
    for (const bucket of refusing) yield* refuseIfFull(bucket)
    for (const bucket of refusing) yield* countIn(bucket)
    const excess = slowing === null ? 0 : (yield* add(slowing)) - slowing.limit
    return excess > 0 ? Math.min(maximumWait, firstWait * 2 ** (excess - 1)) : 0
  }
)

/** The person proved who they are: what was counted for it is taken back. */
export const forgiveTries = Effect.fnUntraced(function* (attempt: Attempt, counted: number) {
  const sql = yield* SqlClient.SqlClient
  const { own, refusing, slowing } = bucketsOf(attempt)
  yield* orUnavailable(sql`DELETE FROM paymux_sign_in_limits WHERE name = ${own.name}`)
  for (const bucket of [...refusing, slowing]) {
    if (bucket === null || bucket === own) continue
    yield* orUnavailable(
      sql`UPDATE paymux_sign_in_limits SET tries = tries - ${counted} WHERE name = ${bucket.name} AND tries >= ${counted}`
    )
  }
})

/** Counts a code, before it is checked. */
export const countCode = (userId: string) => countIn(codesOf(userId))

export const forgiveCodes = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* orUnavailable(sql`DELETE FROM paymux_sign_in_limits WHERE name = ${codesOf(userId).name}`)
})

/** Deletes limits that no longer count, at most `count`. Returns their number. */
export const pruneLimits = Effect.fnUntraced(function* (now: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* orUnavailable(sql`DELETE FROM paymux_sign_in_limits WHERE name IN (
    SELECT name FROM paymux_sign_in_limits WHERE started_at < ${now - hour} ORDER BY started_at LIMIT ${count})
    RETURNING name`)
  return rows.length
})

interface Bucket {
  readonly name: string
  readonly limit: number
  /** ms */
  readonly window: number
}

const quarter = 900_000
const hour = 3_600_000
const firstWait = 250
const maximumWait = 5000

interface Buckets {
  /** Of this person here: emptied by a right try. */
  readonly own: Bucket
  readonly refusing: ReadonlyArray<Bucket>
  readonly slowing: Bucket | null
}

const bucketsOf = ({ address, device, email }: Attempt): Buckets => {
  if (device !== null) {
    const own = { name: nameOf("device", device), limit: 5, window: quarter }
    return { own, refusing: [own], slowing: null }
  }
  const network = address === null ? "unknown" : networkOf(address)
  const own = { name: nameOf("pair", network, email), limit: 5, window: quarter }
  const place = { name: nameOf("address", network), limit: 20, window: quarter }
  return { own, refusing: [place, own], slowing: { name: nameOf("user", email), limit: 10, window: quarter } }
}

const codesOf = (userId: string): Bucket => ({ name: nameOf("code", userId), limit: 10, window: hour })

/** A digest: the table has neither email addresses nor IP addresses of people. */
const nameOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")

/** A window that begins in the future is left to `add`, which moves it. */
const refuseIfFull = Effect.fnUntraced(function* (bucket: Bucket) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const full = yield* orUnavailable(sql`SELECT 1 AS present FROM paymux_sign_in_limits
    WHERE name = ${bucket.name} AND tries >= ${bucket.limit}
      AND started_at > ${now - bucket.window} AND started_at <= ${now}`)
  if (full.length > 0) return yield* tooMany(bucket)
})

const countIn = Effect.fnUntraced(function* (bucket: Bucket) {
  const tries = yield* add(bucket)
  if (tries > bucket.limit) return yield* tooMany(bucket)
})

const tooMany = ({ window }: Bucket) => new TooManyTries({ retryAfterSeconds: window / 1000 })

/**
 * One statement, so that tries at the same time are all counted. A window that begins in the future is of a clock that was
 * set back: it begins now, with what was counted.
 */
const add = Effect.fnUntraced(function* ({ name, window }: Bucket) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [row] = yield* orUnavailable(sql<{ readonly tries: number | string }>`
    INSERT INTO paymux_sign_in_limits AS l (name, tries, started_at) VALUES (${name}, 1, ${now})
    ON CONFLICT (name) DO UPDATE SET
      tries = CASE WHEN l.started_at <= ${now - window} THEN 1 ELSE l.tries + 1 END,
      started_at = CASE WHEN l.started_at <= ${now - window} OR l.started_at > ${now} THEN ${now} ELSE l.started_at END
    RETURNING tries`)
  return Number(row?.tries ?? 1)
})
