/** Rulesets of one shape, as small or as large as asked, each with payments spread evenly over its rules and the default. */
import { Currency } from "@paymux/core"
import type { When } from "./Paymux.ts"
import { paymentOf } from "./Sample.ts"
import type { SampleFacts, SamplePayment } from "./Sample.ts"

export interface Shape {
  readonly name: string
  /** The rule of a number. */
  readonly when: (rule: number) => When
  /** A payment that this rule is the first to match; past the last rule: none does. */
  readonly payment: (rule: number) => SamplePayment
}

export const shapes: ReadonlyArray<Shape> = [
  {
    name: "amount bands x currencies x networks",
    when: (rule) => {
      const { band, currency, network } = cell(rule)
      return {
        payment_method: "card",
        currency,
        "card.network": network,
        amount: { gte: band * BAND, lt: (band + 1) * BAND }
      }
    },
    payment: (rule) => {
      const { band, currency, network } = cell(rule)
      return sample({ currency, network, amount: band * BAND + 17 })
    }
  },
  {
    name: "merchants",
    when: (rule) => ({ "metadata.merchant": `merchant-${rule}` }),
    payment: (rule) => sample({ merchant: `merchant-${rule}` })
  },
  {
    name: "BIN prefixes",
    when: (rule) => ({ payment_method: "card", "card.bin": { starts_with: bin(rule) } }),
    payment: (rule) => sample({ bin: `${bin(rule)}42` })
  },
  {
    name: "either of two metadata keys",
    when: (rule) => ({ any: [{ "metadata.merchant": `merchant-${rule}` }, { "metadata.order_id": `order-${rule}` }] }),
    payment: (rule) => {
      const made = sample({ merchant: rule % 2 === 0 ? `merchant-${rule}` : "merchant" })
      const metadata = { ...made.payment.metadata, order_id: rule % 2 === 0 ? "order" : `order-${rule}` }
      return { ...made, payment: { ...made.payment, metadata } }
    }
  }
]

/** 20 currencies, 5 networks, and then the next band of amounts. */
const cell = (rule: number) => ({
  currency: currencies[rule % 20] ?? "USD",
  network: ["visa", "mastercard", "amex", "discover", "jcb"][Math.floor(rule / 20) % 5] ?? "visa",
  band: Math.floor(rule / 100)
})
const BAND = 1000
const currencies = ["USD", "EUR", "GBP", "AUD", "CAD", "JPY", "CHF", "SEK", "NOK", "DKK"]
  .concat("PLN CZK HUF RON SGD HKD NZD MXN BRL ZAR".split(" "))
  .flatMap((code) => (Currency.isCurrency(code) ? [code] : []))

/** Six digits. */
const bin = (rule: number): string => String(400_000 + rule * 7)

const plain: SampleFacts = {
  rail: "card",
  currency: "USD",
  amount: 2_000,
  network: "visa",
  country: "NL",
  bin: "99999999",
  merchant: "merchant"
}

const sample = (change: Partial<SampleFacts>): SamplePayment => {
  const facts = { ...plain, ...change }
  return { facts, payment: paymentOf(facts) }
}
