/** What is different between two versions of a payment in review, in sentences for the operator. Pure. */
import { amountText } from "../../ui/amounts.ts"
import { wordOf } from "../../ui/Status.tsx"
import { resolutionWords } from "./reviewWords.ts"
import type { Resolution, ReviewedPayment } from "./reviewWords.ts"

/** What the person on this page stated. */
export interface Stated {
  readonly review: string
  readonly resolution: Resolution
  readonly evidence: string
}

/** Whether the statement resolved its review: it was applied, though its answer was lost. */
export const isApplied = (
  { evidence, resolution, review }: Stated,
  before: ReviewedPayment,
  now: ReviewedPayment
): boolean => {
  // Another review of the payment may have been resolved with the same words before.
  const statements = (reviewed: ReviewedPayment) =>
    reviewed.evidence.filter(({ document, source }) => source === "operator" && document === evidence).length
  return (
    now.resolved.findLast((answer) => answer.review === review)?.resolution === resolution &&
    statements(now) > statements(before)
  )
}

export const changesBetween = (
  before: ReviewedPayment,
  now: ReviewedPayment,
  stated: ReadonlyArray<Stated>
): ReadonlyArray<string> => [
  ...reviewChanges(before, now, stated),
  ...paymentChanges(before, now),
  ...operationChanges(before, now),
  ...(now.evidence.length > before.evidence.length
    ? [`New reports or statements: ${now.evidence.length - before.evidence.length}.`]
    : [])
]

const reviewChanges = (
  before: ReviewedPayment,
  now: ReviewedPayment,
  stated: ReadonlyArray<Stated>
): ReadonlyArray<string> => [
  ...before.reviews.flatMap(({ amount, currency, id, reason }) => {
    const still = now.reviews.find((review) => review.id === id)
    const name = `“${wordOf(reason)}”`
    if (still !== undefined) {
      return still.amount === amount && still.currency === currency
        ? []
        : [`${name} is now about ${amountText(still.amount, still.currency)} ${still.currency}.`]
    }
    const answer = now.resolved.findLast(({ review }) => review === id)
    if (answer === undefined) return [`${name} has closed: the provider reported the outcome.`]
    const isOwn = stated.some((statement) => statement.review === id && isApplied(statement, before, now))
    return [`${isOwn ? "You" : "Someone else"} resolved ${name} as “${resolutionWords[answer.resolution]}”.`]
  }),
  ...now.reviews
    .filter(({ id }) => before.reviews.every((review) => review.id !== id))
    .map(({ reason }) => `A new review is open: “${wordOf(reason)}”.`)
]

const paymentChanges = (
  { payment: before }: ReviewedPayment,
  { payment: now }: ReviewedPayment
): ReadonlyArray<string> => [
  ...(before.status === now.status ? [] : [`The payment was ${before.status}, and is now ${now.status}.`]),
  ...(
    [
      ["captured", before.amount_captured, now.amount_captured],
      ["refunded", before.amount_refunded, now.amount_refunded],
      ["received", before.amount_received ?? 0, now.amount_received ?? 0],
      ["overpaid", before.overpayment ?? 0, now.overpayment ?? 0]
    ] as const
  ).flatMap(([name, was, is]) =>
    was === is
      ? []
      : [`Amount ${name}: ${amountText(was, now.currency)}, now ${amountText(is, now.currency)} ${now.currency}.`]
  )
]

const operationChanges = (before: ReviewedPayment, now: ReviewedPayment): ReadonlyArray<string> =>
  now.operations.flatMap(({ id, kind, status }) => {
    const former = before.operations.find((operation) => operation.id === id)
    if (former === undefined) return [`A new ${kind} was started.`]
    return former.status === status
      ? []
      : [`A ${kind} was ${wordOf(former.status).toLowerCase()}, and is now ${wordOf(status).toLowerCase()}.`]
  })
