/** Providers that are only asked what they can take: nothing is sent in a backtest. */
import { defineProvider, Outcome } from "@paymux/core"
import type { Capabilities } from "@paymux/core"
import { Effect, Schema } from "effect"

const provider = (id: string, methods: Capabilities["methods"]) =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "live",
    capabilities: () => ({ methods, operations: { create: {} } }),
    make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })) })
  })({})

const card = { currencies: "any", flows: { hosted: {}, token: {} } } as const
const upi = {
  currencies: ["INR"],
  flows: { intent: {}, qr: {}, collect: {} },
  amounts: [{ currency: "INR", max: "100000.00" }]
} as const

export default {
  providers: [
    provider("stripe", { card }),
    provider("adyen", { card }),
    provider("razorpay", { card: { ...card, currencies: ["INR"] }, upi }),
    provider("cashfree", { upi })
  ]
}
