/**
 * Limits concurrent delivery attempts, in total and per endpoint. An endpoint that fails, or has an attempt running for
 * longer than two seconds, is slow: slow endpoints have a lower limit each and a separate share of the total. However many
 * of them hang, they cannot use up the capacity of the others.
 */

export interface ConcurrencyLimits {
  /** Concurrent attempts to responsive endpoints. Slow endpoints share half as many in addition. */
  readonly concurrency: number
  readonly concurrencyPerEndpoint: number
}

export interface ConcurrencyLimiter {
  /** How many more attempts to this endpoint may start at `now` (ms UTC); 0 or less: none. */
  readonly room: (endpoint: { readonly id: string; readonly failing: boolean }, now: number) => number
  readonly running: (id: string) => number
  /** Registers an attempt. Run the returned function once when the attempt ends. */
  readonly begin: (endpoint: { readonly id: string; readonly failing: boolean }, now: number) => () => void
}

interface Running {
  failing: boolean
  /** When each attempt started, oldest first. */
  readonly since: Set<{ readonly at: number }>
}

export const make = ({ concurrency, concurrencyPerEndpoint }: ConcurrencyLimits): ConcurrencyLimiter => {
  const byEndpoint = new Map<string, Running>()
  const slowShare = Math.max(1, Math.floor(concurrency / 2))
  const slowTries = Math.max(1, Math.floor(concurrencyPerEndpoint / 2))
  const running = (id: string): number => byEndpoint.get(id)?.since.size ?? 0

  const isSlow = (tries: Running | undefined, now: number): boolean => {
    if (tries === undefined) return false
    const [oldest] = tries.since
    return tries.failing || (oldest !== undefined && now - oldest.at > patience)
  }
  const inLane = (slow: boolean, now: number): number => {
    let sum = 0
    for (const tries of byEndpoint.values()) if (isSlow(tries, now) === slow) sum += tries.since.size
    return sum
  }

  return {
    running,
    room: ({ failing, id }, now) => {
      const slow = failing || isSlow(byEndpoint.get(id), now)
      const ofItsOwn = (slow ? slowTries : concurrencyPerEndpoint) - running(id)
      return Math.min(ofItsOwn, (slow ? slowShare : concurrency) - inLane(slow, now))
    },
    begin: ({ failing, id }, now) => {
      const tries = byEndpoint.get(id) ?? { failing, since: new Set() }
      tries.failing = failing
      byEndpoint.set(id, tries)
      const begun = { at: now }
      tries.since.add(begun)
      return () => {
        tries.since.delete(begun)
        if (tries.since.size === 0 && byEndpoint.get(id) === tries) byEndpoint.delete(id)
      }
    }
  }
}

/**
 * The order in which endpoints get attempts: fewest running first, then least recently served. However many endpoints
 * compete for the limit, each is served in turn.
 */
export const makeTurns = () => {
  let turn = 0
  let lastTurn = new Map<string, number>()
  return {
    /** Endpoints that are no longer listed are forgotten. */
    order: <E extends { readonly id: string }>(
      endpoints: ReadonlyArray<E>,
      running: (id: string) => number
    ): ReadonlyArray<E> => {
      const before = lastTurn
      lastTurn = new Map(endpoints.map(({ id }) => [id, before.get(id) ?? 0]))
      return endpoints.toSorted(
        (a, b) => running(a.id) - running(b.id) || (before.get(a.id) ?? 0) - (before.get(b.id) ?? 0)
      )
    },
    took: (id: string): void => void lastTurn.set(id, ++turn)
  }
}

/** ms */
const patience = 2000
