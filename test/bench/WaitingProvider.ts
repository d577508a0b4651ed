/** A provider whose payers confirm in another app: each payment waits until the payer returns. */
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"

export const waitingProvider = defineProvider({
  id: "waiting",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { upi: { currencies: ["INR"], flows: { intent: {} } } },
    operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
  }),
  make: () =>
    Effect.succeed({
      create: ({ amount, id }) =>
        Effect.succeed(
          Outcome.pending({
            reference: `ref_${id}`,
            nextAction: {
              type: "upi_intent",
              uri: `upi://pay?pa=shop@bank&pn=Shop&tr=${id.slice(-30)}&am=${(amount.minorUnits / 100).toFixed(2)}&cu=INR`,
              expiresAt: null
            }
          })
        ),
      complete: ({ amount, id }) => Effect.succeed(Outcome.succeeded({ reference: `ref_${id}`, amount }))
    })
})({})
