/** The providers that the guide to routing rules speaks of. They take what they are asked for, or decline it at once. */
import { defineProvider, Outcome } from "@paymux/core"
import type { Capabilities } from "@paymux/core"
import { Effect, Schema } from "effect"

const provider = (id: string, methods: Capabilities["methods"]) =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({ methods, operations: { create: {} } }),
    make: () =>
      Effect.succeed({
        create: ({ metadata }) =>
          Effect.succeed(
            metadata["declined"] === undefined
              ? Outcome.succeeded()
              : Outcome.declined({ code: "do_not_honor", retry: "other_provider" })
          )
      })
  })({})

const card = (currencies: ReadonlyArray<string> | "any"): Capabilities["methods"] => ({
  card: { currencies, flows: { hosted: {}, token: {} }, captureMethods: ["automatic", "manual"] }
})

const india: Capabilities["methods"] = {
  ...card(["INR"]),
  upi: { currencies: ["INR"], flows: { intent: {}, qr: {}, collect: {} } }
}

const stablecoin = (
  assets: NonNullable<NonNullable<Capabilities["methods"]["stablecoin"]>["assets"]>
): Capabilities["methods"] => ({
  stablecoin: { currencies: ["EUR", "USD"], flows: { transfer: {} }, assets }
})

export default {
  providers: [
    provider("stripe", card("any")),
    provider("adyen", card(["EUR", "GBP", "USD"])),
    provider("razorpay", india),
    provider("cashfree", india),
    provider(
      "evm_base",
      stablecoin([
        { asset: "USDC", network: "base" },
        { asset: "EURC", network: "base" }
      ])
    ),
    provider(
      "coinbase",
      stablecoin([
        { asset: "USDC", network: "base" },
        { asset: "USDC", network: "ethereum" },
        { asset: "USDC", network: "polygon" }
      ])
    )
  ]
}
