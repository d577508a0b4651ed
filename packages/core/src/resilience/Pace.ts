/**
 * How many requests fit into a queue without a long wait, by Little's law: those that pass in a unit of time, times the wait.
 *
 * The wait that is accepted is a multiple of what a request takes that finds hardly any other, so that it follows from the disk or
 * the database, however fast they are. Requests that had to queue do not count for it: otherwise a queue would justify a longer
 * one. The idea is that of BBR (Cardwell et al., "BBR: Congestion-Based Congestion Control", ACM Queue 14/5).
 */
export interface Pace {
  /** A request has passed at `now`, in ms. */
  readonly passed: (now: number) => void
  /** The duration in ms, at `now`, of a commit that wrote and found hardly any other request. */
  readonly tookAlone: (ms: number, now: number) => void
  /** How many requests may be in the queue at once. */
  readonly fitting: () => number
}

/** How many times as long as without a queue a request may take. */
const longest = 5
/** ms, in which the requests that pass are counted. */
const interval = 250
/** What is left after an interval of the highest rate so far: a half after about nine seconds. A stall must not lower it at once. */
const fading = 0.98
/** ms. The shortest duration in the current and the previous window counts, so a disk that becomes slower takes effect within two windows. */
const window = 5_000

export const make = (): Pace => {
  /** Requests a ms. */
  let rate = 0
  let shortest: { readonly since: number; readonly before: number | null; readonly ms: number } | null = null
  let begun = Number.NEGATIVE_INFINITY
  let count = 0
  return {
    tookAlone: (ms, now) => {
      if (shortest === null || now - shortest.since >= window) {
        shortest = { since: now, before: shortest?.ms ?? null, ms }
      } else if (ms < shortest.ms) shortest = { ...shortest, ms }
    },
    passed: (now) => {
      count += 1
      const elapsed = now - begun
      if (elapsed < interval) return
      // The first interval begins with the first request.
      if (Number.isFinite(elapsed)) rate = Math.max(count / elapsed, rate * fading ** (elapsed / interval))
      begun = now
      count = 0
    },
    fitting: () =>
      shortest === null ? 0 : Math.ceil(longest * rate * Math.min(shortest.ms, shortest.before ?? shortest.ms))
  }
}
