/**
 * How many tries may run, over all and to each endpoint. There are two lanes: an endpoint that fails, or that holds a
 * try for longer than two seconds, is in the slow one, with fewer tries of its own and a share apart. However many of
 * them hang, the tries of all others are not theirs to hold.
 */

export interface LanesOptions {
  /** Tries at one time to endpoints that answer; those that do not have half as many besides. */
  readonly concurrency: number
  readonly concurrencyPerEndpoint: number
}

export interface Lanes {
  /** How many further tries of this endpoint may begin at `now` (ms); 0 or less: none. */
  readonly room: (endpoint: { readonly id: string; readonly failing: boolean }, now: number) => number
  readonly running: (id: string) => number
  /** Returns what to call, once, when it ends. */
  readonly begin: (endpoint: { readonly id: string; readonly failing: boolean }, now: number) => () => void
}

interface Running {
  failing: boolean
  /** When each try began, oldest first. */
  readonly since: Set<{ readonly at: number }>
}

export const make = ({ concurrency, concurrencyPerEndpoint }: LanesOptions): Lanes => {
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
 * In the order in which they get tries: those with the fewest running first, of equals those whose last turn is longest
 * ago. However many have more to send than there are tries, in either lane, each comes to its turn.
 */
export const makeTurns = () => {
  let turn = 0
  let lastTurn = new Map<string, number>()
  return {
    /** Whoever is not among them any more is forgotten. */
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
