/** Providers that take the money at once, so that what is measured is ours alone, or after a fixed time. */
import { defineProvider, Outcome } from "@paymux/core"
import type { Capabilities } from "@paymux/core"
import { Effect, Schema } from "effect"

export const instantId = "instant"

const everything: Capabilities["methods"] = {
  upi: { currencies: ["INR"], flows: { intent: {}, collect: {} } },
  card: { currencies: ["INR"], flows: { token: {} } }
}

export const instantWithId = (id: string, methods = everything) => answeringAfter(0, id, methods)

/** `ms`: how long a create takes. */
export const answeringAfter = (ms: number, id = instantId, methods = everything) =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods,
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ amount, id }) => {
          const outcome = Effect.succeed(Outcome.succeeded({ reference: `ref_${id}`, amount }))
          return ms === 0 ? outcome : Effect.delay(outcome, ms)
        }
      })
  })({})

export const instantProvider = instantWithId(instantId)
