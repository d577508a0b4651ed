/** What a stored session says, and for how long it holds. Pure. */
import type { Identity } from "../access/Identity.ts"
import { inTestOnly, membershipsOf } from "./Memberships.ts"

export type SessionMethod = "password" | "oidc" | "sandbox"

/** A session that holds. */
export interface Session {
  readonly identity: Identity
  /** `null`: of the sandbox's link. */
  readonly userId: string | null
  readonly method: SessionMethod
  /** Whether TOTP has to be set up before live mode is open: no second factor was proved in this session. */
  readonly needsTotp: boolean
  /** ms UTC */
  readonly expiresAt: number
}

/** ms UTC */
export interface SessionTimes {
  readonly lastSeenAt: number
  readonly authenticatedAt: number
  readonly expiresAt: number
}

export interface SessionRow {
  readonly user_id: string | null
  readonly method: string
  readonly last_seen_at: number | string
  readonly authenticated_at: number | string
  readonly expires_at: number | string
  readonly email: string | null
  readonly second_factor: boolean | number
  readonly account: string | null
  readonly livemode: boolean | number | null
  readonly role: string | null
}

/** ms without a request */
const idle = 3_600_000
/** ms: a session is written once in this time, and clocks of two servers differ by less. */
const resolution = 60_000

export const isEnded = (now: number, { expiresAt, lastSeenAt }: SessionTimes): boolean =>
  now >= expiresAt || now - lastSeenAt >= idle

/**
 * The times as of now. If the clock was set back, all move with it, so that the session neither ends nor lasts longer, and
 * what was proved an hour ago does not look recent.
 */
export const shiftedTo = (now: number, times: SessionTimes): SessionTimes => {
  const since = now - times.lastSeenAt
  if (Math.abs(since) < resolution) return times
  if (since > 0) return isEnded(now, times) ? times : { ...times, lastSeenAt: now }
  return {
    lastSeenAt: now,
    authenticatedAt: times.authenticatedAt + since,
    expiresAt: times.expiresAt + since
  }
}

interface Stored {
  /** One for each membership. */
  readonly rows: ReadonlyArray<SessionRow>
  readonly times: SessionTimes
  readonly now: number
  readonly sandbox: boolean
}

/** `null`: there is no such user any more, or the sandbox no longer runs. */
export const identityOf = ({ now, rows, sandbox, times }: Stored): Session | null => {
  const [row] = rows
  if (row === undefined) return null
  const { email, method, user_id: userId } = row
  if (method === "sandbox") return sandbox && userId === null ? sandboxSession(now, times) : null
  if (userId === null || email === null || (method !== "password" && method !== "oidc")) return null
  const memberships = membershipsOf(
    rows.flatMap(({ account, livemode, role }) =>
      account === null || livemode === null || role === null ? [] : [{ account, livemode, role }]
    )
  )
  // The identity provider decides whether it asks for a second factor.
  const needsTotp = method === "password" && !row.second_factor
  const identity: Identity = {
    id: userId,
    name: email,
    memberships: needsTotp ? inTestOnly(memberships) : memberships,
    authenticatedAt: times.authenticatedAt
  }
  return { identity, userId, method, needsTotp, expiresAt: times.expiresAt }
}

/** A person who reads the terminal of a sandbox may do everything in it: no money moves there. */
const sandboxSession = (now: number, { expiresAt }: SessionTimes): Session => ({
  identity: {
    id: "sandbox",
    name: "Sandbox",
    memberships: [{ account: null, modes: ["test"], role: "owner" }],
    authenticatedAt: now
  },
  userId: null,
  method: "sandbox",
  needsTotp: false,
  expiresAt
})
