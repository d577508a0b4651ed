/** What routing may ask about providers at the moment of a decision. */
import type { Facts } from "./Facts.ts"
import type { Evidence } from "./learn/Evidence.ts"

export interface Health {
  /** The circuit breaker for new payments is open. */
  readonly isOpen: (provider: string) => boolean
  /**
   * What the attempts in the window (ms) say of a provider: first all of its attempts, then those by the payment's method, in
   * its currency, and so on to its issuer. As many for every provider; none: nothing is learned.
   */
  readonly evidence: (provider: string, facts: Facts, windowMs: number) => ReadonlyArray<Evidence>
}

/** Every breaker is closed, and nothing was learned yet. */
export const unknownHealth: Health = { isOpen: () => false, evidence: () => [] }
