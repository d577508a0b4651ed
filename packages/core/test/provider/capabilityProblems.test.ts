/** Limits of amounts that an adapter declares: exact in every currency, and refused where the provider is defined. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Currency from "../../src/domain/Currency.ts"
import { amountRange } from "../../src/provider/amountRange.ts"
import type { AmountLimit, MethodCapability } from "../../src/provider/Capabilities.ts"
import { capabilityProblems } from "../../src/provider/capabilityProblems.ts"
import { defineProvider, ProviderCapabilitiesInvalid } from "../../src/provider/defineProvider.ts"
import * as Outcome from "../../src/provider/Outcome.ts"
import { providerProblems } from "../../src/provider/ProviderRegistry.ts"

const define = (method: Partial<MethodCapability>) =>
  defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} }, ...method } },
      operations: { create: {} }
    }),
    make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
  })({})

const refusals: ReadonlyArray<readonly [string, Partial<MethodCapability>, string]> = [
  [
    "a minimum above the maximum",
    { amounts: [{ currency: "USD", min: "10.00", max: "9.99" }] },
    "methods.card: amounts of USD has min 10.00 above max 9.99."
  ],
  [
    "a currency twice",
    {
      amounts: [
        { currency: "USD", min: "1" },
        { currency: "USD", max: "5" }
      ]
    },
    "methods.card: amounts has USD twice."
  ],
  ["a currency of the list twice", { currencies: ["EUR", "USD", "EUR"] }, "methods.card: currencies has EUR twice."],
  [
    "decimals that the currency does not have",
    { amounts: [{ currency: "JPY", min: "50.00" }] },
    "methods.card: amounts.min of JPY must be an amount in major units with at most the decimals of the currency: 50.00"
  ],
  [
    "more decimals than the currency has",
    { amounts: [{ currency: "EUR", max: "9.999" }] },
    "methods.card: amounts.max of EUR must be an amount in major units with at most the decimals of the currency: 9.999"
  ],
  [
    "text that is no amount",
    { amounts: [{ currency: "EUR", max: "1e3" }] },
    "methods.card: amounts.max of EUR must be an amount in major units with at most the decimals of the currency: 1e3"
  ],
  [
    "more than a safe integer",
    { amounts: [{ currency: "KWD", max: "9007199254740.992" }] },
    "methods.card: amounts.max of KWD must be an amount in major units with at most the decimals of the currency: 9007199254740.992"
  ],
  [
    "a currency that does not exist",
    { amounts: [{ currency: "usd", max: "1" }] },
    "methods.card: amounts has usd, which is not an ISO 4217 code in circulation, in capitals."
  ],
  ["no limit", { amounts: [{ currency: "USD" }] }, "methods.card: amounts of USD needs min or max."]
]

describe("the limits of amounts that an adapter declares", () => {
  for (const [name, method, problem] of refusals) {
    it(`are refused where the provider is defined: ${name}`, () => {
      try {
        define(method)
      } catch (thrown) {
        assert.instanceOf(thrown, ProviderCapabilitiesInvalid)
        return assert.deepStrictEqual(thrown.problems, [problem])
      }
      return assert.fail("It was taken")
    })
  }

  it("are refused at the start, if the provider was made by hand", () => {
    const provider = { ...define({}), capabilities: { methods: {}, operations: { create: {} } } }
    const wrong = { card: { currencies: "any", flows: {}, amounts: [{ currency: "JPY", min: "0.5" }] } } as const
    const problems = providerProblems([{ ...provider, capabilities: { ...provider.capabilities, methods: wrong } }])
    assert.match(problems.join(), /Provider "acme": methods.card: amounts.min of JPY/)
  })

  it("are exact in every currency", () => {
    for (const currency of Currency.currencyCodes) {
      const decimals = Currency.exponent(currency as Currency.Currency)
      const [min, max] = decimals === 0 ? ["7", "999999999999"] : [`0.${"7".padStart(decimals, "0")}`, "123456789"]
      const limit: AmountLimit = { currency, min, max }
      assert.deepStrictEqual(amountRange(limit), {
        min: 7,
        max: decimals === 0 ? 999_999_999_999 : 123_456_789 * 10 ** decimals
      })
      assert.deepStrictEqual(
        capabilityProblems({
          methods: { card: { currencies: "any", flows: {}, amounts: [limit] } },
          operations: { create: {} }
        }),
        []
      )
    }
  })
})
