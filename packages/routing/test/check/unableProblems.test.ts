/** A provider that can take nothing that its rule matches is refused, with the capability that is in the way. */
import { assert, describe, it } from "@effect/vitest"
import type { MethodCapability } from "@paymux/core"
import { anyCard, anyUpi, problems, provider, withRule } from "../fixtures.ts"

const upi = (change: Partial<MethodCapability>) => provider("acme", { upi: { ...anyUpi, ...change } })
const card = (change: Partial<MethodCapability>) => provider("acme", { card: { ...anyCard, ...change } })
const base = provider("acme", {
  stablecoin: {
    currencies: "any",
    flows: { transfer: {} },
    assets: [
      { asset: "USDC", network: "base" },
      { asset: "USDT", network: "tron" }
    ]
  }
})

/** All that a provider and the conditions of its rule are refused with. */
const refused = (acme: ReturnType<typeof provider>, when: unknown): ReadonlyArray<string> => {
  const found = problems(withRule(when, { priority: ["acme"] }), [acme, provider("stripe", { card: anyCard })])
  for (const [path] of found) assert.deepStrictEqual(path, ["rules", 0, "choose", "priority", 0])
  return found.map(([, message]) => message.replace('rule "x": provider "acme" does not take ', ""))
}

const refusals: ReadonlyArray<readonly [what: string, ReturnType<typeof provider>, when: unknown, expected: string]> = [
  [
    "manual capture by UPI",
    upi({}),
    { payment_method: "upi", capture_method: "manual" },
    "capture_method manual; it takes automatic"
  ],
  [
    "manual capture in the one flow of the rule",
    upi({ captureMethods: ["automatic", "manual"], flows: { intent: {}, qr: { captureMethods: ["automatic"] } } }),
    { flow: "qr", capture_method: "manual" },
    "capture_method manual; it takes automatic"
  ],
  ["a flow", upi({}), { payment_method: "upi", flow: "collect" }, "flow collect; it takes intent, qr"],
  ["an intent without a page in its place", upi({ flows: { qr: {} } }), { flow: "intent" }, "flow intent; it takes qr"],
  [
    "a page in place of an intent that is always served as such",
    upi({ flows: { intent: {}, hosted: { captureMethods: ["manual"] } } }),
    { payment_method: "upi", capture_method: "manual" },
    "capture_method manual; it takes automatic"
  ],
  [
    "a network of cards",
    card({ networks: ["visa", "amex"] }),
    { payment_method: "card", "card.network": ["rupay", "jcb"] },
    "card.network rupay or jcb; it takes visa, amex"
  ],
  [
    "a network of cards by how it begins",
    card({ networks: ["visa"] }),
    { "card.network": { starts_with: "ru" } },
    "the card.network of this rule; it takes visa"
  ],
  [
    "a network of stablecoins",
    base,
    { payment_method: "stablecoin", "stablecoin.network": "ethereum" },
    "stablecoin.network ethereum; it takes base, tron"
  ],
  [
    "an asset on another network than its own",
    base,
    { "stablecoin.asset": "USDC", "stablecoin.network": "tron" },
    "stablecoin.network tron; it takes base"
  ],
  ["an asset", base, { "stablecoin.asset": "EURC" }, "stablecoin.asset EURC; it takes USDC, USDT"],
  [
    "amounts above its limit",
    upi({ amounts: [{ currency: "INR", max: "100000.00" }] }),
    { payment_method: "upi", amount: { gt: 10_000_000 } },
    "the amount of this rule; it takes 10000000 or less in INR"
  ],
  [
    "amounts below its limit",
    card({
      amounts: [
        { currency: "EUR", min: "0.90" },
        { currency: "USD", min: "0.50" }
      ]
    }),
    { payment_method: "card", currency: "USD", amount: { lt: 50 } },
    "the amount of this rule; it takes 50 or more in USD"
  ],
  [
    "amounts beside its limits",
    card({ amounts: [{ currency: "USD", min: "0.5", max: "9" }] }),
    { payment_method: "card", currency: "USD", any: [{ amount: { lt: 50 } }, { amount: { gt: 900 } }] },
    "the amount of this rule; it takes 50 to 900 in USD"
  ],
  [
    "amounts beside its limits in each currency of the rule",
    card({
      currencies: ["JPY", "KWD"],
      amounts: [
        { currency: "JPY", min: "50" },
        { currency: "KWD", min: "0.05" }
      ]
    }),
    { payment_method: "card", currency: ["JPY", "KWD"], amount: { lt: 50 } },
    "the amount of this rule; it takes 50 or more in JPY, 50 or more in KWD"
  ],
  [
    "a currency that has no limits, as it is not taken",
    card({
      currencies: ["JPY"],
      amounts: [
        { currency: "JPY", min: "50" },
        { currency: "KWD", min: "0.05" }
      ]
    }),
    { payment_method: "card", currency: "KWD", amount: { gt: 50 } },
    "KWD"
  ],
  [
    "phone numbers of another country",
    upi({ phoneCodes: ["+91"] }),
    { payment_method: "upi", "customer.phone_country": "+44" },
    "customer.phone_country +44; it takes +91"
  ],
  [
    "what all alternatives ask",
    upi({}),
    {
      any: [
        { payment_method: "upi", flow: "collect" },
        { payment_method: "upi", capture_method: "manual" }
      ]
    },
    "the capture_method of this rule; it takes automatic"
  ],
  [
    "any coin, without assets",
    provider("acme", { stablecoin: { currencies: "any", flows: { transfer: {} } } }),
    { payment_method: "stablecoin" },
    "any payment: it declares nothing that it takes"
  ]
]

describe("a provider that can take nothing of its rule", () => {
  for (const [what, acme, when, expected] of refusals) {
    it(`is refused: ${what}`, () => assert.deepStrictEqual(refused(acme, when), [expected]))
  }
})

describe("a provider that can take something of its rule", () => {
  const taken: ReadonlyArray<readonly [what: string, ReturnType<typeof provider>, when: unknown]> = [
    ["one of two capture methods", upi({}), { payment_method: "upi", capture_method: ["automatic", "manual"] }],
    ["a network that the payment leaves open", card({ networks: ["visa"] }), { "card.network": { exists: false } }],
    ["a coin that the payment leaves open", base, { "stablecoin.network": "base" }],
    ["a page in place of an intent", upi({ flows: { hosted: {} } }), { flow: "intent" }],
    [
      "a page in place of an intent whose facts are missing",
      upi({ flows: { intent: { requires: ["client.ip"] }, hosted: { captureMethods: ["manual"] } } }),
      { flow: "intent", capture_method: "manual" }
    ],
    [
      "the amount at its limit",
      upi({ amounts: [{ currency: "INR", max: "5.00" }] }),
      { payment_method: "upi", amount: { gte: 500 } }
    ],
    [
      "an amount beside the limit of another currency",
      card({ amounts: [{ currency: "EUR", max: "5.00" }] }),
      { payment_method: "card", currency: ["EUR", "USD"], amount: { gt: 500 } }
    ],
    [
      "a currency without limits among those that have some",
      card({ currencies: ["EUR", "USD"], amounts: [{ currency: "EUR", max: "5.00" }] }),
      { payment_method: "card", currency: "USD", amount: { gt: 500 } }
    ],
    ["a country that shares its code", card({ phoneCodes: ["+1242"] }), { "customer.phone_country": "+1" }],
    ["facts that no condition can name", card({ flows: { hosted: { requires: ["return_url"] } } }), {}]
  ]
  for (const [what, acme, when] of taken) {
    it(`is accepted: ${what}`, () => assert.deepStrictEqual(refused(acme, when), []))
  }
})
