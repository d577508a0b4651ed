import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"

/** With it a server has live mode. It sends nothing. */
export const liveProvider = defineProvider({
  id: "acme",
  options: Schema.Struct({}),
  mode: () => "live",
  capabilities: () => ({
    methods: { upi: { currencies: ["INR"], flows: { intent: {} } } },
    operations: { create: {} }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) })
})({})
