/** The refunds of a payment: the newest, with a link to all. */
import { useGet } from "../../../api/client.ts"
import { useTenant } from "../../../session/session.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { Foreign, Section } from "../../../ui/Layout.tsx"
import { Money } from "../../../ui/Money.tsx"
import { ProblemNote } from "../../../ui/Problem.tsx"
import { Status } from "../../../ui/Status.tsx"
import { Time } from "../../../ui/Time.tsx"

const shown = 5

export const PaymentRefunds = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/refunds", {
    path: useTenant(),
    query: { paymentId: id, limit: String(shown) }
  })
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section
      title="Refunds"
      actions={
        <TenantLink
          path="refunds"
          search={{ paymentId: id }}
          className="text-sm font-medium text-accent hover:underline"
        >
          All refunds
        </TenantLink>
      }
    >
      <ul className="divide-y divide-line rounded-lg border border-line">
        {data.data.map(({ amount, created_at: created, currency, id: refund, reason, status }) => (
          <li key={refund} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm">
            <TenantLink path={`refunds/${refund}`} className="min-w-28 font-medium text-accent hover:underline">
              <Money amount={amount} currency={currency} />
            </TenantLink>
            <Status word={status} />
            <span className="min-w-0 flex-1 truncate text-muted">{reason !== null && <Foreign text={reason} />}</span>
            <span className="text-muted">
              <Time at={created} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
