/** A hundred rules as a payments team might have them, and ten thousand payments spread evenly over them and the default. */
import { Currency } from "@paymux/core"
import type { NewPayment, PaymentMethod } from "@paymux/core"

/** All that is said must hold; of a list, any. First match wins. */
export interface SampleRule {
  readonly rail: "upi" | "card" | "stablecoin" | null
  readonly currencies: ReadonlyArray<string>
  /** Minor units, from the first up to, not including, the second. */
  readonly amount: readonly [from: number, below: number] | null
  readonly network: string | null
  readonly countries: ReadonlyArray<string>
  /** Of the card's first digits. */
  readonly prefixes: ReadonlyArray<string>
  readonly merchant: string | null
}

/** The facts that the rules ask about, flat, as every engine but ours is given them. `""` is absent. */
export interface SampleFacts {
  readonly rail: string
  readonly currency: string
  readonly amount: number
  readonly network: string
  readonly country: string
  readonly bin: string
  readonly merchant: string
}

export interface SamplePayment {
  readonly facts: SampleFacts
  readonly payment: NewPayment
}

const anything: SampleRule = {
  rail: null,
  currencies: [],
  amount: null,
  network: null,
  countries: [],
  prefixes: [],
  merchant: null
}

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const currencies = ["USD", "EUR", "GBP", "AUD", "CAD"]
const networks = ["visa", "mastercard", "amex", "discover", "jcb"]
const countries = ["US", "DE", "FR", "GB", "AU", "CA", "NL", "ES", "IT", "SE"]

/** Of 20 merchants with terms of their own, 20 bands of UPI amounts, 20 BIN tables, 30 kinds of cards, 10 of coins. */
export const rules: ReadonlyArray<SampleRule> = [
  ...times(20, (n): SampleRule => ({ ...anything, merchant: `merchant-${n}` })),
  ...times(20, (n): SampleRule => ({ ...anything, rail: "upi", amount: [n * 5_000, (n + 1) * 5_000] })),
  ...times(20, (n): SampleRule => ({ ...anything, rail: "card", prefixes: [`4${100 + n}`, `52${20 + n}`] })),
  ...times(30, (n): SampleRule => ({
    ...anything,
    rail: "card",
    currencies: n % 3 === 0 ? [currencies[n % 5] ?? "", "CHF"] : [currencies[n % 5] ?? ""],
    network: networks[Math.floor(n / 5) % 5] ?? null,
    countries: n < 25 ? [] : countries.slice(0, 4),
    amount: n < 25 ? [20_000, 1_000_000] : [0, 20_000]
  })),
  ...times(10, (n): SampleRule => ({
    ...anything,
    rail: "stablecoin",
    currencies: [currencies[n % 5] ?? ""],
    amount: n < 5 ? [0, 100_000] : [100_000, 10_000_000]
  }))
]

/** The number of the first rule that matches; `rules.length`: the default. This is what is right. */
export const firstMatch = (facts: SampleFacts): number => {
  const found = rules.findIndex(
    ({ amount, countries, currencies, merchant, network, prefixes, rail }) =>
      (rail === null || rail === facts.rail) &&
      (currencies.length === 0 || currencies.includes(facts.currency)) &&
      (amount === null || (facts.amount >= amount[0] && facts.amount < amount[1])) &&
      (network === null || network === facts.network) &&
      (countries.length === 0 || countries.includes(facts.country)) &&
      (prefixes.length === 0 || prefixes.some((prefix) => facts.bin.startsWith(prefix))) &&
      (merchant === null || merchant === facts.merchant)
  )
  return found === -1 ? rules.length : found
}

/** The same number for each rule and the default, in an order that follows no rule. */
export const payments = (count: number): ReadonlyArray<SamplePayment> =>
  times(count, (n) => {
    const facts = factsFor(nth(n, rules.length + 1), n)
    return { facts, payment: paymentOf(facts) }
  })

/** Each of `count` numbers in turn, in an order that looks like none. */
export const nth = (n: number, count: number): number => (n * 7919) % count

const factsFor = (target: number, n: number): SampleFacts => {
  const rule = rules[target] ?? { ...anything, rail: "card", currencies: ["JPY"] }
  const rail = rule.rail ?? (["upi", "card", "stablecoin"] as const)[n % 3] ?? "card"
  const [from, below] = rule.amount ?? [100, 15_000]
  const isCard = rail === "card"
  const pick = (list: ReadonlyArray<string>, other: string): string => list[n % list.length] ?? other
  return {
    rail,
    currency: rail === "upi" ? "INR" : (rule.currencies[0] ?? "USD"),
    amount: from + ((n * 7919) % (below - from)),
    network: isCard ? (rule.network ?? "visa") : "",
    country: isCard ? pick(rule.countries, "NL") : "",
    bin: isCard ? pick(rule.prefixes, "6011").padEnd(8, "0") : "",
    merchant: rule.merchant ?? `merchant-${1000 + (n % 500)}`
  }
}

export const paymentOf = (facts: SampleFacts): NewPayment => {
  const { amount, currency, merchant } = facts
  if (!Currency.isCurrency(currency)) throw new Error(`${currency} is not a currency`)
  return {
    amount: { minorUnits: amount, currency },
    method: methodOf(facts),
    captureMethod: "automatic",
    description: "Order 1234",
    customer: { email: "asha@example.com", phone: "+919999999999", name: "Asha Rao", address: null },
    metadata: { order_id: "1234", merchant },
    client: null,
    returnUrl: null,
    order: null
  }
}

const methodOf = ({ bin, country, network, rail }: SampleFacts): PaymentMethod => {
  if (rail === "upi") return { rail, flow: "intent", vpa: null }
  if (rail === "stablecoin") return { rail, asset: "USDC", network: "base" }
  return { rail: "card", token: "tok_1", tokens: {}, network, country, funding: "credit", bin, fingerprint: null }
}
