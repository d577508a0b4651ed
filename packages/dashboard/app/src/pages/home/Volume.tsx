/** What was captured in each currency. Currencies are never added up. */
import { Sparkline } from "../../charts/lazyCharts.tsx"
import { stepsOf } from "../../charts/steps.ts"
import { Change } from "../../statistics/Change.tsx"
import { volumeSeries } from "../../statistics/outcomes.ts"
import type { Period } from "../../statistics/period.ts"
import { useSeries, useTotals } from "../../statistics/reads.ts"
import type { Numbers } from "../../statistics/reads.ts"
import { Card, Empty, Section, Skeleton } from "../../ui/Layout.tsx"
import { amountText } from "../../ui/amounts.ts"
import { Money } from "../../ui/Money.tsx"
import { countText } from "../../ui/numbers.ts"
import { ProblemNote } from "../../ui/Problem.tsx"

export const Volume = ({ period }: { readonly period: Period }) => (
  <Section title="Volume" description="What was captured, by the day of the payment.">
    <Currencies period={period} />
  </Section>
)

const Currencies = ({ period }: { readonly period: Period }) => {
  const { data, error, refetch } = useTotals({ of: "payments", groupBy: "currency" }, period)
  const before = useTotals({ of: "payments", groupBy: "currency" }, period.before).data?.groups
  const points = useSeries({ of: "payments", groupBy: "currency" }, period).data?.points ?? []
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-42 w-full" />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.groups.length === 0) return <Empty title={`No payments in the last ${period.days} days`} />
  const starts = stepsOf(period.from, period.until, period.step)
  return (
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {data.groups
        .toSorted((one, other) => other.count - one.count)
        .flatMap((group) => {
          const { group: currency } = group
          if (currency === null) return []
          return [
            <li key={currency} className="min-w-0">
              <Currency
                currency={currency}
                now={group}
                before={before?.find((each) => each.group === currency)}
                days={period.days}
              >
                <Sparkline
                  title={`Volume in ${currency}`}
                  starts={starts}
                  step={period.step}
                  series={[volumeSeries(points, currency, starts)]}
                  format={(value) => amountText(value, currency)}
                />
              </Currency>
            </li>
          ]
        })}
    </ul>
  )
}

interface CurrencyProps {
  readonly currency: string
  readonly now: Numbers
  readonly before: Numbers | undefined
  readonly days: string
  readonly children: React.ReactNode
}

const Currency = ({ before, children, currency, days, now }: CurrencyProps) => (
  <Card className="flex flex-col gap-1">
    <p className="flex items-baseline justify-between gap-2">
      <span className="text-lg font-semibold">
        <Money amount={capturedOf(now, currency)} currency={currency} />
      </span>
      <Change
        now={Number(capturedOf(now, currency))}
        before={before === undefined ? null : Number(capturedOf(before, currency))}
      />
    </p>
    <p className="numbers text-xs text-muted">
      {countText(now.count)} {now.count === 1 ? "payment" : "payments"}
      {before !== undefined && (
        <>
          {" · "}
          {amountText(capturedOf(before, currency), currency)} in the {days} days before
        </>
      )}
    </p>
    {children}
  </Card>
)

const capturedOf = ({ amounts }: Numbers, currency: string): string =>
  amounts.find((each) => each.currency === currency)?.succeeded ?? "0"
