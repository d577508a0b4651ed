/** Payments at the provider of the report, of its amount, from the days before it. */
import { useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Foreign, SkeletonLines } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { contactText } from "../payments/paymentText.ts"
import type { Report } from "./reportWords.ts"

interface SuggestionsProps {
  readonly report: Report
  readonly onChoose: (paymentId: string) => void
}

const before = 7 * 86_400_000
const clocks = 600_000

export const Suggestions = ({ onChoose, report }: SuggestionsProps) => {
  const path = useTenant()
  const { amount, currency, occurredAt, provider, receivedAt } = report
  const isKnown = amount !== null && currency !== null
  const at = occurredAt ?? receivedAt
  const { data } = useGet(
    "/dashboard/api/{account}/{mode}/payments",
    {
      path,
      query: {
        provider: [provider],
        currency: [currency ?? ""],
        amountMin: String(amount),
        amountMax: String(amount),
        from: String(Math.max(0, at - before)),
        until: String(at + clocks),
        limit: "5"
      }
    },
    { enabled: isKnown }
  )
  if (!isKnown) return null
  return (
    <section aria-label="Payments that may fit" className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">Payments of this amount at this provider, in the week before</h3>
      {data === undefined && <SkeletonLines lines={2} />}
      {data?.data.length === 0 && <p className="text-sm text-muted">None.</p>}
      <ul className="flex flex-col gap-1">
        {data?.data.map((payment) => (
          <li key={payment.id}>
            <button
              type="button"
              onClick={() => onChoose(payment.id)}
              className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 rounded-md border border-line px-3 py-2 text-left text-sm hover:bg-hover"
            >
              <Money amount={payment.amount} currency={payment.currency} />
              <Status word={payment.status} />
              <span className="min-w-0 flex-1 truncate">
                <Foreign text={contactText(payment.customer)} />
              </span>
              <Time at={payment.created_at} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
