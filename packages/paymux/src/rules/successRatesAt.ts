/** Success rates as they were at a moment: of the attempts that had been started before it, and no other. */
import { ratesAt, unknownHealth } from "@paymux/routing"
import type { Health, Lens } from "@paymux/routing"
import type { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"

/** Over all accounts, as routing learns. `now` in ms UTC. Circuit breakers are taken as closed. */
export const successRatesAt = Effect.fnUntraced(function* (
  lenses: ReadonlyArray<Lens>,
  now: number,
  store: Pick<PaymentStore["Service"], "attemptCounts" | "openAttemptCounts">
) {
  if (lenses.length === 0) return unknownHealth
  const found = yield* Effect.forEach(lenses, (lens) => ratesAt(lens, now, store))
  const byLens = new Map(found.map((rates) => [rates.key, rates]))
  return {
    ...unknownHealth,
    estimates: (learned, asked) => (byLens.get(learned.lensKey) ?? unknownHealth).estimates(learned, asked)
  } satisfies Health
})
