/**
 * What the compiler says of provider ids. Nothing here runs: `tsc` fails where a line that must not compile does, and
 * where one that must compile does not.
 */
import { createPaymux, definePromiseProvider, defineProvider, defineRouting, Outcome } from "paymux"
import type { PaymuxOptions, Provider, RoutingConfigInput } from "paymux"
import { Effect, Schema } from "effect"
import { expectTypeOf } from "vitest"

const capabilities = () => ({
  methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
  operations: { create: {} }
})

const stripe = defineProvider({
  id: "stripe",
  options: Schema.Struct({ apiKey: Schema.String }),
  mode: () => "test",
  capabilities,
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})
const adyen = definePromiseProvider({
  id: "adyen",
  options: Schema.Struct({ apiKey: Schema.optionalKey(Schema.String) }),
  mode: () => "test",
  capabilities,
  make: () => ({ create: () => Promise.resolve(Outcome.succeeded()) })
})

const apiKey = "key"
const anyId: string = apiKey

export const instances = () => {
  expectTypeOf(stripe({ apiKey })).toEqualTypeOf<Provider<"stripe">>()
  expectTypeOf(adyen({})).toEqualTypeOf<Provider<"adyen">>()
  expectTypeOf(stripe({ apiKey, id: "stripe_eu" })).toEqualTypeOf<Provider<"stripe_eu">>()
  expectTypeOf(stripe({ apiKey, id: anyId })).toEqualTypeOf<Provider>()
  expectTypeOf(stripe({ apiKey })).toExtend<Provider>()
  // @ts-expect-error -- the options of a factory are still checked
  stripe({ apiKye: "key" })
}

export const rules = () => {
  const inferred = defineRouting({
    version: 1,
    rules: [
      { name: "list", when: { payment_method: "card" }, choose: { priority: ["stripe", "adyen"] } },
      { name: "shares", when: {}, choose: { split: { razorpay: 70, cashfree: 30 }, sticky_by: "metadata.user" } },
      { name: "cheap", when: { currency: "EUR" }, choose: { best: "cost", among: ["coinbase"] } }
    ],
    default: { priority: ["worldpay"] },
    fees: { mollie: { card: { percent: 1 } } }
  })
  expectTypeOf(inferred).toEqualTypeOf<
    RoutingConfigInput<"stripe" | "adyen" | "razorpay" | "cashfree" | "coinbase" | "worldpay" | "mollie">
  >()
  expectTypeOf(defineRouting({ version: 1, default: { split: { a: 100 } } })).toEqualTypeOf<RoutingConfigInput<"a">>()
  expectTypeOf(defineRouting({ version: 1, default: { priority: [anyId] } })).toEqualTypeOf<RoutingConfigInput>()
  expectTypeOf(inferred).toExtend<RoutingConfigInput>()

  const wide: RoutingConfigInput = { version: 1, default: { priority: [anyId] } }
  expectTypeOf(defineRouting(wide)).toEqualTypeOf<RoutingConfigInput>()
  expectTypeOf<RoutingConfigInput<"a">>().not.toExtend<RoutingConfigInput<"b">>()
  expectTypeOf<RoutingConfigInput<"a" | "b">>().not.toExtend<RoutingConfigInput<"b">>()
}

export const rulesOfGivenProviders = () => {
  const given = defineRouting<"stripe" | "adyen">({
    version: 1,
    default: { split: { stripe: 50, adyen: 50 } },
    fees: { stripe: { card: { percent: 1 } } }
  })
  expectTypeOf(given).toEqualTypeOf<RoutingConfigInput<"stripe" | "adyen">>()
  defineRouting<"stripe" | "adyen">({
    version: 1,
    // @ts-expect-error -- "strpe" is misspelt
    default: { priority: ["strpe"] }
  })
  defineRouting<"stripe" | "adyen">({
    version: 1,
    // @ts-expect-error -- "ayden" is misspelt
    rules: [{ name: "x", when: {}, choose: { split: { stripe: 50, ayden: 50 } } }],
    default: { priority: ["stripe"] }
  })
  defineRouting<"stripe" | "adyen">({
    version: 1,
    // @ts-expect-error -- "adien" is misspelt
    default: { best: "cost", among: ["stripe", "adien"] }
  })
  defineRouting<"stripe" | "adyen">({
    version: 1,
    default: { priority: ["stripe"] },
    // @ts-expect-error -- "srtipe" is misspelt
    fees: { srtipe: { card: { percent: 1 } } }
  })
}

export const keysOfTheLanguage = () => {
  defineRouting({
    version: 1,
    default: { priority: ["stripe"] },
    // @ts-expect-error -- there is no such key
    failovr: {}
  })
  defineRouting({
    version: 1,
    // @ts-expect-error -- there is no such fact
    rules: [{ name: "x", when: { paymnet_method: "card" }, choose: { priority: ["stripe"] } }],
    default: { priority: ["stripe"] }
  })
  defineRouting({
    version: 1,
    // @ts-expect-error -- there is no such method
    rules: [{ name: "x", when: { payment_method: "crad" }, choose: { priority: ["stripe"] } }],
    default: { priority: ["stripe"] }
  })
}

const providers = [stripe({ apiKey }), adyen({ apiKey, id: "adyen_eu" })] as const

export const engines = () => [
  createPaymux({ providers, routing: { version: 1, default: { priority: ["stripe", "adyen_eu"] } } }),
  createPaymux({
    providers: [stripe({ apiKey }), adyen({ id: "adyen_eu" })],
    routing: defineRouting({ version: 1, default: { split: { stripe: 70, adyen_eu: 30 } } })
  }),
  // @ts-expect-error -- "strpe" is misspelt
  createPaymux({ providers, routing: { version: 1, default: { priority: ["strpe"] } } }),
  // @ts-expect-error -- "strpe" is misspelt, though the rules are of one piece with themselves
  createPaymux({ providers, routing: defineRouting({ version: 1, default: { priority: ["stripe", "strpe"] } }) }),
  // @ts-expect-error -- a key beside one that is right
  createPaymux({ providers, routing: defineRouting({ version: 1, default: { split: { stripe: 70, adyen_us: 30 } } }) }),
  // @ts-expect-error -- the instance was renamed
  createPaymux({ providers, routing: defineRouting({ version: 1, default: { priority: ["adyen"] } }) }),
  // @ts-expect-error -- fees of an unknown provider
  createPaymux({ providers, routing: { version: 1, default: { priority: ["stripe"] }, fees: { adyen: {} } } })
]

export const sandboxes = () => [
  createPaymux({ sandbox: true, routing: { version: 1, default: { priority: ["sandbox_card_a"] } } }),
  createPaymux({
    sandbox: true,
    providers,
    routing: { version: 1, default: { priority: ["sandbox_upi_b", "stripe"] } }
  }),
  // @ts-expect-error -- there is no third simulated provider of cards
  createPaymux({ sandbox: true, providers, routing: { version: 1, default: { priority: ["sandbox_card_c"] } } }),
  // @ts-expect-error -- without the sandbox its providers are not there
  createPaymux({ providers, routing: { version: 1, default: { priority: ["sandbox_card_a"] } } })
]

export const unchecked = (options: PaymuxOptions, wide: RoutingConfigInput, sandbox: boolean) => [
  createPaymux(),
  createPaymux(options),
  createPaymux({ providers, routing: "routing.yaml" }),
  createPaymux({
    providers: [stripe({ apiKey, id: anyId })],
    routing: defineRouting({ version: 1, default: { priority: ["any"] } })
  }),
  createPaymux({ providers: [stripe({ apiKey, id: anyId })], routing: wide }),
  createPaymux({ providers, sandbox, routing: { version: 1, default: { priority: ["sandbox_card_a"] } } }),
  createPaymux<string>({ providers, routing: wide }),
  createPaymux<string>({ providers, sandbox: true, routing: wide })
]
