/** What routing may ask about providers at the moment of a decision. */
import type { DemotionOf } from "@paymux/core/routing"
import type { Facts } from "./Facts.ts"
import type { Evidence } from "./learn/Evidence.ts"

export interface Health {
  /** Why the provider is tried after all others; `null`: it is not. */
  readonly demotionOf: DemotionOf
  /**
   * What the attempts in the window (ms) say of a provider: first all of its attempts, then those by the payment's method, in
   * its currency, and so on to its issuer. As many for every provider; none: nothing is learned.
   */
  readonly evidence: (provider: string, facts: Facts, windowMs: number) => ReadonlyArray<Evidence>
}

/** No provider is demoted, and nothing was learned yet. */
export const unknownHealth: Health = { demotionOf: () => null, evidence: () => [] }
