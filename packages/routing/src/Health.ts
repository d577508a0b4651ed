/** What routing may ask about providers at the moment of a decision. */
import type { DemotionOf } from "@paymux/core/routing"
import type { Learned } from "./CompiledRouting.ts"
import type { Facts } from "./Facts.ts"
import { make } from "./learn/SuccessRates.ts"
import type { SuccessRates } from "./learn/SuccessRates.ts"

export interface Health {
  /** Why the provider is tried after all others; `null`: it is not. */
  readonly demotionOf: DemotionOf
  /** The estimate of each provider of a rule for a payment. */
  readonly estimates: SuccessRates["estimates"]
}

/** No provider is demoted, and nothing was learned yet. */
export const unknownHealth: Health = {
  demotionOf: () => null,
  estimates: (learned: Learned, facts: Facts) => make(learned.lens).estimates(learned, facts)
}
