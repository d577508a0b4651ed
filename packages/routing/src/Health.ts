/** What routing may ask about providers at the moment of a decision. */
import type { Facts } from "./Facts.ts"

/** A share of attempts that took the money, recent ones counting more, and how many were counted. */
export interface Rate {
  /** 0 to 1. */
  readonly rate: number
  readonly samples: number
}

export interface Health {
  /** The circuit breaker for new payments is open. */
  readonly isOpen: (provider: string) => boolean
  /**
   * Of the payment's method and currency; of its card network where that alone has `minSamples`, else over all networks.
   * `null`: nothing was counted in the window (ms).
   */
  readonly successRate: (provider: string, facts: Facts, windowMs: number, minSamples: number) => Rate | null
}

/** Every breaker is closed, and nothing was learned yet. */
export const unknownHealth: Health = { isOpen: () => false, successRate: () => null }
