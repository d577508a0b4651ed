/** The services that guard calls to providers and requests, as one layer. */
import { Layer } from "effect"
import { AccountRestrictions } from "./AccountRestrictions.ts"
import type { Breakers, BreakerSettings } from "./Breaker.ts"
import * as Bulkhead from "./Bulkhead.ts"
import { LoadShedder } from "./LoadShedder.ts"
import type { LoadSheddingSettings } from "./LoadShedder.ts"
import * as OpossumBreaker from "./OpossumBreaker.ts"
import { RetryBudget } from "./RetryBudget.ts"

export interface ResilienceOptions {
  readonly breaker?: Partial<BreakerSettings>
  /** The circuit breakers. Default: those of opossum, which read the machine's own clock. */
  readonly breakers?: Layer.Layer<Breakers>
  /** The thresholds from which requests are refused with `Overloaded`. Default: `loadSheddingDefaults`. */
  readonly loadShedding?: Partial<LoadSheddingSettings>
}

export const layer = ({ breaker, breakers, loadShedding }: ResilienceOptions) =>
  Layer.mergeAll(
    RetryBudget.layer,
    Bulkhead.layer(),
    AccountRestrictions.layer,
    LoadShedder.layer(loadShedding),
    breakers ?? OpossumBreaker.layer(breaker)
  )
