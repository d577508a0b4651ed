/** What an open review excuses: the charge and the amount that it names, once, and nothing else. Pure. */
import type { Discrepancy } from "./Discrepancy.ts"
import type { LedgerCharge, LedgerMovement, PaymentView, ReviewView } from "./facts.ts"
import type { Case } from "./Expectation.ts"
import { sum } from "./Expectation.ts"

/** An operator is asked to look, whatever the review says. */
export const isInReview = ({ payments }: Case): boolean => payments.some(hasReview)

export const hasReview = ({ reviews }: PaymentView): boolean => reviews.length > 0

/** A review that an operator can work with says where, and how much. */
export const isComplete = ({ reviews }: PaymentView): boolean =>
  reviews.every(({ amount, provider }) => amount !== null && provider !== null)

/** Whether a review names this movement, or the charge that it is of, with an amount. */
export const isMovementNamed = ({ payments }: Case, charge: LedgerCharge, { reference }: LedgerMovement): boolean =>
  payments.some(({ reviews }) =>
    reviews.some(
      (review) =>
        review.amount !== null &&
        review.provider === charge.provider &&
        review.reference !== null &&
        (review.reference === charge.reference || review.reference === reference)
    )
  )

/** The discrepancies that are neither named by a review nor, where a database has lost the payment, listed as unmatched. */
export const unnamed = (one: Case, discrepancies: ReadonlyArray<Discrepancy>): ReadonlyArray<Discrepancy> => {
  const reviews = one.payments.flatMap(({ reviews }) => reviews)
  const spares = new Set(reviews)
  const groups = Map.groupBy(discrepancies, ({ charge }) => charge)
  return [...groups].flatMap(([charge, group]) => {
    if (charge !== null && isListed(one, charge)) return []
    const total = sum(group, ({ amount, kind }) => (kind === "missing" ? -amount : amount))
    const named = charge === null ? [] : reviews.filter((review) => isAbout(review, charge))
    if (named.some(({ amount }) => amount === Math.abs(total)) || (named.length > 0 && sumsOf(named).has(total)))
      return []
    // Of a request that was never answered the engine cannot know the vendor's reference, or that of its order alone; nor,
    // while the outcome is unknown, any amount but the one that was asked.
    const spare = [...spares].find(
      ({ amount, provider, reason, reference }) =>
        (amount === Math.abs(total) || reason === "inquiries_exhausted") &&
        provider === group[0]?.provider &&
        (reference === null || reference === charge?.orderReference)
    )
    if (spare === undefined) return group
    spares.delete(spare)
    return []
  })
}

/**
 * What several reviews of one charge amount to: one for each movement, and those of captures and refunds on opposite
 * sides. All of them count; where one alone names the discrepancy, the others are about reports of what never happened.
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

/** A report of it whose payment the database has lost waits for an operator. */
export const isListed = ({ lostCommits, payments, unmatched }: Case, charge: LedgerCharge): boolean =>
  (payments.length === 0 || lostCommits.length > 0) &&
  unmatched.some(
    ({ amount, provider, reference }) =>
      isOf(charge, provider, reference) &&
      (amount === null || charge.movements.some(({ minorUnits }) => minorUnits === amount))
  )
