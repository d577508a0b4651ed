/** A provider that takes the money, and counts how often it was asked to. */
import { defineProvider, Outcome } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { Effect, Schema } from "effect"

export const countingProvider = () => {
  const calls = { count: 0 }
  const provider: Provider = defineProvider({
    id: "counting",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { upi: { currencies: ["INR"], flows: { intent: {} }, captureMethods: ["automatic", "manual"] } },
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ amount }) =>
          Effect.sync(() => {
            calls.count++
            return Outcome.succeeded({ amount })
          })
      })
  })({})
  return { calls, provider }
}
