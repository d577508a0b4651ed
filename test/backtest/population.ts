/** The payments of a world: the same in every run. */
import { SeededRandom } from "@paymux/test-suites/simulation"
import type { Group, PlantedPayment, Weights, World } from "./World.ts"

const DAY = 86_400_000

/** A Monday, at midnight UTC. ms UTC */
export const firstPaymentAt = Date.UTC(2026, 9, 5)

const usual = {
  currency: { card: "EUR", upi: "INR", stablecoin: "USD" },
  country: { DE: 40, FR: 30, NL: 20, ES: 10 },
  network: { visa: 60, mastercard: 40 },
  funding: { credit: 50, debit: 50 },
  bin: { "411111": 20, "422222": 20, "433333": 15, "511111": 15, "522222": 15, "533333": 15 },
  flow: { intent: 100 },
  handle: { okaxis: 40, ybl: 40, paytm: 20 },
  amounts: [500, 20_000]
} as const

export const population = (world: World): ReadonlyArray<PlantedPayment> => {
  const { days = 7, groups, payments = 1_000, seed } = world
  const random = SeededRandom.stream(seed, "payments")
  const [first, ...others] = groups
  const weighted = (group: Group) => [group.share ?? 1, group] as const
  const apart = (days * DAY) / payments
  return Array.from({ length: payments }, (_, index) => {
    const at = Math.floor(firstPaymentAt + (index + random.next()) * apart)
    const group = random.weighted([weighted(first), ...others.map(weighted)])
    const { amounts = usual.amounts, method } = group
    const one = (weights: Weights) => drawn(random, weights)
    const isCard = method === "card"
    const flow = method === "upi" ? one(group.flow ?? usual.flow) : null
    return {
      at,
      day: (at - firstPaymentAt) / DAY,
      hour: ((at % DAY) / DAY) * 24,
      method,
      currency: group.currency ?? usual.currency[method],
      amount: random.between(amounts[0], amounts[1]),
      country: isCard ? one(group.country ?? usual.country) : null,
      network: isCard ? one(group.network ?? usual.network) : null,
      funding: isCard ? one(group.funding ?? usual.funding) : null,
      bin: isCard ? one(group.bin ?? usual.bin) : null,
      flow,
      handle: flow === "collect" ? one(group.handle ?? usual.handle) : null,
      shop: group.shop === undefined ? null : one(group.shop),
      email: `payer-${index}@example.com`
    }
  })
}

const drawn = (random: SeededRandom.SeededRandom, weights: Weights): string => {
  const [first, ...others] = Object.entries(weights).map(([value, weight]) => [weight, value] as const)
  if (first === undefined) throw new Error("A trait needs a value.")
  return random.weighted([first, ...others])
}

/** As the body of `POST /v1/payments`. */
export const requestOf = (payment: PlantedPayment): object => ({
  amount: payment.amount,
  currency: payment.currency,
  payment_method: payment.method,
  payment_method_details: { [payment.method]: detailsOf(payment) },
  customer: { email: payment.email, phone: "+919812345678" },
  ...(payment.shop !== null && { metadata: { shop: payment.shop } })
})

const detailsOf = ({ bin, country, flow, funding, handle, method, network }: PlantedPayment): object => {
  switch (method) {
    case "card":
      return { bin, network, country, funding }
    case "upi":
      return handle === null ? { flow } : { flow, vpa: `payer@${handle}` }
    case "stablecoin":
      return { asset: "USDC", network: "base" }
  }
}
