/** The state of providers at the moment of a decision: demotions and success rates. */
import type { DemotionOf } from "@paymux/core/routing"
import type { Learned } from "./CompiledRouting.ts"
import type { Facts } from "./Facts.ts"
import { make } from "./learn/SuccessRates.ts"
import type { SuccessRates } from "./learn/SuccessRates.ts"

export interface Health {
  /** The reason why a provider is tried after all others; `null`: it is not demoted. */
  readonly demotionOf: DemotionOf
  /** The estimate of each provider of a rule for a payment. */
  readonly estimates: SuccessRates["estimates"]
}

/** No provider is demoted, and no success rates are known. */
export const unknownHealth: Health = {
  demotionOf: () => null,
  estimates: (learned: Learned, facts: Facts) => make(learned.lens).estimates(learned, facts)
}
