/** What an open review excuses: the charge and the amount that it names, once, and nothing else. Pure. */
import type { Discrepancy } from "./Discrepancy.ts"
import type { LedgerCharge, PaymentView, ReviewView } from "./facts.ts"
import type { Case } from "./Law.ts"
import { sum } from "./Law.ts"

/** An operator is asked to look, whatever the review says. */
export const isInReview = ({ payments }: Case): boolean => payments.some(hasReview)

export const hasReview = ({ review, reviews }: PaymentView): boolean =>
  (review ?? null) !== null || (reviews ?? []).length > 0

/**
 * The API shows one reason and no items: what it is about cannot be read from it. `reviewsNameTheCharge` counts these;
 * as soon as the API lists items, a review is read by what it names alone.
 */
export const isInUnreadableReview = ({ payments }: Case): boolean =>
  payments.some(({ review, reviews }) => reviews === undefined && (review ?? null) !== null)

/** A review that an operator can work with says where, and how much. */
export const isComplete = (payment: PaymentView): boolean =>
  !hasReview(payment) ||
  ((payment.reviews ?? []).length > 0 &&
    (payment.reviews ?? []).every(({ amount, provider }) => amount !== null && provider !== null))

/** The discrepancies that are neither named by a review nor, where a database has lost the payment, listed as unmatched. */
export const unnamed = (one: Case, discrepancies: ReadonlyArray<Discrepancy>): ReadonlyArray<Discrepancy> => {
  const reviews = one.payments.flatMap((payment) => payment.reviews ?? [])
  const withoutReference = new Set(reviews.filter(({ reference }) => reference === null))
  const groups = Map.groupBy(discrepancies, ({ charge }) => charge)
  return [...groups].flatMap(([charge, group]) => {
    if (charge !== null && isListed(one, charge)) return []
    const total = sum(group, ({ amount, kind }) => (kind === "missing" ? -amount : amount))
    const named = charge === null ? [] : reviews.filter((review) => isAbout(review, charge))
    if (named.length > 0 && sumsOf(named).has(total)) return []
    // Of a request that was never answered the engine cannot know the vendor's reference.
    const [spare] = [...withoutReference].filter(
      ({ amount, provider }) => amount === Math.abs(total) && provider === group[0]?.provider
    )
    if (spare === undefined) return group
    withoutReference.delete(spare)
    return []
  })
}

/**
 * What several reviews of one charge amount to: one for each movement, and those of captures and refunds on opposite
 * sides. All of them count.
 */
const sumsOf = (reviews: ReadonlyArray<ReviewView>): ReadonlySet<number> =>
  reviews.reduce<ReadonlySet<number>>(
    (sums, { amount }) => new Set([...sums].flatMap((each) => [each + (amount ?? 0), each - (amount ?? 0)])),
    new Set([0])
  )

const isAbout = ({ currency, provider, reference }: ReviewView, charge: LedgerCharge): boolean =>
  isOf(charge, provider, reference) && ((currency ?? null) === null || currency === charge.currency)

/** The vendor's name for the charge, or for one of its movements. */
const isOf = (charge: LedgerCharge, provider: string | null, reference: string | null): boolean =>
  provider === charge.provider &&
  reference !== null &&
  (reference === charge.reference || charge.movements.some((movement) => movement.reference === reference))

const isListed = ({ lostCommits, payments, unmatched }: Case, charge: LedgerCharge): boolean =>
  (payments.length === 0 || lostCommits.length > 0) &&
  unmatched.some(
    ({ amount, provider, reference }) =>
      isOf(charge, provider, reference) &&
      (amount === null || charge.movements.some(({ minorUnits }) => minorUnits === amount))
  )
