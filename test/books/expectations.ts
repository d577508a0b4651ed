/** What the books of a payment have to agree with, written from the rules and from the vendor's ledger alone. */
import { chargesOf, overpayment } from "../../packages/core/src/domain/books/balance.ts"
import type { PaymentRecord } from "../../packages/core/src/domain/Payment.ts"
import { dueReversals } from "../../packages/core/src/domain/books/reversal.ts"
import { sumOf } from "./BookHistory.ts"
import type { BookHistory } from "./BookHistory.ts"

const excess = ({ payment }: PaymentRecord, isAbout: (reason: string) => boolean): number =>
  payment.reviews.reduce((sum, { minorUnits, reason }) => (isAbout(reason) ? sum + minorUnits : sum), 0)

const isExcess = (reason: string): boolean => reason === "excess_capture" || reason === "duplicate_capture"

const captured = (record: PaymentRecord): number =>
  record.attempts.reduce(
    (sum, attempt) => sum + chargesOf(record, attempt).reduce((all, charge) => all + charge.captured, 0),
    0
  )

/** What was reported never comes to more than what moved. */
export const neverMoreThanMoved = ({ seed, steps }: BookHistory): ReadonlyArray<string> =>
  steps.flatMap(({ ledger, record }, place) => {
    const { amountRefunded } = record.payment
    return [
      ...(captured(record) > sumOf(ledger, "captured")
        ? [`seed ${seed}, step ${place}: ${captured(record)} in the books, ${sumOf(ledger, "captured")} captured`]
        : []),
      ...(amountRefunded > sumOf(ledger, "refunded")
        ? [
            `seed ${seed}, step ${place}: ${amountRefunded} refunded in the books, ${sumOf(ledger, "refunded")} by the vendor`
          ]
        : [])
    ]
  })

/** Once every report has arrived, the public amounts and the reviews account for every unit that moved. */
export const everyUnitIsAccountedFor = ({ ledger, seed, steps }: BookHistory): ReadonlyArray<string> => {
  const last = steps.at(-1)
  if (last === undefined) return []
  const { record } = last
  const { amountCaptured, amountRefunded, state } = record.payment
  const [took, gave] = [sumOf(ledger, "captured"), sumOf(ledger, "refunded")]
  const excessRefunds = excess(record, (reason) => reason === "excess_refund")
  const over = overpayment(record)
  return [
    ...(took > 0 && state.status !== "succeeded" ? [`${took} captured, and the payment is ${state.status}`] : []),
    ...(captured(record) === took ? [] : [`${took} captured, ${captured(record)} in the books`]),
    ...(amountCaptured - Math.min(amountCaptured, amountRefunded) + over - excessRefunds === took - gave
      ? []
      : [`the vendor keeps ${took - gave}: ${amountCaptured} captured, ${amountRefunded} refunded, ${over} overpaid`]),
    ...(excess(record, isExcess) === over ? [] : [`${over} overpaid, ${excess(record, isExcess)} in reviews`]),
    ...(amountRefunded + excessRefunds === gave
      ? []
      : [`${gave} refunded, ${amountRefunded} shown and ${excessRefunds} in reviews`])
  ].map((text) => `seed ${seed}: ${text}`)
}

/** Of a vendor that does everything once nothing is ever too much. */
export const correctMoneyStays = ({ seed, steps }: BookHistory): ReadonlyArray<string> =>
  steps.flatMap(({ record }, place) =>
    overpayment(record) === 0 &&
    dueReversals(record).length === 0 &&
    excess(record, (reason) => isExcess(reason) || reason === "excess_refund") === 0
      ? []
      : [`seed ${seed}, step ${place}: ${overpayment(record)} overpaid, ${JSON.stringify(record.payment.reviews)}`]
  )
