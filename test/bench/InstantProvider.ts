/** Providers that take the money at once, so that what is measured is ours alone. */
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"

export const instantId = "instant"

export const instantWithId = (id: string) =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { upi: { currencies: ["INR"], flows: { intent: {} } } },
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ amount, id }) => Effect.succeed(Outcome.succeeded({ reference: `ref_${id}`, amount }))
      })
  })({})

export const instantProvider = instantWithId(instantId)
