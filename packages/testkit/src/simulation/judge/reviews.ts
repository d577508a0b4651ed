/** What an open review excuses: exactly the charge and the amount that it names, and nothing else. Pure. */
import type { LedgerCharge, PaymentView, ReviewView } from "./facts.ts"
import type { Case } from "./Law.ts"
import type { Discrepancy } from "./discrepancies.ts"

/** Somebody is asked to look, whatever the review says. */
export const isInReview = ({ payments }: Case): boolean => payments.some(hasReview)

export const hasReview = ({ review, reviews }: PaymentView): boolean =>
  (review ?? null) !== null || (reviews ?? []).length > 0

/** A review that an operator can work with says where, and how much. */
export const isComplete = (payment: PaymentView): boolean =>
  !hasReview(payment) ||
  ((payment.reviews ?? []).length > 0 &&
    (payment.reviews ?? []).every(({ amount, provider }) => amount !== null && provider !== null))

/**
 * By a review with the charge and the amount; or, for a charge whose payment a database has lost, by the list of
 * unmatched reports.
 */
export const isNamed = (one: Case, { amount, charge }: Discrepancy): boolean => {
  const mayBeLost = one.payments.length === 0 || one.lostCommits.length > 0
  if (mayBeLost && one.unmatched.some((each) => charge !== null && isOf(charge, each.provider, each.reference))) {
    return true
  }
  return one.payments
    .flatMap(({ reviews }) => reviews ?? [])
    .some((review) => review.amount === amount && isInCurrency(review, charge) && isAbout(review, charge))
}

const isInCurrency = ({ currency }: ReviewView, charge: LedgerCharge | null): boolean =>
  (currency ?? null) === null || charge === null || currency === charge.currency

/** Of a request that was never answered the engine cannot know the vendor's reference. */
const isAbout = ({ provider, reason, reference }: ReviewView, charge: LedgerCharge | null): boolean =>
  charge === null ||
  isOf(charge, provider, reference) ||
  (provider === charge.provider && reference === null && reason === "inquiries_exhausted")

/** The vendor's name for the charge, or for one of its movements. */
const isOf = (charge: LedgerCharge, provider: string | null, reference: string | null): boolean =>
  provider === charge.provider &&
  reference !== null &&
  (reference === charge.reference || charge.movements.some((movement) => movement.reference === reference))
