/** How payments ended, over time. */
import { LineChart, StackedBars } from "../../charts/lazyCharts.tsx"
import { stepsOf } from "../../charts/steps.ts"
import { Change } from "../../statistics/Change.tsx"
import { outcomeSeries, paymentOutcomes, rateSeries } from "../../statistics/outcomes.ts"
import type { Period } from "../../statistics/period.ts"
import { useSeries, useTotals } from "../../statistics/reads.ts"
import { compactText, numberOf, rateText } from "../../statistics/texts.ts"
import { Figure } from "../../statistics/Figure.tsx"
import { Skeleton } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { ProblemNote } from "../../ui/Problem.tsx"

/** Two cards, as they will stand: beside each other, or one below the other, where the first legend has two lines. */
const Waiting = () => (
  <div className="grid gap-3 lg:grid-cols-2">
    <Skeleton className="h-76.5 w-full sm:h-72" />
    <Skeleton className="h-72 w-full" />
  </div>
)

export const Outcomes = ({ period }: { readonly period: Period }) => {
  const { data, error, refetch } = useTotals({ of: "payments" }, period)
  const before = useTotals({ of: "payments" }, period.before).data?.groups[0]
  const series = useSeries({ of: "payments" }, period)
  if (data === undefined || series.data === undefined) {
    const problem = error ?? series.error
    if (problem === null) return <Waiting />
    return <ProblemNote error={problem} onRetry={() => void Promise.all([refetch(), series.refetch()])} />
  }
  const [now] = data.groups
  const rate = numberOf(now?.successRate ?? null)
  const starts = stepsOf(period.from, period.until, period.step)
  const { points } = series.data
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <Figure
        title="Payments"
        value={countText(now?.count ?? 0)}
        change={<Change now={now?.count ?? 0} before={before?.count ?? null} />}
      >
        <StackedBars
          title="Payments by status"
          starts={starts}
          step={period.step}
          series={outcomeSeries(paymentOutcomes, points, starts)}
          format={compactText}
        />
      </Figure>
      <Figure
        title="Success rate"
        value={rate === null ? "–" : rateText(rate)}
        change={<Change now={rate} before={numberOf(before?.successRate ?? null)} of="rate" />}
      >
        <LineChart
          title="Success rate of payments"
          starts={starts}
          step={period.step}
          series={[rateSeries(points, starts)]}
          format={rateText}
          highest={1}
        />
      </Figure>
    </div>
  )
}
