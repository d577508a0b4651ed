/** UPI at Cashfree: what it takes and can do. */
import type { Capabilities, OperationCapability } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { codes } from "./codes.ts"
import { type CashfreeOptions, payWithin } from "./options.ts"

export const capabilities = (options: CashfreeOptions): Capabilities => ({
  methods: {
    upi: {
      currencies: ["INR"],
      // A link holds no funds.
      flows: { ...(options.s2s === true && { intent: {}, qr: {} }), hosted: { captureMethods: ["automatic"] } },
      // One rupee: `order_amount` of the vendor's specification.
      amounts: [{ currency: "INR", min: "1.00" }],
      // `customer_phone` has ten digits and no country code.
      phoneCodes: ["+91"],
      ...(options.preauthorization === true && { captureMethods: ["automatic", "manual"] })
    }
  },
  operations: {
    create: {
      ...repeatable,
      inquiry: {
        by: "reference",
        // No payer can start after the order's expiry, also if the order itself was made late.
        notFoundIsFinalAfter: payWithin(options) + margin
      },
      // An order stays open after a failed payment, and a bank may report a success days after it.
      declineIsFinal: false,
      // Each order of a link is a charge, which is inquired about and refunded by its own id.
      chargesByReference: true,
      abandonedAfter: payWithin(options) + margin
    },
    // Whole amounts only: a mandate is executed once, and a UPI payment is not captured in part.
    // It has no record of its own: the payment's `authorization.captured_amount` is all that was captured (API 2025-01-01,
    // `PaymentEntity`).
    ...(options.preauthorization === true && { capture: { ...repeatable, reports: "total" } }),
    cancel: repeatable,
    // Each has our `refund_id` and its own `refund_amount` (`RefundEntity`).
    refund: { ...repeatable, partial: true, reports: "movement" }
  },
  accountHelp: Codes.accountHelp(codes),
  // An event keeps its time if it succeeds later. How soon it is listed is not published.
  statement: { bookedWithin: "14 days" }
})

/**
 * `order_id`, `link_id` and `refund_id` are ours, and a second one is refused; an order is captured and terminated once. Keys
 * (`x-idempotency-key`) are sent as well, but their lifetime is not published, so the adapter does not rely on them.
 */
const repeatable: OperationCapability = { idempotency: { by: "reference" }, inquiry: { by: "reference" } }

/** ms; for clocks that differ, and payments that were begun in the last second. */
const margin = 10 * 60_000
