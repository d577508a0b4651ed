/** Every payment ends or is looked at, and its events show each step. Orders whose commits were lost are excluded. */
import { hasReview, isInUnreadableReview } from "../reviews.ts"
import type { EventView, PaymentView } from "../facts.ts"
import { notJudged, verdict } from "../Law.ts"
import type { Case, Law } from "../Law.ts"

/** Once faults have stopped nothing is left open, unless the vendor itself still waits or an operator is asked. */
export const everythingEnds: Law = (one) =>
  verdict(
    one.payments.length,
    isInUnreadableReview(one) ? [] : one.payments.flatMap((payment) => openParts(one, payment))
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

/** 1, 2, 3 … for each payment. */
export const eventsAreInSequence: Law = ({ events, lostCommits, payments }) =>
  lostCommits.length > 0
    ? notJudged
    : verdict(
        events.length,
        payments.map(({ id }) => {
          const sequence = events.filter(({ payment }) => payment === id).map((event) => event.sequence)
          return sequence.every((each, index) => each === index + 1) ? null : `its events are ${sequence.join(", ")}`
        })
      )

/** Each change of status has its event, the last one tells the status that the API shows. */
export const eventsReportTheStatus: Law = ({ events, lostCommits, payments }) =>
  lostCommits.length > 0
    ? notJudged
    : verdict(
        payments.length,
        payments.map(({ id, status }) => {
          const last = events.filter((event) => event.payment === id && reportsStatus(event)).at(-1)
          if (last === undefined) return status === "pending" ? null : `it is ${status}, and no event reports it`
          return last.type === `payment.${status}` ? null : `it is ${status}, its last event is ${last.type}`
        })
      )

const statuses = ["pending", "authorized", "succeeded", "failed", "canceled"]
const reportsStatus = ({ type }: EventView): boolean => statuses.some((status) => type === `payment.${status}`)

/** A final status that was reported to the merchant changes only by a late success. */
export const finalStatusesStand: Law = ({ events, lostCommits, payments }) => {
  if (lostCommits.length > 0) return notJudged
  const findings = payments.flatMap(({ id }) => {
    const reported = events.filter((event) => event.payment === id && reportsStatus(event))
    return reported.map((event, index) => {
      const before = reported[index - 1]?.type
      if (before === undefined || before === event.type) return before === undefined ? null : `${event.type} came twice`
      const late =
        before === "payment.failed" && event.type === "payment.succeeded" && event.body.includes('"late":true')
      return before === "payment.pending" ||
        late ||
        (before === "payment.authorized" && event.type !== "payment.pending")
        ? null
        : `${event.type} came after ${before}`
    })
  })
  return verdict(findings.length, findings)
}
