/** What the simulated providers of each rail can do. */
import type { Capabilities, OperationCapability, Rail } from "@paymux/core"
import { stablecoins } from "./Stablecoins.ts"

const asked: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference" }
}

/** Captures and refunds: each has a reference of its own, and is reported with its own amount. */
const moving: OperationCapability = { ...asked, partial: true, reports: "movement" }

/** The book is written before anything is answered, so that "not found" could be final at once; real ones are slower. */
const created: OperationCapability = {
  ...asked,
  inquiry: { by: "reference", notFoundIsFinalAfter: "30 seconds" }
}

export const capabilities: { readonly [rail in Rail]: Capabilities } = {
  upi: {
    methods: {
      upi: {
        currencies: ["INR"],
        flows: { intent: {}, qr: {}, collect: {} },
        // NPCI's limit of ₹1,00,000 for payments to a merchant.
        amount: { max: 10_000_000 }
      }
    },
    operations: {
      create: { ...created, declineIsFinal: false },
      // An unpaid intent or QR code can be closed. (An address on a chain cannot: it stays payable for ever.)
      cancel: asked,
      refund: moving
    }
  },
  card: {
    methods: { card: { currencies: "any", flows: { token: {}, hosted: {} }, captureMethods: ["automatic", "manual"] } },
    operations: {
      create: { ...created, declineIsFinal: true },
      capture: moving,
      cancel: asked,
      refund: moving
    }
  },
  stablecoin: {
    methods: {
      stablecoin: {
        currencies: "any",
        flows: { transfer: {} },
        assets: stablecoins.map(({ asset, network }) => ({ asset, network }))
      }
    },
    operations: { create: { ...created, declineIsFinal: false } }
  }
}
