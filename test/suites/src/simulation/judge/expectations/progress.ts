/** Every payment ends or is looked at, and its events show each step. */
import { hasReview } from "../reviews.ts"
import type { EventView, PaymentView } from "../facts.ts"
import { notJudged, verdict } from "../Expectation.ts"
import type { Case, Expectation } from "../Expectation.ts"

/** Once faults have stopped nothing is left open, unless the vendor itself still waits or an operator is asked. */
export const everythingEnds: Expectation = (one) =>
  verdict(
    one.payments.length,
    one.payments.flatMap((payment) => openParts(one, payment))
  )

const openParts = ({ charges, refunds }: Case, payment: PaymentView): ReadonlyArray<string> => {
  if (hasReview(payment)) return []
  const isAwaited = charges.some(({ isWaiting }) => isWaiting)
  return [
    ...(payment.status === "pending" && !isAwaited ? ["the payment stays pending"] : []),
    ...payment.operations
      .filter(({ kind, status }) => status === "pending" && !(kind === "cancel" && isAwaited))
      .map(({ kind }) => `its ${kind} stays pending`),
    ...payment.attempts
      .filter(({ reversal }) => reversal === "pending")
      .map(({ provider }) => `its automatic refund at ${provider} stays pending`),
    ...refunds
      .filter((refund) => refund.payment === payment.id && refund.status === "pending")
      .map(({ id }) => `${id} stays pending`)
  ]
}

/** What a lost commit has written, its event included, is written again: such orders are left out. */
const unlessLost =
  (expectation: Expectation): Expectation =>
  (one) =>
    one.lostCommits.length > 0 ? notJudged : expectation(one)

/** 1, 2, 3 … for each payment. */
export const eventsAreInSequence = unlessLost(({ events, payments }) =>
  verdict(
    events.length,
    payments.map(({ id }) => {
      const sequence = events.filter(({ payment }) => payment === id).map((event) => event.sequence)
      return sequence.every((each, index) => each === index + 1) ? null : `its events are ${sequence.join(", ")}`
    })
  )
)

/** Each change of status has its event, and the last one reports the status that the API shows. */
export const eventsReportTheStatus = unlessLost(({ events, payments }) =>
  verdict(
    payments.length,
    payments.map(({ id, status }) => {
      const last = events.filter((event) => event.payment === id && reportsStatus(event)).at(-1)
      if (last === undefined) return status === "pending" ? null : `it is ${status}, and no event reports it`
      return last.type === `payment.${status}` ? null : `it is ${status}, its last event is ${last.type}`
    })
  )
)

/** Applied one after the other by their ids, the events about reviews give the reviews that the API shows. */
export const eventsReportTheReviews = unlessLost(({ events, payments }) =>
  verdict(
    events.filter(reportsReview).length,
    payments.map(({ id, reviews }) => {
      const open = new Map<string, string>()
      for (const { body, type } of events.filter((event) => event.payment === id && reportsReview(event))) {
        // Boundary: the body of an event, as it is documented.
        const { review } = (JSON.parse(body) as { readonly data: { readonly review: { readonly id: string } } }).data
        if (type === "payment.review_opened") open.set(review.id, JSON.stringify(review))
        else if (!open.delete(review.id)) return `${review.id} was resolved and had not been opened`
      }
      const [reported, shown] = [[...open.values()], reviews.map((review) => JSON.stringify(review))]
      return reported.toSorted().join() === shown.toSorted().join()
        ? null
        : `its reviews are ${shown.join()}, its events report ${reported.join()}`
    })
  )
)

const reportsReview = ({ type }: EventView): boolean => type.startsWith("payment.review_")

const statuses = ["pending", "authorized", "succeeded", "failed", "canceled"]
const reportsStatus = ({ type }: EventView): boolean => statuses.some((status) => type === `payment.${status}`)

/** A final status that was reported to the merchant changes only by a late success. */
export const finalStatusesStand = unlessLost(({ events, payments }) => {
  const findings = payments.flatMap(({ id }) => {
    const reported = events.filter((event) => event.payment === id && reportsStatus(event))
    return reported.map((event, index) => wrongChange(reported[index - 1], event))
  })
  return verdict(findings.length, findings)
})

const wrongChange = (before: EventView | undefined, { body, type }: EventView): string | null => {
  switch (before?.type) {
    case undefined:
      return null
    case type:
      return `${type} came twice`
    case "payment.pending":
      return null
    case "payment.authorized":
      return type === "payment.pending" ? `${type} came after payment.authorized` : null
    case "payment.failed":
      return type === "payment.succeeded" && body.includes('"late":true') ? null : `${type} came after payment.failed`
    default:
      return `${type} came after ${String(before?.type)}`
  }
}
