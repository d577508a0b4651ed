/** UPI at Cashfree: what it takes and can do, and what a session gives the payer to do. */
import type { Capabilities, NextAction, OperationCapability, ProviderOperation, Upi } from "@paymux/core"
import { type CashfreeOptions, payWithin } from "./options.ts"
import type * as Wire from "./wire.ts"

export const capabilities = (options: CashfreeOptions): Capabilities => ({
  methods: {
    upi: {
      currencies: ["INR"],
      flows: { intent: {}, qr: {} },
      // One rupee: `order_amount` of the vendor's specification.
      amount: { min: 100 },
      ...(options.preauthorization === true && { captureMethods: ["automatic", "manual"] })
    }
  },
  operations: {
    create: {
      ...repeatable,
      inquiry: {
        by: "reference",
        // Nobody can begin to pay after the order's expiry, also if the order itself was made late.
        notFoundIsFinalAfter: payWithin(options) + margin
      },
      // An order stays open after a failed payment, and a bank may report a success days after it.
      declineIsFinal: false,
      abandonedAfter: payWithin(options) + margin
    },
    // Whole amounts only: a mandate is executed once, and a UPI payment is not captured in part.
    ...(options.preauthorization === true && { capture: repeatable }),
    cancel: repeatable,
    refund: { ...repeatable, partial: true }
  }
})

/**
 * `order_id` and `refund_id` are ours, and a second one is refused; an order is captured and terminated once. Keys
 * (`x-idempotency-key`) are sent as well, but nobody publishes how long they live, so nothing is built on them.
 */
const repeatable: OperationCapability = { idempotency: { by: "reference" }, inquiry: { by: "reference" } }

/** ms; for clocks that differ, and payments that were begun in the last second. */
const margin = 10 * 60_000

/** A session's `channel`. */
export const channelOf = ({ method }: ProviderOperation): "link" | "qrcode" | null => {
  if (method.rail !== "upi") return null
  return channels[method.flow]
}

/** UPI Collect is deprecated by NPCI, and not declared. */
const channels: { readonly [flow in Upi["flow"]]: "link" | "qrcode" | null } = {
  intent: "link",
  qr: "qrcode",
  collect: null
}

/** The payer is shown the vendor's link as it is: it must not be altered. */
export const nextActionOf = ({ payload }: Wire.SessionData, expiresAt: number | null): NextAction =>
  "qrcode" in payload
    ? { type: "upi_qr", payload: payload.default ?? null, image: payload.qrcode, expiresAt }
    : { type: "upi_intent", uri: payload.default, expiresAt }
