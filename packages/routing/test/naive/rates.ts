/** Generated success rates: equal for equal questions, and often just enough samples or one too few. */
import type { Rate } from "../../src/Health.ts"
import { stickyHash } from "../../src/choose/stickyHash.ts"

/** What is known of the providers while a payment is decided. */
export interface Vitals {
  /** Circuit breakers that are open. */
  readonly open: ReadonlyArray<string>
  /** Of the rates. */
  readonly seed: number
}

/** What a rate is kept by. */
export interface Cohort {
  readonly method: string
  readonly currency: string
  readonly network: string | null
}

export const rateOf = (
  { seed }: Vitals,
  provider: string,
  { currency, method, network }: Cohort,
  windowMs: number,
  minSamples: number
): Rate | null => {
  const hash = stickyHash(JSON.stringify([provider, method, currency, network, windowMs, minSamples]), seed)
  if (hash % 5 === 0) return null
  const rate = [0, 0.5, 0.9, 0.9214, 1, hash / 2 ** 32][hash % 6] ?? 0
  return { rate, samples: Math.max(0, minSamples + ([-1, 0, 1, 362, -minSamples][hash % 7] ?? 5)) }
}
