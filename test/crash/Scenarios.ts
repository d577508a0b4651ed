/** The payments of the traffic: what is asked, what the vendor and the payer make of it, and what the merchant does next. */
import type { Fault, Payer } from "./vendor/Vendor.ts"

export type Step = "capture" | "capture_part" | "cancel" | "refund" | "refund_part"

export interface Scenario {
  readonly rail: "upi" | "card" | "stablecoin"
  readonly manual?: boolean
  readonly payer?: Payer
  readonly alpha?: Fault
  readonly beta?: Fault
  /** Of the captures, cancels and refunds. */
  readonly later?: Fault
  /** One after the other, each once the payment is in a state for it. */
  readonly next?: ReadonlyArray<Step>
}

/** Money is taken at once, later, twice and never; every operation is answered well, badly and not at all. */
export const scenarios: ReadonlyArray<Scenario> = [
  { rail: "upi", next: ["refund"] },
  { rail: "upi", payer: "pays_later" },
  { rail: "upi", payer: "walks_away" },
  { rail: "upi", payer: "walks_away", next: ["cancel"] },
  { rail: "upi", payer: "says_no" },
  { rail: "upi", alpha: "silent_after" },
  { rail: "upi", payer: "walks_away", alpha: "silent_twice" },
  { rail: "stablecoin", payer: "walks_away", alpha: "silent_twice" },
  { rail: "upi", alpha: "reset_after", later: "reset_before", next: ["refund_part"] },
  { rail: "upi", alpha: "error_before" },
  { rail: "upi", alpha: "not_executed", payer: "pays_later" },
  { rail: "upi", alpha: "not_executed", payer: "walks_away" },
  { rail: "card", next: ["refund_part", "refund_part"] },
  { rail: "card", alpha: "slow", later: "slow", next: ["refund"] },
  { rail: "card", alpha: "error_after" },
  { rail: "card", manual: true, next: ["capture"] },
  { rail: "card", manual: true, later: "reset_after", next: ["capture_part", "refund"] },
  { rail: "card", manual: true, later: "error_after", next: ["cancel"] },
  { rail: "card", manual: true, alpha: "not_executed", later: "error_before", next: ["capture", "refund_part"] },
  { rail: "card", alpha: "not_executed", beta: "silent_after", later: "silent_after", next: ["refund"] },
  { rail: "card", alpha: "declined", beta: "reset_after" },
  { rail: "card", alpha: "declined", beta: "declined" },
  { rail: "card", alpha: "declined_then_captured" },
  { rail: "card", alpha: "declined_then_captured", later: "reset_after", next: ["refund_part"] },
  { rail: "card", manual: true, alpha: "declined_then_captured", next: ["capture"] },
  { rail: "stablecoin", payer: "pays_later" },
  { rail: "stablecoin", payer: "pays_later", alpha: "reset_after", next: ["refund"] },
  { rail: "stablecoin", payer: "walks_away" }
]

const AMOUNT = 10_000

/** What is posted. `purchase`: what the payer buys; default: something else each time. */
export const requestOf = ({ alpha, beta, later, manual, payer, rail }: Scenario, purchase?: string) => ({
  amount: AMOUNT,
  currency: { upi: "INR", card: "EUR", stablecoin: "USD" }[rail],
  payment_method: rail,
  capture_method: manual === true ? "manual" : "automatic",
  customer: { email: "asha@example.com", phone: "+919812345678" },
  ...(rail === "card" && { payment_method_details: { card: { token: "tok_vendor" } } }),
  metadata: {
    ...(purchase !== undefined && { purchase }),
    payer: payer ?? "pays_at_once",
    alpha_fault: alpha ?? "none",
    beta_fault: beta ?? "none",
    later_fault: later ?? "none"
  }
})

/** The rest of the address, the status in which it makes sense, and the amount; `null`: all of it. */
export const stepOf = (step: Step, scenario: Scenario): { path: string; from: string; amount: number | null } => {
  switch (step) {
    case "capture":
      return { path: "capture", from: "authorized", amount: null }
    case "capture_part":
      return { path: "capture", from: "authorized", amount: AMOUNT / 2 }
    case "cancel":
      return { path: "cancel", from: scenario.manual === true ? "authorized" : "pending", amount: null }
    case "refund":
      return { path: "refunds", from: "succeeded", amount: null }
    case "refund_part":
      return { path: "refunds", from: "succeeded", amount: AMOUNT / 4 }
  }
}
