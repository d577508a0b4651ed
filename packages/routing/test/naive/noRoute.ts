/**
 * Whether `exclude` and `outages` leave payments without a provider, found by trying: every payment over the values that the rules
 * and the providers name, at every time at which something may change, routed with and without the two keys. It shares no code with
 * the check.
 */
import type { NewPayment, PaymentMethod } from "@paymux/core"
import { plan } from "../../src/choose/plan.ts"
import type { CompiledRouting } from "../../src/CompiledRouting.ts"
import { facts } from "../../src/Facts.ts"
import { unknownHealth } from "../../src/Health.ts"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import { card, payment, paymentId, tenant } from "../fixtures.ts"
import { language, whenHolds } from "./conditions.ts"

export interface Lost {
  /** Rules that lose payments now. */
  readonly now: ReadonlySet<string>
  /** Rules that lose payments now or later. */
  readonly ever: ReadonlySet<string>
}

/** Every value that the generator writes, one that it never writes, and the neighbors of amounts. */
const words = {
  currencies: ["EUR", "INR", "JPY", "USD"],
  amounts: [99, 100, 5_000, 5_001],
  networks: [null, "visa", "amex", "jcb"],
  countries: [null, "DE", "US"],
  shops: [null, "a", "b", "other"],
  phones: ["+919999999999", "+4915112345678", "+16505550100"]
} as const

const HOUR = 3_600_000

export const lostPayments = (
  config: RoutingConfigInput,
  rules: { readonly withheld: CompiledRouting; readonly free: CompiledRouting },
  now: number
): Lost => {
  const lost = { now: new Set<string>(), ever: new Set<string>() }
  for (const time of timesOf(config, now)) {
    for (const made of everyPayment()) {
      const known = facts(made, tenant, paymentId(1), time)
      const answer = plan(rules.withheld, made, known, unknownHealth)
      if (answer._tag === "Plan" || plan(rules.free, made, known, unknownHealth)._tag === "NoRoute") continue
      lost.ever.add(answer.rule)
      if (time === now) lost.now.add(answer.rule)
    }
  }
  return lost
}

/** Each hour of eight days after now and after each end of an outage, of those that differ in what holds the first. */
const timesOf = (config: RoutingConfigInput, now: number): ReadonlyArray<number> => {
  const { outages = [], rules = [] } = config
  const edges = outages.flatMap(({ from, to }) => [from, to ?? from].map((text) => Date.parse(text)))
  const starts = [now, ...edges.filter((edge) => edge > now)]
  const times = starts.flatMap((start) => [
    start,
    ...Array.from({ length: 8 * 24 }, (_, hour) => (Math.floor(start / HOUR) + hour + 1) * HOUR)
  ])
  const clocks = rules.flatMap(({ when }) => (when.time === undefined ? [] : [{ time: when.time }]))
  const [some] = everyPayment()
  const seen = new Set<string>()
  return [...new Set(times)].filter((time) => {
    const active = outages.map(
      ({ from, to }) => Date.parse(from) <= time && (to === undefined || time < Date.parse(to))
    )
    const asking = some === undefined ? null : { payment: some, tenant, id: "pay_1", now: time }
    const held = clocks.map((when) => asking !== null && whenHolds(when, asking, language, () => {}))
    const key = JSON.stringify([active, held])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

let made: ReadonlyArray<NewPayment> | null = null

const everyPayment = (): ReadonlyArray<NewPayment> => (made ??= [...payments()])

const payments = function* (): Iterable<NewPayment> {
  for (const shop of words.shops) {
    for (const phone of words.phones) {
      for (const [method, currency] of methods()) {
        for (const amount of words.amounts) {
          for (const captureMethod of ["automatic", "manual"] as const) {
            yield payment(method, currency, amount, {
              captureMethod,
              metadata: shop === null ? {} : { shop },
              customer: { email: "payer@example.com", phone, name: "A Payer", address: null },
              description: "Order 1",
              returnUrl: "https://shop.example/done"
            })
          }
        }
      }
    }
  }
}

const methods = function* (): Iterable<readonly [PaymentMethod, string]> {
  for (const flow of ["intent", "qr", "collect"] as const) {
    yield [{ rail: "upi", flow, vpa: flow === "collect" ? "payer@bank" : null }, "INR"]
  }
  for (const token of [null, "tok"]) {
    for (const network of words.networks) {
      for (const country of words.countries) {
        for (const currency of words.currencies) {
          yield [card({ token, network, country }), currency]
        }
      }
    }
  }
}
