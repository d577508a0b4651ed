/** The health of providers at the time of a decision: their demotions and success rates. */
import type { DemotionOf } from "@paymux/core/routing"
import type { Learned } from "./CompiledRouting.ts"
import type { Facts } from "./Facts.ts"
import { make } from "./learn/SuccessRates.ts"
import type { SuccessRates } from "./learn/SuccessRates.ts"

export interface Health {
  /** Returns the reason why a provider is demoted, that is, tried after all others; `null` if it is not demoted. */
  readonly demotionOf: DemotionOf
  /** Returns the success rate estimate of each provider of a rule for a payment. */
  readonly estimates: SuccessRates["estimates"]
}

/** The health before any report: no provider is demoted, and no success rates are known. */
export const unknownHealth: Health = {
  demotionOf: () => null,
  estimates: (learned: Learned, facts: Facts) => make(learned.lens).estimates(learned, facts)
}
