/** Conditions and facts of few words, so that they meet, as arbitraries of fast-check. */
import * as fc from "fast-check"
import type { Card, PaymentMethod } from "@paymux/core"
import { facts } from "../src/Facts.ts"
import type { Facts } from "../src/Facts.ts"
import type { When } from "../src/language/When.ts"
import { card, coin, payment, paymentId, upi } from "./fixtures.ts"

const currencies = ["EUR", "USD", "JPY"]
const amounts = [1, 99, 100, 101, 5000]
const networks = ["visa", "visa_electron", "amex"]
const bins = ["411111", "41111122", "424242", "555555"]
const plans = ["gold", "gold-plus", "plus", ""]
const clocks = ["00:00", "06:30", "12:00", "23:59"] as const

const exists = fc.record({ exists: fc.boolean() })
const anyOf = (words: ReadonlyArray<string>) =>
  fc.oneof(
    fc.constantFrom(...words),
    fc.subarray([...words], { minLength: 1 }),
    fc.record({ starts_with: fc.constantFrom(...affixes(words, (word, length) => word.slice(0, length))) }),
    fc.record({ ends_with: fc.constantFrom(...affixes(words, (word, length) => word.slice(-length))) }),
    fc.record({
      in_prefixes: fc.subarray([...affixes(words, (word, length) => word.slice(0, length))], { minLength: 1 })
    }),
    exists
  )

const affixes = (words: ReadonlyArray<string>, cut: (word: string, length: number) => string): ReadonlyArray<string> =>
  [...new Set(words.flatMap((word) => [1, 2, 5].map((length) => cut(word, length))))].filter((word) => word !== "")

const amount = fc.oneof(
  fc.constantFrom(...amounts),
  fc.subarray([...amounts], { minLength: 1 }),
  fc.record({ gt: fc.constantFrom(...amounts) }),
  fc.record({ gte: fc.constantFrom(...amounts), lt: fc.constantFrom(...amounts) }),
  fc.record({ lte: fc.constantFrom(...amounts) }),
  fc.record({ between: fc.tuple(fc.constantFrom(...amounts), fc.constantFrom(...amounts)) })
)

const time = fc.record({
  between: fc.tuple(fc.constantFrom(...clocks), fc.constantFrom(...clocks)).filter(([from, to]) => from !== to),
  zone: fc.constantFrom("UTC", "Asia/Kolkata")
})

const plain = {
  payment_method: fc.constantFrom("upi", "card", "stablecoin"),
  flow: fc.subarray(["intent", "qr", "hosted", "token", "transfer"], { minLength: 1 }),
  currency: fc.oneof(fc.constantFrom(...currencies), fc.subarray(currencies, { minLength: 1 }), exists),
  amount,
  "card.network": anyOf(networks),
  "card.bin": anyOf(bins),
  "stablecoin.asset": anyOf(["USDC", "USDT"]),
  "metadata.plan": anyOf(plans.filter((plan) => plan !== "")),
  livemode: fc.boolean(),
  time
}

const nested = (depth: number) => ({
  any: fc.array(someWhen(depth), { minLength: 1, maxLength: 3 }),
  all: fc.array(someWhen(depth), { minLength: 1, maxLength: 2 }),
  not: someWhen(depth)
})

/** One condition, or two, of every kind; levels to `depth`. */
export const someWhen = (depth = 2): fc.Arbitrary<When> => fc.oneof(...keysFirst(depth))

const keysFirst = (depth: number): ReadonlyArray<fc.Arbitrary<When>> => {
  const all = depth === 0 ? plain : { ...plain, ...nested(depth - 1) }
  const keys = Object.keys(all)
  return keys.map((key, index) => {
    const two = [key, keys[(index * 3 + 1) % keys.length] ?? key]
    const picked = Object.fromEntries(Object.entries<fc.Arbitrary<unknown>>(all).filter(([each]) => two.includes(each)))
    // Boundary: made key by key, of what the Schema allows.
    return fc.record(picked, { requiredKeys: [key] }).map((when) => when as When)
  })
}

const orNull = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(arbitrary)

const methods: fc.Arbitrary<PaymentMethod> = fc.oneof(
  fc
    .record({
      network: orNull(fc.constantFrom(...networks)),
      bin: orNull(fc.constantFrom(...bins, "999999")),
      token: orNull(fc.constant("tok"))
    })
    .map((change: Partial<Card>) => card(change)),
  fc.constantFrom(upi(), upi({ flow: "qr" })),
  orNull(fc.constantFrom("USDC", "USDT", "DAI")).map((asset) => coin({ asset }))
)

export const someFacts: fc.Arbitrary<Facts> = fc
  .record({
    method: methods,
    currency: fc.constantFrom(...currencies, "GBP"),
    amount: fc.constantFrom(...amounts, 98, 102, 4999, 5001),
    plan: orNull(fc.constantFrom(...plans)),
    livemode: fc.boolean(),
    now: fc.integer({ min: 0, max: 2 * 86_400_000 })
  })
  .map(({ amount, currency, livemode, method, now, plan }) => {
    const made = payment(method, method.rail === "upi" ? "INR" : currency, amount, {
      metadata: plan === null ? {} : { plan }
    })
    return facts(made, { account: "default", livemode }, paymentId(1), now)
  })
