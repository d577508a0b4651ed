/**
 * A cache of accepted API keys by `Authorization` header. Without it, hashing the key of each request would cost more
 * than the rest of authentication. The size of the cache is bounded. Adding an entry removes expired entries and, if
 * the cache is full, the oldest one.
 */
import type { Principal } from "../request/RequestNote.ts"

const REMEMBERED_MS = 1000
const REMEMBERED_KEYS = 1024

/** An API key that a look-up has accepted. */
interface AcceptedKey {
  readonly principal: Principal
  /** The time of the look-up, ms UTC. */
  readonly since: number
  /** The expiry of the key, ms UTC; `null`: it does not expire. */
  readonly expiresAt: number | null
}

interface Entry {
  readonly principal: Principal
  /**
   * The time of the look-up, ms UTC. If the clock was set back to before this time, the entry is ignored, so that it
   * does not last longer.
   */
  readonly since: number
  /** The time at which the entry or its key expires, the earlier of the two, ms UTC. */
  readonly until: number
}

export const makeMemory = () => {
  const entries = new Map<string, Entry>()
  let forgets = 0
  return {
    get: (header: string, now: number): Principal | null => {
      const entry = entries.get(header)
      if (entry === undefined) return null
      if (now >= entry.since && now < entry.until) return entry.principal
      entries.delete(header)
      return null
    },
    /**
     * The number of invalidations of this cache so far. The caller reads it before a look-up and passes it to `put`,
     * which discards the result if the cache was invalidated in the meantime.
     */
    forgets: (): number => forgets,
    put: (header: string, key: AcceptedKey, forgetsBefore: number): void => {
      if (forgetsBefore !== forgets) return
      const { expiresAt, principal, since } = key
      for (const [known, former] of entries) {
        const isFresh = since >= former.since && since < former.until
        if (isFresh && entries.size < REMEMBERED_KEYS) break
        entries.delete(known)
      }
      entries.set(header, { principal, since, until: Math.min(since + REMEMBERED_MS, expiresAt ?? Infinity) })
    },
    forget: (keyId: string): void => {
      forgets += 1
      for (const [header, { principal }] of entries) if (principal.keyId === keyId) entries.delete(header)
    }
  }
}
