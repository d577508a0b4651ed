/**
 * The survival curve of a provider and flow: the share of attempts that succeed in the end, of those still open at a
 * given age. It determines how much open attempts count as successes or failures.
 *
 * If 92 of 100 UPI intents succeed within 20 s, an attempt that is open after a minute has almost certainly failed. If
 * every outcome takes 30 minutes, an age of a minute means nothing. The prior of a provider is the curve of the flow at
 * all providers, whose own prior is an exponential of `PRIOR_MS`.
 */

/** Histograms of the durations of ended attempts. */
export interface Durations {
  readonly succeeded: Float64Array
  readonly all: Float64Array
}

/** A survival curve, in buckets of the age. */
export interface SurvivalCurve {
  /**
   * For each bucket, the probability that an attempt still open at this age succeeds, divided by the probability for a
   * new attempt.
   */
  readonly share: Float64Array
  /** The number of attempts that the share is computed from. */
  readonly known: Float64Array
  /** The median duration of successes, ms. */
  readonly lagMs: number
}

/**
 * The number of buckets: eight per doubling of the age, from a second to about two days. An attempt may succeed until
 * the end of its bucket.
 */
const BUCKETS = 141
const PER_OCTAVE = 8

export const noDurations = (): Durations => ({
  succeeded: new Float64Array(BUCKETS),
  all: new Float64Array(BUCKETS)
})

const bucketOf = (ms: number): number =>
  ms < 1_000 ? 0 : Math.min(BUCKETS - 1, 1 + Math.floor(PER_OCTAVE * Math.log2(ms / 1_000) + 1e-9))

/** The start of a bucket of the age, ms. */
const beginOf = (bucket: number): number => (bucket === 0 ? 0 : 1_000 * 2 ** ((bucket - 1) / PER_OCTAVE))

export const addDuration = ({ all, succeeded }: Durations, ms: number, isSuccess: boolean, count: number): void => {
  const bucket = bucketOf(ms)
  all[bucket] = (all[bucket] ?? 0) + count
  if (isSuccess) succeeded[bucket] = (succeeded[bucket] ?? 0) + count
}

export const sumOf = (every: ReadonlyArray<Durations>): Durations => {
  const sum = noDurations()
  for (const { all, succeeded } of every) {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      sum.all[bucket] = (sum.all[bucket] ?? 0) + (all[bucket] ?? 0)
      sum.succeeded[bucket] = (sum.succeeded[bucket] ?? 0) + (succeeded[bucket] ?? 0)
    }
  }
  return sum
}

/** The weight of the prior curve, in attempts. */
const PRIOR = 10
/** The time constant of the exponential prior for a flow, ms. */
const PRIOR_MS = 120_000

/** Counts the attempts that are open at the start of each bucket, and those of them that succeed in the end. */
const openAt = ({ all, succeeded }: Durations) => {
  const successes = new Float64Array(BUCKETS)
  const attempts = new Float64Array(BUCKETS)
  let success = 0
  let count = 0
  for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
    success += succeeded[bucket] ?? 0
    count += all[bucket] ?? 0
    successes[bucket] = success
    attempts[bucket] = count
  }
  return { successes, attempts, rate: (success + 0.9) / (count + 1) }
}

const sharesOf = (durations: Durations, expected: (bucket: number) => number) => {
  const { attempts, rate, successes } = openAt(durations)
  const share = attempts.map(
    (count, bucket) => ((successes[bucket] ?? 0) + PRIOR * rate * expected(bucket)) / (count + PRIOR) / rate
  )
  return { share, known: attempts.map((count) => count + PRIOR) }
}

/**
 * Computes a survival curve. `own` has the durations of the provider and flow, `flow` those of the flow at all
 * providers.
 */
export const survivalCurve = (own: Durations, flow: Durations): SurvivalCurve => {
  const pooled = sharesOf(flow, (bucket) => Math.exp(-beginOf(bucket) / PRIOR_MS)).share
  const found = sharesOf(own, (bucket) => pooled[bucket] ?? 0)
  return { ...found, lagMs: lagOf(own) ?? lagOf(flow) ?? 0 }
}

/** The median duration of successes, ms; `null` if there are too few. */
const lagOf = (durations: Durations): number | null => {
  const { successes } = openAt(durations)
  const [all = 0] = successes
  if (all < ENOUGH) return null
  const after = successes.findIndex((left) => left < all / 2)
  return after <= 1 ? 0 : (beginOf(after - 1) + beginOf(after)) / 2
}

/** The minimum number of a provider's successes to compute a median duration. */
const ENOUGH = 5

/**
 * The weight of an open attempt of `age` ms: a fraction of a success (above 0) or of a failure (below 0). A fraction
 * within its standard error is 0: thousands of open attempts share one curve, so the error would accumulate.
 */
export const openAs = ({ known, share }: SurvivalCurve, age: number): number => {
  const bucket = bucketOf(Math.max(0, age))
  const expected = share[bucket] ?? 0
  const part = Math.max(-1, Math.min(1, expected - 1))
  const chance = expected / (known[bucket] ?? PRIOR)
  return part === 0 ? 0 : part * Math.max(0, 1 - chance / (part * part))
}
