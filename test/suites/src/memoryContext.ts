/** What a provider is made with in tests that call its functions without an engine: its state is kept in memory. */
import type { ProviderContext } from "@paymux/core"
import { Effect } from "effect"

export const memoryContext = (
  id: string,
  overrides: Partial<Pick<ProviderContext, "checkpoint" | "emit">> = {}
): ProviderContext => {
  const values = new Map<string, string>()
  const counters = new Map<string, number>()
  return {
    id,
    publicUrl: "https://pay.example",
    checkpoint: () => Effect.void,
    state: {
      get: (key) => Effect.sync(() => values.get(key) ?? null),
      compareAndSet: (key, expected, value) =>
        Effect.sync(() => {
          if ((values.get(key) ?? null) !== expected) return false
          values.set(key, value)
          return true
        }),
      next: (counter) =>
        Effect.sync(() => {
          const next = (counters.get(counter) ?? 0) + 1
          counters.set(counter, next)
          return next
        })
    },
    emit: () => Effect.void,
    ...overrides
  }
}
