/**
 * A month of a shop, made by the real engine: about 300 payments, their refunds, reviews, reports, statements, webhooks, keys, rules
 * and people. The same in every run, but for ids and for the end, which is now.
 */
import { SeededRandom } from "@paymux/test-suites/simulation"
import type { PaymuxOptions } from "paymux"
import { lostReports, questions } from "./example/openQuestions.ts"
import { merchantOf } from "./example/Merchant.ts"
import { outage } from "./example/outage.ts"
import { plannedPayment, timesOf } from "./example/payments.ts"
import type { FollowUp, PlannedPayment } from "./example/payments.ts"
import { changes, hire } from "./example/settings.ts"
import type { Shop } from "./example/settings.ts"
import { readStatements } from "./example/statements.ts"
import { startHistory } from "./HistoryEngine.ts"
import { makeSchedule } from "./Schedule.ts"
import type { WebhookReceiver } from "./WebhookReceiver.ts"

export interface ExampleDataOptions {
  /** Those of the server that will read it. */
  readonly paymux: PaymuxOptions<string> & { readonly database: string; readonly publicUrl: string }
  readonly receiver: WebhookReceiver
  /** ms UTC */
  readonly until?: number
}

const payments = 280
const minute = 60_000
const day = 24 * 60 * minute

/** No other engine may use the database meanwhile. */
export const loadExampleData = async ({ paymux, receiver, until = Date.now() }: ExampleDataOptions): Promise<void> => {
  const from = until - 30 * day
  const engine = await startHistory(paymux, from)
  try {
    const shop: Shop = { engine, merchant: merchantOf(engine, paymux.publicUrl), receiver, staff: await hire(engine) }
    const schedule = makeSchedule<() => Promise<unknown>>()
    const addPayment = (at: number, planned: PlannedPayment) =>
      schedule.add(at, async () => {
        const { id } = await created(shop, planned)
        for (const followUp of planned.followUps) {
          const time = engine.now() + followUp.after
          if (time < until - minute) schedule.add(time, () => followed(shop, id, followUp))
        }
      })
    const draw = SeededRandom.stream(20_261_124, "example data")
    for (const [at, change] of changes()) schedule.add(from + at * day, () => change(shop))
    for (const [n, at] of timesOf(draw, payments, from + day / 4, until - 10 * minute).entries()) {
      addPayment(at, plannedPayment(draw, 1_001 + n))
    }
    for (const [n, ask] of questions(paymux.database).entries()) {
      schedule.add(until - (4 - n * 0.6) * day, () => ask(shop))
    }
    schedule.add(from + 25 * day, () => outage(shop))
    schedule.add(until - 8 * minute, () => lostReports(paymux.database, shop))
    schedule.add(until - 7 * minute, () => readStatements(shop, from))
    for (const [n, body] of waiting.entries()) {
      schedule.add(until - (6 - n) * minute, () => shop.merchant.post("/v1/payments", body))
    }
    for (let step = schedule.next(); step !== null; step = schedule.next()) {
      engine.forwardTo(step.at)
      await step.act()
      await engine.settled()
    }
  } finally {
    await engine.close()
  }
}

const created = async ({ engine, merchant }: Shop, { body, decision }: PlannedPayment) => {
  const order = body.metadata?.["order_id"]
  const answer = await merchant.post("/v1/payments", body, `order-${order}`)
  const isTurnedDown = answer.text.includes('"card_not_retried"')
  if (answer.status !== 201 && !isTurnedDown) throw new Error(`Order ${order} was refused: ${answer.text}`)
  if (decision !== null && !isTurnedDown) {
    engine.forwardTo(engine.now() + decision.after)
    await engine.simulate(answer.id, decision.body)
  }
  return answer
}

const followed = async ({ engine, merchant, staff }: Shop, id: string, { body, byPerson, path }: FollowUp) => {
  if (!byPerson) return merchant.post(`/v1/payments/${id}/${path}`, body)
  const { payments, refunds } = engine.as(staff.operator)
  switch (path) {
    case "refunds":
      return refunds.create(id, body)
    case "capture":
      return payments.capture(id, body)
    case "cancel":
      return payments.cancel(id)
  }
}

/** Not paid yet. */
const waiting = [
  {
    amount: 129_900,
    currency: "INR",
    payment_method: "upi",
    payment_method_details: { upi: { flow: "collect", vpa: "pending@paymux" } },
    customer: { email: "asha@customers.example", phone: "+919876543210", name: "आशा राव", address: null },
    description: "Order 1042",
    metadata: { order_id: "A-1042", channel: "app" }
  },
  {
    amount: 8_490,
    currency: "EUR",
    payment_method: "card",
    payment_method_details: { card: { token: "tok_3ds", network: "mastercard", country: "DE" } },
    customer: {
      email: "zoe@customers.example",
      phone: "+4915112345678",
      name: "Zoe\u0301 A\u030angstro\u0308m",
      address: null
    },
    description: "Order 1043",
    metadata: { order_id: "A-1043", channel: "web" }
  },
  {
    amount: 50_000,
    currency: "USD",
    payment_method: "stablecoin",
    payment_method_details: { stablecoin: { asset: "USDC", network: "base" } },
    customer: { email: "noa@customers.example", phone: "+14155550123", name: "נועה בן־דוד", address: null },
    description: "Order 1044",
    metadata: { order_id: "A-1044", channel: "web", sandbox_scenario: "undecided" }
  }
] as const
