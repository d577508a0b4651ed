/**
 * The longest possible delay of each kind of due work, ms. A due time further in the future was set while a clock was
 * ahead. Webhook deliveries to merchants have a table of their own.
 */
import { operationKinds } from "../../domain/Operation.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { DueCorrection } from "../../store/DueCorrection.ts"
import { matchDelay, mostDoubled } from "./inbox/matchDelay.ts"
import { timings } from "../timings.ts"

export const longestDelays = (
  registry: Pick<ProviderRegistry["Service"], "declared" | "providers">
): Omit<DueCorrection, "now" | "limit"> => {
  const lookBacks = registry.providers.flatMap(({ id }) =>
    operationKinds.flatMap((kind) => registry.declared(id, kind).lookBackMs)
  )
  return {
    check: Math.max(timings.longestCheck, ...lookBacks),
    send: timings.attempt + timings.orphanGrace,
    claim: timings.inquiry + timings.orphanGrace,
    matchDelays: Array.from({ length: mostDoubled + 1 }, (_, tries) => matchDelay(tries))
  }
}
