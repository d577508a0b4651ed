/** A database in the working directory with payments that were decided by `first.yaml` and then by `second.yaml`. */
import { createPaymux } from "../../src/index.ts"
import type { PaymentJson } from "../../src/index.ts"

const card = (token: string) =>
  ({
    amount: 1200,
    currency: "EUR",
    payment_method: "card",
    customer: { email: "asha@example.com", phone: "+4915112345678" },
    payment_method_details: { card: { token } }
  }) as const

const paid = async (routing: string, tokens: ReadonlyArray<string>): Promise<ReadonlyArray<PaymentJson>> => {
  await using paymux = await createPaymux({ sandbox: true, database: "sqlite:paymux.db", routing })
  const payments: Array<PaymentJson> = []
  for (const token of tokens) payments.push(await paymux.payments.create(card(token)))
  return payments
}

/** The first payment of each, as JSON. */
export default async (): Promise<ReadonlyArray<PaymentJson>> => {
  const first = await paid("first.yaml", ["tok_success", "tok_success", "tok_success", "tok_declined"])
  const second = await paid("second.yaml", ["tok_success", "tok_success", "tok_success", "tok_success"])
  return [...first.slice(0, 1), ...second.slice(0, 1)]
}
