/** What operators have to look at: reviews of several kinds, and reports about payments that the database does not have. */
import { Outcome } from "@paymux/core"
import type { CreatePaymentJson } from "paymux"
import { report, reportDuplicate, reportLost } from "../../../packages/paymux/test/ProviderReports.ts"
import type { Shop } from "./settings.ts"

const card: CreatePaymentJson = {
  amount: 18_900,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success", network: "visa", country: "DE" } },
  customer: { email: "leila@customers.example", phone: "+4915112345678", name: "ليلى حدّاد", address: null },
  description: "Order 90210",
  metadata: { order_id: "A-90210", channel: "web" }
}

const unpaid: CreatePaymentJson = { ...card, payment_method_details: { card: { token: "tok_3ds" } } }

const coin: CreatePaymentJson = {
  ...card,
  amount: 25_000,
  currency: "USD",
  payment_method: "stablecoin",
  payment_method_details: { stablecoin: { asset: "USDC", network: "base" } },
  metadata: { order_id: "A-90211", channel: "web", sandbox_scenario: "undecided" }
}

/** Each opens a review, or more. `database`: its address. */
export const questions = (
  database: string
): ReadonlyArray<(shop: Pick<Shop, "engine" | "merchant" | "staff">) => Promise<unknown>> => [
  async ({ merchant }) => {
    const { id } = await merchant.post("/v1/payments", card)
    await reportDuplicate(database, id, `ch_${id.slice(-8)}_second`)
    await reportDuplicate(database, id, `ch_${id.slice(-8)}_third`, 700)
  },
  async ({ merchant }) => {
    const { id } = await merchant.post("/v1/payments", { ...unpaid, currency: "KWD", amount: 12_750 })
    await report(database, id, (amount) => ({
      _tag: "Succeeded",
      amount: { ...amount, minorUnits: 5_000 },
      reference: `ch_${id.slice(-8)}`
    }))
  },
  async ({ engine, merchant }) => {
    const { id } = await merchant.post("/v1/payments", coin)
    await engine.simulate(id, { outcome: "under" })
  },
  async ({ engine, merchant }) => {
    const { id } = await merchant.post("/v1/payments", { ...coin, amount: 99_999 })
    await engine.simulate(id, { outcome: "wrong_asset" })
  },
  async ({ merchant }) => {
    const { id } = await merchant.post("/v1/payments", { ...unpaid, currency: "JPY", amount: 48_000 })
    await merchant.post(`/v1/payments/${id}/cancel`, {})
    await report(database, id, (amount) => Outcome.succeeded({ amount, reference: `ch_${id.slice(-8)}_late` }))
  },
  async ({ engine, merchant, staff }) => {
    const { id } = await merchant.post("/v1/payments", { ...card, amount: 3_300 })
    await reportDuplicate(database, id, `ch_${id.slice(-8)}_second`)
    const { reviews } = engine.as(staff.operator)
    const { reviews: open, version } = await reviews.get(id)
    const evidence = "Refunded by hand at the provider, re_3412, A. Rao"
    for (const { id: review } of open) {
      await reviews.resolve(id, { review, resolution: "given_back", evidence, version })
    }
  }
]

/** Charges that no payment is known for: one waits, one is dismissed, one is matched. */
export const lostReports = async (database: string, { engine, merchant, staff }: Shop) => {
  await reportLost(database, "evt_8842")
  await reportLost(database, "evt_8843_yen", { currency: "JPY" })
  await reportLost(database, "evt_8844")
  await reportLost(database, "evt_8845")
  const { reports } = engine.as(staff.operator)
  const ids = new Map((await reports.list()).data.map(({ event, id }) => [event, id]))
  await reports.dismiss(ids.get("evt_8844") ?? "", { note: "Of the former shop system — لا يخصنا" })
  const { id: paymentId } = await merchant.post("/v1/payments", { ...card, amount: 1_200 })
  await reports.match(ids.get("evt_8845") ?? "", { paymentId })
}
