/** The payments that the guide to routing rules replays. */
import { createPaymux } from "../../packages/paymux/src/index.ts"
import type { PaymentJson } from "../../packages/paymux/src/index.ts"
import type { CreatePaymentJson } from "@paymux/core/wire"
import options from "./paymux.config.ts"

const times = (count: number, make: (index: number) => CreatePaymentJson): ReadonlyArray<CreatePaymentJson> =>
  Array.from({ length: count }, (_, index) => make(index))

const payer = (index: number) => ({ email: `payer${index}@example.com`, phone: "+919812345678" })
const every = (nth: number, index: number) => (index % nth === 0 ? { declined: "yes" } : {})

const payments: ReadonlyArray<CreatePaymentJson> = [
  ...times(30, (index) => ({
    amount: index % 3 === 0 ? 750_000 : 20_000,
    currency: "INR",
    payment_method: "upi",
    customer: payer(index)
  })),
  ...times(60, (index) => ({
    amount: 250_000,
    currency: "INR",
    payment_method: "card",
    payment_method_details: { card: { network: "visa", country: "IN" } },
    customer: payer(index),
    metadata: every(10, index)
  })),
  ...times(120, (index) => ({
    amount: 4_900,
    currency: "EUR",
    payment_method: "card",
    payment_method_details: { card: { country: "DE" } },
    customer: payer(index),
    // Every other one is of the shop that goes to another provider, which declines fewer.
    metadata: index % 2 === 1 ? { shop: "nl", ...every(24, index + 3) } : every(9, index + 4)
  }))
]

/** Makes them in the working directory, by its `routing.yaml`. Answers the last. */
export default async (): Promise<PaymentJson | null> => {
  await using paymux = await createPaymux({ ...options, database: "sqlite:paymux.db", routing: "routing.yaml" })
  let last: PaymentJson | null = null
  for (const payment of payments) last = await paymux.payments.create(payment)
  return last
}
