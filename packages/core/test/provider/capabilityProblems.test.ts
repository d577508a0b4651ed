/** Limits of amounts that an adapter declares: exact in every currency, and refused where the provider is defined. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Currency from "../../src/domain/Money.ts"
import { amountRange } from "../../src/provider/amountRange.ts"
import type { AmountLimit, MethodCapability } from "../../src/provider/Capabilities.ts"
import { capabilityProblems } from "../../src/provider/capabilityProblems.ts"
import { defineProvider, ProviderCapabilitiesInvalid } from "../../src/provider/defineProvider.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
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
    'methods.card: amounts of USD has min "10.00" above max "9.99".'
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
    'methods.card: amounts.min of JPY is "50.00": write it as text in major units with no decimals, above zero.'
  ],
  [
    "more decimals than the currency has",
    { amounts: [{ currency: "EUR", max: "9.999" }] },
    'methods.card: amounts.max of EUR is "9.999": write it as text in major units with at most 2 decimals, above zero.'
  ],
  [
    "text that is no amount",
    { amounts: [{ currency: "EUR", max: "1e3" }] },
    'methods.card: amounts.max of EUR is "1e3": write it as text in major units with at most 2 decimals, above zero.'
  ],
  [
    "more than a safe integer",
    { amounts: [{ currency: "KWD", max: "9007199254740.992" }] },
    'methods.card: amounts.max of KWD is "9007199254740.992": write it as text in major units with at most 3 decimals, above zero.'
  ],
  [
    "a currency that does not exist",
    { amounts: [{ currency: "usd", max: "1" }] },
    "methods.card: amounts has usd, which is not an ISO 4217 code in circulation, in capitals."
  ],
  [
    "a limit of zero",
    { amounts: [{ currency: "EUR", max: "0.00" }] },
    'methods.card: amounts.max of EUR is "0.00": write it as text in major units with at most 2 decimals, above zero.'
  ],
  [
    "a currency that is not charged",
    { currencies: ["EUR"], amounts: [{ currency: "INR", max: "5" }] },
    "methods.card: amounts has INR, which currencies does not list."
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

  // As JavaScript may declare them.
  const untyped: ReadonlyArray<readonly [name: string, method: object, problem: RegExp]> = [
    [
      "a number, which may mean minor units",
      { amounts: [{ currency: "EUR", min: 50 }] },
      /amounts.min of EUR is 50: write/
    ],
    ["limits of version 2", { amount: { min: 50 } }, /amount is of version 2 of the contract: use amounts/],
    ["limits that are no list", { amounts: { min: 50 } }, /amounts must be a list/],
    ["an unknown key", { amounts: [{ currency: "EUR", minimum: "1" }] }, /amounts has the unknown key minimum/],
    ["an item that is no object", { amounts: [null] }, /amounts has an item that is not an object/]
  ]
  for (const [name, method, problem] of untyped) {
    it(`are refused without a check of types: ${name}`, () => {
      assert.throws(() => define(method), problem)
    })
  }

  it("stand beside sentences for operators, each of one line", () => {
    const problemsOf = (help: unknown) =>
      capabilityProblems({ methods: {}, operations: { create: {} }, accountHelp: { code: help as string } })
    assert.deepStrictEqual(problemsOf("Enable it."), [])
    for (const help of ["", " ", "two\nlines", "x".repeat(501), 5]) assert.lengthOf(problemsOf(help), 1)
  })

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
