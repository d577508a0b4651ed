/** Generated records of providers: equal for equal questions, and often none, or the same for a part as for the whole. */
import type { Demotion } from "@paymux/core/routing"
import type { Evidence } from "../../src/learn/Evidence.ts"
import { stickyHash } from "../../src/choose/stickyHash.ts"

/** What is known of the providers while a payment is decided. */
export interface Vitals {
  /** Providers that are tried last, and why. */
  readonly demoted: ReadonlyMap<string, Demotion>
  /** Of the records. */
  readonly seed: number
}

/** Of all attempts of a provider, and of each of `parts`, which are from the widest to the narrowest. */
export const evidenceOf = (
  { seed }: Vitals,
  provider: string,
  parts: ReadonlyArray<string>,
  windowMs: number
): ReadonlyArray<Evidence> => {
  // Nothing of this provider is learned at all.
  if (stickyHash(provider, seed) % 11 === 0) return []
  return ["", ...parts].map((_, depth) => {
    const hash = stickyHash(JSON.stringify([provider, parts.slice(0, depth), windowMs]), seed)
    const of = (count: number, salt: number): number => (count * ((hash >>> salt) % 8)) / 8
    const attempts = [0, 0, 1, 12, 12, 400, 12_000][hash % 7] ?? 0
    return {
      success: of(attempts, 3),
      failure: of(attempts / 10, 6),
      expired: of(attempts / 10, 9),
      authenticationFailed: of(attempts / 20, 12),
      attempts
    }
  })
}
