/** What the books say about the money of a payment. */
import { TenantLink } from "../../../session/TenantLink.tsx"
import { Section } from "../../../ui/Layout.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Note } from "../../../ui/Problem.tsx"
import type { PaymentDetails } from "../paymentText.ts"

export const PaymentBalance = ({ details }: { readonly details: PaymentDetails }) => {
  const { balance, payment } = details
  const { currency } = balance
  const disputed = payment.amount_disputed ?? 0
  const returned = balance.refunded + balance.refunding + balance.refundedElsewhere
  const remaining = Math.max(0, balance.captured - returned - disputed)
  const shown: ReadonlyArray<readonly [name: string, amount: number]> = [
    ["Captured", balance.captured],
    ["Refunded", balance.refunded],
    ...optional("Being refunded", balance.refunding),
    ...optional("Refunded outside of Paymux", balance.refundedElsewhere),
    ...optional("Disputed", disputed),
    ...optional("Held", balance.held),
    ...optional("Overpaid", balance.overpaid),
    ...optional("Being returned", balance.returning),
    ["Remaining", remaining]
  ]
  return (
    <Section title="Balance">
      <dl className="flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line">
        {shown.map(([name, amount]) => (
          <div key={name} className="min-w-32 flex-1 bg-raised px-4 py-3">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="mt-0.5 font-medium">
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      {balance.inQuestion.length > 0 && (
        <Note tone="warn">
          <p className="flex flex-wrap items-center gap-x-2">
            In question:
            {balance.inQuestion.map(({ amount, currency: other, review }) => (
              <Money key={review} amount={amount} currency={other} />
            ))}
            <TenantLink path={`reviews/${payment.id}`}>Open the review</TenantLink>
          </p>
        </Note>
      )}
    </Section>
  )
}

const optional = (name: string, amount: number) => (amount === 0 ? [] : [[name, amount] as const])
