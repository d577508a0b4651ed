/** What Adyen can do for cards. */
import type { Capabilities, OperationCapability } from "@paymux/core"
import { accountHelp } from "./codes.ts"
import { transientError } from "./errors.ts"
import type { AdyenOptions } from "./options.ts"

/**
 * A POST under the same `idempotency-key` is answered with the first result, for at least 7 days. An answer with
 * `transient-error: true` is Adyen's word that nothing was done.
 */
const keyed: OperationCapability = {
  idempotency: { by: "header", lifetime: "7 days" },
  proof: [transientError]
}

/**
 * No inquiry is declared. Adyen has no endpoint that returns the outcome of a payment, a capture or a refund: its webhooks do.
 * A payment link can be asked for, but says only that it was used, and not by which payment; an inquiry declared for its
 * sake would be used for payments, too. An unknown payment waits for a webhook, then for an operator; captures,
 * cancels and refunds are sent again under the same key, which Adyen answers with the first result. A link whose time is over
 * is closed by `cancel`, which asks for it where it cannot be closed.
 */
export const capabilitiesOf = ({ reports }: Pick<AdyenOptions, "reports">): Capabilities => ({
  methods: {
    card: {
      currencies: "any",
      flows: { token: {}, hosted: {} },
      captureMethods: ["automatic", "manual"]
    }
  },
  operations: {
    // A refused payment is over. The refused attempts of a link are not reported: its payer may try again. A canceled payment is
    // never paid: webhooks come in any order, and no time is signed, so a success reported afterwards is an older report.
    create: { ...keyed, declineIsFinal: true, cancelIsFinal: true },
    // Each modification has a `pspReference` of its own, and its webhook the amount of that one alone (Checkout API v72,
    // `paymentPspReference` names the payment).
    capture: { ...keyed, partial: true, reports: "movement" },
    cancel: keyed,
    refund: { ...keyed, partial: true, reports: "movement" }
  },
  accountHelp,
  // A payment is booked when its batch is paid out, up to two weeks later; some days more for a batch that is late.
  ...(reports !== undefined && { statement: { bookedWithin: `${reports.bookedWithinDays ?? 21} days` } })
})
