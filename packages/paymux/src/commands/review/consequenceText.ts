/** The consequences of a resolution, as lines for a terminal. Pure. */
import type { Consequences } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { amountText } from "../amountText.ts"

export const consequenceLines = (consequences: Consequences): ReadonlyArray<string> => {
  const { acceptance, amount, captured, currency, events, overpaid, received, refunded, status } = consequences
  const money = (minorUnits: number) => amountText(minorUnits, currency)
  const changed = (name: string, { after, before }: Consequences["captured"]) =>
    before === after ? [] : [`${name}: ${money(before)}, then ${money(after)}`]
  return [
    status.before === status.after
      ? `Payment status: stays ${status.after}`
      : `Payment status: ${status.before}, then ${status.after}`,
    `Requested: ${money(amount)}`,
    ...changed("Captured", captured),
    ...changed("Refunded", refunded),
    ...changed("In excess", overpaid),
    ...(received === null ? [] : [`Received, as the events show it: ${money(received)}`]),
    `Events: ${events.length === 0 ? "none" : events.join(", ")}`,
    ...operationLines(consequences),
    ...consequences.opened.map(
      (review) => `Opens a review: ${review.reason}, ${amountText(review.amount, review.currency)}`
    ),
    ...consequences.automatic.map((action) => automaticLine(action, currency)),
    ...(acceptance === null
      ? []
      : [`Accepts ${money(acceptance.amount)} of the requested ${money(acceptance.requested)}`])
  ]
}

const operationLines = ({ currency, operations }: Consequences): ReadonlyArray<string> =>
  operations.map(
    ({ amount, kind, provider, status }) =>
      `Operation: ${kind} of ${amountText(amount, currency)} at ${provider}: ${status.before}, then ${status.after}`
  )

const automaticLine = (
  { action, amount, at, provider }: Consequences["automatic"][number],
  currency: string
): string => {
  if (action === "inquire") return `Automatic: asks ${provider} again at ${at === null ? "its next report" : iso(at)}`
  const verb = action === "refund" ? "refunds" : "releases"
  return `Automatic: ${verb} ${amountText(amount, currency)} at ${provider} with its next report, if it supports that`
}
