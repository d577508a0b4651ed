/** What a backtest found. */
import type { ReactNode } from "react"
import type { Schemas } from "../../api/client.ts"
import { Id } from "../../ui/Copy.tsx"
import { Card, Empty, Section } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { Note } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { Acceptance, Changes, NoRoute } from "./BacktestChanges.tsx"
import { Costs, Moved, Rules } from "./BacktestTables.tsx"
import { percentText, rangeText, Rate, RateChange } from "./figures.tsx"

type Result = NonNullable<Schemas["Backtest"]["result"]>

export const BacktestResult = ({ moved, report }: Result) => {
  if (report.payments === 0) {
    return (
      <Empty title="No payments in this period">
        <p>Choose a longer period, or another account or mode.</p>
      </Empty>
    )
  }
  return (
    <>
      <Summary report={report} />
      {report.noRoute.payments > 0 && <NoRoute report={report} />}
      <Changes report={report} />
      <Acceptance report={report} />
      <Costs report={report} />
      <Rules report={report} />
      <Moved moved={moved} total={report.changes.payments} />
    </>
  )
}

const Summary = ({ report }: Pick<Result, "report">) => {
  const { acceptance, changes, noRoute, payments, period, ruleset } = report
  return (
    <Section title="Result">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure title="Payments replayed" value={countText(payments)} />
        <Figure
          title="Would go elsewhere"
          value={countText(changes.payments)}
          detail={`${percentText(changes.share)} of them`}
        />
        <Figure
          title="Expected acceptance"
          value={<Rate rate={acceptance.after.rate} />}
          detail={
            <>
              <RateChange before={acceptance.before.rate} after={acceptance.after.rate} />
              {acceptance.after.range !== null && <> · {rangeText(acceptance.after.range)}</>}
            </>
          }
        />
        <Figure
          title="Without a route"
          value={countText(noRoute.payments)}
          detail={`${percentText(noRoute.share)} of them`}
        />
      </div>
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        {period !== null && (
          <>
            <span>
              Payments from <Time at={period.from} /> to <Time at={period.to} />
            </span>
            <span aria-hidden>·</span>
          </>
        )}
        <span>Ruleset</span> <Id id={ruleset} label="Copy ruleset" />
      </p>
      {acceptance.after.coverage < 1 && (
        <Note tone="warn">
          <p>
            {percentText(1 - acceptance.after.coverage)} of these payments are of a kind that the provider of the draft
            has never had. They are left out of the expected rate.
          </p>
        </Note>
      )}
      <Note tone="info">
        <p>
          The result at another provider is an estimate, from its own attempts in the period; payments that would begin
          with the same provider keep their results. Compare “before” with “after”: both are of the same payments.
          Failover is replayed, circuit breakers are not.
          {report.usesLearnedRates && " Success rates are rebuilt from the payments of this account and mode alone."}
        </p>
      </Note>
    </Section>
  )
}

interface FigureProps {
  readonly title: string
  readonly value: ReactNode
  readonly detail?: ReactNode
}

const Figure = ({ detail, title, value }: FigureProps) => (
  <Card className="p-3">
    <p className="text-xs text-muted">{title}</p>
    <p className="numbers text-xl font-semibold">{value}</p>
    {detail !== undefined && <p className="numbers text-xs text-muted">{detail}</p>}
  </Card>
)
