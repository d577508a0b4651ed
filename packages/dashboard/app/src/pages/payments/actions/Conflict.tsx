/** The payment was changed meanwhile by another person or by a report: what is different now. */
import { Button } from "../../../ui/Button.tsx"
import { amountText } from "../../../ui/amounts.ts"
import { Note } from "../../../ui/Problem.tsx"
import { wordOf } from "../../../ui/Status.tsx"
import type { ActionOffer, PaymentDetails } from "../paymentText.ts"

interface ConflictProps {
  readonly kind: ActionOffer["kind"]
  readonly before: PaymentDetails
  readonly now: PaymentDetails
  readonly onContinue: () => void
}

export const Conflict = ({ before, kind, now, onContinue }: ConflictProps) => {
  const offer = offerOf(now, kind)
  return (
    <Note tone="warn" role="alert">
      <p className="font-medium">The payment has changed since you opened this</p>
      <p>Nothing was requested. This is different now:</p>
      <table className="w-full text-left">
        <thead>
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              <span className="sr-only">What</span>
            </th>
            <th scope="col" className="py-1 pr-3 text-right font-medium">
              Before
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Now
            </th>
          </tr>
        </thead>
        <tbody className="numbers">
          {differences(before, now, kind).map(([name, was, is]) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 pr-3 font-normal">
                {name}
              </th>
              <td className="py-0.5 pr-3 text-right">{was}</td>
              <td className="py-0.5 text-right font-medium">{is}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {offer !== undefined && isPossible(offer) ? (
        <Button onClick={onContinue}>Continue with the payment as it is now</Button>
      ) : (
        <p>{offer?.refusal ?? "It cannot be requested any more."}</p>
      )}
    </Note>
  )
}

export const offerOf = ({ actions }: PaymentDetails, kind: ActionOffer["kind"]): ActionOffer | undefined =>
  actions.find((action) => action.kind === kind)

/** Also if it is possible with evidence alone. */
export const isPossible = ({ amount, override }: ActionOffer): boolean => amount !== null || override !== null

type Difference = readonly [name: string, before: string, now: string]

const differences = (
  before: PaymentDetails,
  now: PaymentDetails,
  kind: ActionOffer["kind"]
): ReadonlyArray<Difference> => {
  const both = (name: string, of: (details: PaymentDetails) => string): Difference => [name, of(before), of(now)]
  const money = (name: string, of: (details: PaymentDetails) => number) =>
    both(name, (details) => `${amountText(of(details), details.balance.currency)} ${details.balance.currency}`)
  const rows = [
    both("Status", ({ payment }) => wordOf(payment.status)),
    money("Captured", ({ balance }) => balance.captured),
    money("Refunded", ({ balance }) => balance.refunded),
    money("Being refunded", ({ balance }) => balance.refunding),
    money("Refunded outside of Paymux", ({ balance }) => balance.refundedElsewhere),
    money("Disputed", ({ payment }) => payment.amount_disputed ?? 0),
    money("Held", ({ balance }) => balance.held),
    both("Open reviews", ({ payment }) => String(payment.reviews.length)),
    money(`Most you can ${kind}`, (details) => offerOf(details, kind)?.amount ?? 0)
  ]
  const changed = rows.filter(([, was, is]) => was !== is)
  return changed.length > 0 ? changed : [both("Version", ({ version }) => String(version))]
}
