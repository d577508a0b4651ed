/**
 * A cache of accepted API keys, by `Authorization` header: hashing the key of each request would cost more than the rest of
 * authentication. The cache is bounded: the oldest entry is evicted first, and expired entries when another one is added.
 */
import type { Principal } from "../request/RequestNote.ts"

const REMEMBERED_MS = 1000
const REMEMBERED_KEYS = 1024

interface Entry {
  readonly principal: Principal
  /** ms UTC of the look-up. */
  readonly since: number
  /** ms UTC; `null`: the key does not expire. */
  readonly expiresAt: number | null
}

export const makeMemory = () => {
  const entries = new Map<string, Entry>()
  let forgets = 0
  // After the clock was set back, an entry must not last longer.
  const isFresh = ({ expiresAt, since }: Entry, now: number): boolean =>
    now >= since && now - since < REMEMBERED_MS && (expiresAt === null || now < expiresAt)
  return {
    get: (header: string, now: number): Principal | null => {
      const entry = entries.get(header)
      if (entry === undefined) return null
      if (isFresh(entry, now)) return entry.principal
      entries.delete(header)
      return null
    },
    /**
     * The number of invalidations, read before a look-up, for `put`: the result of a look-up that began before an invalidation is
     * not stored.
     */
    forgets: (): number => forgets,
    put: (header: string, entry: Entry, forgetsBefore: number): void => {
      if (forgetsBefore !== forgets) return
      for (const [known, former] of entries) {
        if (isFresh(former, entry.since) && entries.size < REMEMBERED_KEYS) break
        entries.delete(known)
      }
      entries.set(header, entry)
    },
    forget: (keyId: string): void => {
      forgets += 1
      for (const [header, { principal }] of entries) if (principal.keyId === keyId) entries.delete(header)
    }
  }
}
