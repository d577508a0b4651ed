/**
 * Limits concurrent delivery attempts, in total and per endpoint. An endpoint whose last attempts all failed, or that
 * has an attempt running for longer than two seconds, is slow. A slow endpoint has a lower limit, and all slow
 * endpoints have a separate share of the total. So endpoints that hang cannot use up the capacity of the others.
 */

export interface ConcurrencyLimits {
  /**
   * The maximum number of concurrent attempts to responsive endpoints. Slow endpoints share half as many in addition.
   */
  readonly concurrency: number
  readonly concurrencyPerEndpoint: number
}

export interface ConcurrencyLimiter {
  /**
   * Returns the number of further attempts to this endpoint that may start at `now` (ms UTC). No attempt may start if
   * it is 0 or less.
   */
  readonly room: (endpoint: LimitedEndpoint, now: number) => number
  /**
   * Returns the number of further attempts that may start at `now`: to all slow endpoints together, or to all other
   * endpoints.
   */
  readonly left: (slow: boolean, now: number) => number
  /** Whether the endpoint is slow, so that it has the lower limit. */
  readonly isSlow: (endpoint: LimitedEndpoint, now: number) => boolean
  readonly running: (id: string) => number
  /**
   * Registers an attempt that starts. The returned function must be called once when the attempt ends, with its
   * success; `null` if the endpoint did not cause the result.
   */
  readonly begin: (endpoint: LimitedEndpoint, now: number) => (succeeded: boolean | null) => void
  /** Drops the stored results of all other endpoints that have no attempt running. */
  readonly keep: (ids: ReadonlySet<string>) => void
}

interface LimitedEndpoint {
  readonly id: string
  /**
   * Whether the endpoint's last attempt failed, according to the database. It is used until this process has a result
   * of its own.
   */
  readonly failing: boolean
}

interface Running {
  /** The number of failed attempts since the last success. */
  failures: number
  /** The start times of the running attempts, oldest first. */
  readonly since: Set<{ readonly at: number }>
}

export const make = ({ concurrency, concurrencyPerEndpoint }: ConcurrencyLimits): ConcurrencyLimiter => {
  const byEndpoint = new Map<string, Running>()
  const slowShare = Math.max(1, Math.floor(concurrency / 2))
  const slowTries = Math.max(1, Math.floor(concurrencyPerEndpoint / 2))
  const running = (id: string): number => byEndpoint.get(id)?.since.size ?? 0

  const hasSlowTries = ({ failures, since }: Running, now: number): boolean => {
    const [oldest] = since
    return failures >= manyFailures || (oldest !== undefined && now - oldest.at > patience)
  }
  const isSlow = ({ failing, id }: LimitedEndpoint, now: number): boolean => {
    const tries = byEndpoint.get(id)
    return tries === undefined ? failing : hasSlowTries(tries, now)
  }
  const inLane = (slow: boolean, now: number): number => {
    let sum = 0
    for (const tries of byEndpoint.values()) if (hasSlowTries(tries, now) === slow) sum += tries.since.size
    return sum
  }

  const left = (slow: boolean, now: number) => (slow ? slowShare : concurrency) - inLane(slow, now)

  return {
    running,
    isSlow,
    left,
    room: (endpoint, now) => {
      const slow = isSlow(endpoint, now)
      const ofItsOwn = (slow ? slowTries : concurrencyPerEndpoint) - running(endpoint.id)
      return Math.min(ofItsOwn, left(slow, now))
    },
    begin: ({ failing, id }, now) => {
      const tries = byEndpoint.get(id) ?? { failures: failing ? manyFailures : 0, since: new Set() }
      byEndpoint.set(id, tries)
      const begun = { at: now }
      tries.since.add(begun)
      return (succeeded) => {
        tries.since.delete(begun)
        if (succeeded !== null) tries.failures = succeeded ? 0 : tries.failures + 1
      }
    },
    keep: (ids) => {
      for (const [id, { since }] of byEndpoint) if (since.size === 0 && !ids.has(id)) byEndpoint.delete(id)
    }
  }
}

/**
 * Orders the endpoints for new attempts: fewest running attempts first, then least recently served, so that each
 * endpoint gets its turn.
 */
export const makeTurns = () => {
  let turn = 0
  let lastTurn = new Map<string, number>()
  return {
    /** Orders the endpoints of a list, and forgets the turns of endpoints that are not in it. */
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

/** The duration, ms, after which an endpoint with a running attempt counts as slow. */
export const patience = 2000
/**
 * The number of consecutive failures after which an endpoint counts as slow. It equals the number of concurrent
 * attempts, so that an endpoint with occasional failures keeps its limit.
 */
const manyFailures = 8
