/** Corrects due times that were set too far in the future while a clock was ahead. */
import { Effect } from "effect"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { PaymentStore } from "../../store/PaymentStore.ts"
import { longestDelays } from "./longestDelays.ts"

export const correctDueTimes = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  registry: ProviderRegistry["Service"],
  now: number
) {
  const longest = longestDelays(registry)
  let [count, total] = [0, 0]
  do {
    count = yield* store.correctDueTimes({ ...longest, now, limit: batch })
    total += count
  } while (count >= batch)
  if (total > 0) yield* Effect.logWarning(correctedText(total))
})

/** The number of rows that one SQL statement corrects, so that no statement takes long. */
const batch = 1_000

const correctedText = (count: number): string =>
  `The clock was ahead and is set right: ${count} operations and reports are due now instead of in the future.`
