/** What success rates are learned by. */
import type { NewPayment, Rail } from "@paymux/core"
import { issuer } from "@paymux/core/store"
import type { Facts } from "../Facts.ts"

/** From the widest part to the narrowest. `null`: not known, and left out. */
export interface Segment {
  readonly rail: Rail
  readonly currency: string
  readonly network: string | null
  readonly country: string | null
  /** The BIN of a card, or the handle of a UPI id. */
  readonly issuer: string | null
}

/** Of a payment that is decided. */
export const segmentOf = (facts: Facts): Segment => ({
  rail: facts.payment_method,
  currency: facts.currency,
  network: facts["card.network"],
  country: facts["card.country"],
  issuer: facts.issuer
})

/** Of a payment that was made. */
export const segmentOfPayment = ({ amount, method }: NewPayment): Segment => ({
  rail: method.rail,
  currency: amount.currency,
  network: method.rail === "card" ? method.network : null,
  country: method.rail === "card" ? method.country : null,
  issuer: issuer(method)
})
