/** How the attempts of this account at one provider instance went. */
import { LineChart, StackedBars } from "../../charts/lazyCharts.tsx"
import { stepsOf } from "../../charts/steps.ts"
import { Change } from "../../statistics/Change.tsx"
import { Figure } from "../../statistics/Figure.tsx"
import { NumbersTable } from "../../statistics/NumbersTable.tsx"
import { attemptOutcomes, durationSeries, outcomeSeries, rateSeries } from "../../statistics/outcomes.ts"
import type { Period } from "../../statistics/period.ts"
import { useSeries, useTotals } from "../../statistics/reads.ts"
import type { Numbers, SeriesPoint } from "../../statistics/reads.ts"
import { compactText, durationText, numberOf, rateText } from "../../statistics/texts.ts"
import { Uncounted } from "../../statistics/Uncounted.tsx"
import { Section, Skeleton } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { ProblemNote } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"

interface HealthProps {
  readonly id: string
  readonly period: Period
}

export const Health = ({ id, period }: HealthProps) => {
  const asked = { of: "attempts", providers: id } as const
  const now = useTotals(asked, period)
  const before = useTotals(asked, period.before)
  const series = useSeries(asked, period)
  return (
    <>
      <Section
        title="Health"
        description={`Attempts of this account in the last ${period.days} days, compared with the ${period.days} days before.`}
      >
        <Uncounted since={now.data?.uncountedSince} />
        {now.data === undefined || series.data === undefined ? (
          <HealthProblem queries={[now, series]} />
        ) : (
          <Figures
            now={now.data.groups[0]}
            before={before.data?.groups[0]}
            points={series.data.points}
            period={period}
          />
        )}
      </Section>
      <FailureCodes id={id} period={period} />
    </>
  )
}

interface Query {
  readonly error: unknown
  readonly refetch: () => unknown
}

const HealthProblem = ({ queries }: { readonly queries: ReadonlyArray<Query> }) => {
  const error = queries.find((query) => query.error !== null)?.error ?? null
  return error === null ? (
    <Skeleton className="h-72 w-full" />
  ) : (
    <ProblemNote error={error} onRetry={() => void Promise.all(queries.map(({ refetch }) => refetch()))} />
  )
}

interface FiguresProps {
  readonly now: Numbers | undefined
  readonly before: Numbers | undefined
  readonly points: ReadonlyArray<SeriesPoint>
  readonly period: Period
}

const Figures = ({ before, now, period, points }: FiguresProps) => {
  const starts = stepsOf(period.from, period.until, period.step)
  const chart = { starts, step: period.step }
  const rate = numberOf(now?.successRate ?? null)
  const [p50, p95] = [numberOf(now?.duration?.p50 ?? null), numberOf(now?.duration?.p95 ?? null)]
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <Figure
        title="Success rate"
        value={rate === null ? "–" : rateText(rate)}
        change={<Change now={rate} before={numberOf(before?.successRate ?? null)} of="rate" />}
      >
        <LineChart
          {...chart}
          title="Success rate of attempts"
          series={[rateSeries(points, starts)]}
          format={rateText}
          highest={1}
        />
      </Figure>
      <Figure
        title="Duration, p50 / p95"
        value={p50 === null || p95 === null ? "–" : `${durationText(p50)} / ${durationText(p95)}`}
      >
        <LineChart
          {...chart}
          title="Duration of attempts"
          series={durationSeries(points, starts)}
          format={durationText}
        />
      </Figure>
      <div className="min-w-0 lg:col-span-2">
        <Figure
          title="Attempts"
          value={countText(now?.count ?? 0)}
          change={<Change now={now?.count ?? 0} before={before?.count ?? null} />}
        >
          <StackedBars
            {...chart}
            title="Attempts by outcome"
            series={outcomeSeries(attemptOutcomes, points, starts)}
            format={compactText}
          />
        </Figure>
      </div>
    </div>
  )
}

const FailureCodes = ({ id, period }: HealthProps) => {
  const query = useTotals({ of: "attempts", providers: id, groupBy: "failureCode" }, period)
  return (
    <Section title="Failure codes" description="Of attempts that did not succeed, most frequent first.">
      <NumbersTable
        label="Failure codes of attempts"
        query={query}
        groups={(query.data?.groups ?? []).filter(({ group }) => group !== null)}
        empty={`No attempt has a failure code in the last ${period.days} days`}
        columns={[
          { title: "Code", cell: ({ group }) => wordOf(group ?? "") },
          { title: "Attempts", align: "right", cell: ({ count }) => countText(count) },
          {
            title: "Outcomes",
            align: "right",
            cell: ({ outcomes }) =>
              Object.entries(outcomes)
                .map(([status, count]) => `${wordOf(status)} ${countText(count)}`)
                .join(", ")
          }
        ]}
      />
    </Section>
  )
}
