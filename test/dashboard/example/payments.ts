/** The payments of a month: their requests, and what their payers and the merchant do afterwards. */
import type { SeededRandom } from "@paymux/test-suites/simulation"
import type { SimulateJson } from "@paymux/sandbox"
import type { CreatePaymentJson } from "paymux"
import { customerOf, descriptionOf } from "./customers.ts"

type Stream = SeededRandom.SeededRandom

/** What the payer does, `after` ms. */
interface Decision {
  readonly after: number
  readonly body: SimulateJson
}

/** What the merchant or an operator does to a payment, `after` ms. */
export interface FollowUp {
  readonly after: number
  readonly path: "capture" | "cancel" | "refunds"
  readonly body: { readonly amount?: number; readonly reason?: string }
  /** Whether a person does it in the dashboard; otherwise the merchant's server does. */
  readonly byPerson: boolean
}

export interface PlannedPayment {
  readonly body: CreatePaymentJson
  readonly decision: Decision | null
  readonly followUps: ReadonlyArray<FollowUp>
}

interface Course extends Partial<Pick<CreatePaymentJson, "payment_method_details" | "capture_method">> {
  readonly scenario?: string
  readonly decision?: Decision
  readonly followUps?: ReadonlyArray<FollowUp>
}

const minute = 60_000
const hour = 60 * minute

/** With a decision the payer takes a while, and without one the token, the UPI id or the scenario decides. */
export const plannedPayment = (draw: Stream, order: number): PlannedPayment => {
  const method = draw.weighted([
    [52, "card"],
    [34, "upi"],
    [14, "stablecoin"]
  ] as const)
  const { amount, currency } = amountOf(draw, method)
  const course = courses[method](draw, amount)
  const { capture_method, decision = null, followUps = [], payment_method_details, scenario } = course
  return {
    body: {
      amount,
      currency,
      payment_method: method,
      customer: customerOf(draw),
      description: descriptionOf(draw, order),
      metadata: {
        order_id: `A-${order}`,
        channel: draw.pick(["web", "app", "pos"]),
        ...(scenario !== undefined && { sandbox_scenario: scenario })
      },
      ...(payment_method_details !== undefined && { payment_method_details }),
      ...(capture_method !== undefined && { capture_method })
    },
    decision,
    followUps
  }
}

const amountOf = (draw: Stream, method: "card" | "upi" | "stablecoin") => {
  const units = Math.ceil(draw.next() ** 3 * 900) + 3
  if (method === "upi") return { amount: units * 10_000 < 10_000_000 ? units * 1_000 + 99 : 9_999_900, currency: "INR" }
  if (method === "stablecoin") return { amount: units * 250, currency: "USD" }
  const currency = draw.weighted([
    [40, "EUR"],
    [26, "USD"],
    [14, "JPY"],
    [12, "KWD"],
    [8, "GBP"]
  ] as const)
  const scale = { EUR: 100, USD: 100, GBP: 100, JPY: 120, KWD: 500 }[currency]
  return { amount: units * scale + (currency === "JPY" ? 0 : 49), currency }
}

const cardDetails = (draw: Stream, token: string): Course => ({
  payment_method_details: {
    card: {
      token,
      network: draw.pick(["visa", "mastercard", "amex", "rupay"]),
      country: draw.pick(["IN", "DE", "JP", "KW", "US", "GB"]),
      funding: draw.pick(["credit", "debit", "prepaid"]),
      bin: draw.pick(["411111", "550000", "371449", "601100"]),
      fingerprint: `card-${draw.between(1, 400)}`
    }
  }
})

const decide = (draw: Stream, body: SimulateJson): { readonly decision: Decision } => ({
  decision: { after: draw.between(8, 110) * 1_000, body }
})

const reasons = ["requested_by_customer", "duplicate", "damaged in transit", "تالف أثناء الشحن"] as const

const refund = (draw: Stream, amount?: number): FollowUp => ({
  after: draw.between(2, 90) * hour,
  path: "refunds",
  body: { reason: draw.pick(reasons), ...(amount !== undefined && { amount }) },
  byPerson: draw.chance(40)
})

const courses: {
  readonly [method in "card" | "upi" | "stablecoin"]: (draw: Stream, amount: number) => Course
} = {
  card: (draw, amount) => {
    const paid = cardDetails(draw, "tok_success")
    const payer = cardDetails(draw, "tok_3ds")
    const held = { ...paid, capture_method: "manual" as const }
    const part = Math.max(1, Math.floor(amount / 3))
    const act = (path: "capture" | "cancel", hours: number, body = {}): FollowUp => ({
      after: hours * hour,
      path,
      body,
      byPerson: draw.chance(30)
    })
    return draw.weighted<Course>([
      [50, paid],
      [6, { ...paid, followUps: [refund(draw)] }],
      [5, { ...paid, followUps: [refund(draw, part)] }],
      [2, { ...paid, followUps: [refund(draw, part), refund(draw, part)] }],
      [8, { ...payer, ...decide(draw, { outcome: "succeeded" }) }],
      [5, cardDetails(draw, "tok_insufficient_funds")],
      [3, cardDetails(draw, "tok_declined")],
      [2, cardDetails(draw, "tok_of_another_provider")],
      [6, { ...payer, ...decide(draw, { outcome: "failed", code: draw.pick(cardDeclines) }) }],
      [2, { ...payer, ...decide(draw, { outcome: "expired" }) }],
      [3, { ...held, followUps: [act("capture", 20)] }],
      [2, { ...held, followUps: [act("capture", 30, { amount: part * 2 })] }],
      [2, { ...held, followUps: [act("cancel", 6)] }],
      [2, held],
      [4, { ...paid, scenario: "primary_down" }],
      [1, { ...paid, scenario: "all_down" }]
    ])
  },
  upi: (draw, amount) => {
    const flow = draw.pick(["intent", "qr"] as const)
    const open: Course = { payment_method_details: { upi: { flow } }, scenario: "undecided" }
    const paid: Course = { payment_method_details: { upi: { flow: "collect", vpa: "success@paymux" } } }
    return draw.weighted<Course>([
      [40, { ...open, ...decide(draw, { outcome: "succeeded" }) }],
      [25, paid],
      [6, { ...paid, followUps: [refund(draw)] }],
      [4, { ...paid, followUps: [refund(draw, Math.max(1, Math.floor(amount / 4)))] }],
      [4, { payment_method_details: { upi: { flow: "collect", vpa: "failure@paymux" } } }],
      [9, { ...open, ...decide(draw, { outcome: "failed", code: draw.pick(upiDeclines) }) }],
      [3, { ...open, ...decide(draw, { outcome: "expired" }) }],
      [2, { ...open, followUps: [{ after: 2 * minute, path: "cancel", body: {}, byPerson: false }] }],
      [4, { ...paid, scenario: "primary_down" }]
    ])
  },
  stablecoin: (draw) => {
    const coin = draw.weighted([
      [5, { asset: "USDC", network: "base" }],
      [2, { asset: "USDC", network: "polygon" }],
      [1, { asset: "USDT", network: "ethereum" }]
    ])
    const open: Course = { payment_method_details: { stablecoin: coin }, scenario: "undecided" }
    return draw.weighted<Course>([
      [75, { ...open, ...decide(draw, { outcome: "exact" }) }],
      [10, { ...open, ...decide(draw, { outcome: "over" }) }],
      [15, { ...open, ...decide(draw, { outcome: "expired" }) }]
    ])
  }
}

const cardDeclines = ["do_not_honor", "expired_card", "authentication_failed", "issuer_unavailable"] as const
const upiDeclines = ["customer_timeout", "incorrect_pin", "limit_exceeded", "customer_canceled"] as const

/** When they are made: a few more each day. */
export const timesOf = (draw: Stream, count: number, from: number, until: number): ReadonlyArray<number> =>
  Array.from(
    { length: count },
    () => from + Math.floor((Math.sqrt(1 + 3 * draw.next()) - 1) * (until - from))
  ).toSorted((one, other) => one - other)
