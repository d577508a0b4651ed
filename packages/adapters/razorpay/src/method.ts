/**
 * What Razorpay takes and can do over UPI. What is not declared is assumed to be the worst case: this is what Razorpay
 * documents, and nothing else.
 */
import type { Capabilities, MethodCapability, OperationCapability } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { codes } from "./codes.ts"

export interface Choices {
  /** A QR code of the intent's own link, or Razorpay's QR object. */
  readonly qr: "link" | "qr_code"
  readonly allowCollect: boolean
  readonly settlements: boolean
}

export const capabilitiesOf = (choices: Choices): Capabilities => ({
  methods: {
    upi: {
      currencies: ["INR"],
      // Razorpay publishes no maximum: it is the account's own, and its refusal is read.
      amounts: [{ currency: "INR", min: "1.00" }],
      flows: flowsOf(choices),
      // A QR object takes the money at once, and says nothing of holding it.
      captureMethods: choices.qr === "qr_code" ? ["automatic"] : ["automatic", "manual"]
    }
  },
  operations: {
    create: {
      ...repeatable,
      // Money comes by a payment in the list of its order, or by a QR code. What is not there by then was shown to no payer,
      // and a collect request is over after 10 minutes.
      inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
      // What failed may still be captured, up to days later.
      declineIsFinal: false,
      // Razorpay's time limit is 10 minutes as a rule; a QR object is closed after 20.
      abandonedAfter: "30 minutes"
    },
    // The whole payment at once, without a record of its own: the payment shows what it comes to (API reference, "Capture a
    // Payment").
    ...(choices.qr === "link" && { capture: { ...repeatable, reports: "total" } }),
    cancel: repeatable,
    // An object with an id and an `amount` of its own; the payment shows what was refunded in all ("Refund Entity").
    refund: { ...repeatable, partial: true, reports: "movement" }
  },
  accountHelp: Codes.accountHelp(codes),
  // Two working days, and the holidays of banks between them; a refund waits for the next settlement.
  ...(choices.settlements && { statement: { bookedWithin: "14 days" } })
})

/**
 * Razorpay's API for servers requires to know the payer's device. Payment Links and QR objects can be closed; an order can
 * neither be closed nor release what it holds.
 */
const onOrder = { requires: ["client.ip", "client.user_agent", "client.referer"], cancelable: false } as const

const flowsOf = ({ allowCollect, qr }: Choices): MethodCapability["flows"] => ({
  // A link cannot hold funds.
  hosted: { captureMethods: ["automatic"] },
  ...(qr === "qr_code" && { qr: {} }),
  intent: onOrder,
  ...(qr === "link" && { qr: onOrder }),
  ...(allowCollect && { collect: onOrder })
})

/**
 * What was done before is found by our reference before anything is done again, and what Razorpay does once (an order by
 * its receipt, a success of an order, a refund by its key) it refuses or repeats the second time.
 */
const repeatable: OperationCapability = {
  idempotency: { by: "reference" },
  inquiry: { by: "reference" }
}
