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
  /** How long one took that did not queue, in ms. */
  readonly tookAlone: (ms: number) => void
  /** How many requests may be in the queue at once. */
  readonly fitting: () => number
}

/** How many times as long as without a queue a request may take. */
const longest = 5
/** ms, in which the requests that pass are counted. */
const interval = 250
/** What is left after an interval of the highest rate so far: a half after about nine seconds. A stall must not lower it at once. */
const fading = 0.98
/**
 * The weights of a longer and of a shorter time in the mean, so that it is near the shortest one of late. A request that finds few
 * others waits for the event loop, too, where requests continue after their commits.
 */
const weights = { longer: 1 / 1024, shorter: 1 / 2 }

export const make = (): Pace => {
  /** Requests a ms. */
  let rate = 0
  let alone: number | null = null
  let begun = Number.NEGATIVE_INFINITY
  let count = 0
  return {
    tookAlone: (ms) => {
      const former = alone ?? ms
      alone = former + (ms > former ? weights.longer : weights.shorter) * (ms - former)
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
    fitting: () => Math.ceil(longest * rate * (alone ?? 0))
  }
}
