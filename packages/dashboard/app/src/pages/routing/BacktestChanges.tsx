/** Which providers and rules take payments from which, and what that does to acceptance. */
import type { Schemas } from "../../api/client.ts"
import { Foreign, Section } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { wordOf } from "../../ui/Status.tsx"
import { percentText, ProviderName, RangedRate, Rate, RateChange, scaleOf } from "./figures.tsx"
import { Table } from "./Table.tsx"

type Report = Schemas["BacktestReport"]

interface ReportProps {
  readonly report: Report
}

export const NoRoute = ({ report: { noRoute } }: ReportProps) => (
  <Section title="No route" description="Payments that no provider of the deciding rule can take, and why.">
    <Table
      label="Why no provider can take them"
      rows={noRoute.dropped}
      columns={[
        { title: "Rule", cell: ({ rule }) => <Foreign text={rule} /> },
        { title: "Provider", cell: ({ provider }) => <ProviderName provider={provider} /> },
        { title: "Reason", cell: ({ reason }) => wordOf(reason) },
        { title: "Payments", align: "right", cell: ({ payments }) => countText(payments) }
      ]}
    />
  </Section>
)

export const Changes = ({ report: { changes } }: ReportProps) => (
  <Section title="Changes" description="By the provider that is tried first, and by the rule that decides.">
    <div className="grid gap-3 lg:grid-cols-2">
      <Table
        label="Changes by provider"
        rows={changes.providers}
        columns={[
          { title: "Provider before", cell: ({ before }) => <ProviderName provider={before} /> },
          { title: "Provider after", cell: ({ after, before }) => <After same={before === after} provider={after} /> },
          { title: "Payments", align: "right", cell: ({ payments }) => countText(payments) }
        ]}
      />
      <Table
        label="Changes by rule"
        rows={changes.rules}
        columns={[
          { title: "Rule before", cell: ({ before }) => <Foreign text={before} /> },
          {
            title: "Rule after",
            cell: ({ after, before }) => (after === before ? <Unchanged /> : <Foreign text={after} />)
          },
          { title: "Payments", align: "right", cell: ({ payments }) => countText(payments) }
        ]}
      />
    </div>
  </Section>
)

const Unchanged = () => <span className="text-muted">The same</span>

const After = ({ provider, same }: { readonly same: boolean; readonly provider: string | null }) =>
  same ? <Unchanged /> : <ProviderName provider={provider} />

interface AcceptanceRow {
  /** `null`: all of them. */
  readonly provider: string | null
  readonly measured: Report["acceptance"]["measured"]
  readonly before: Report["acceptance"]["before"]
  readonly after: Report["acceptance"]["after"]
  readonly payments: { readonly before: number; readonly after: number }
}

const acceptanceRows = ({ acceptance, payments, providers }: Report): ReadonlyArray<AcceptanceRow> => [
  { provider: null, ...acceptance, payments: { before: payments, after: payments } },
  ...providers.map(({ after, before, measured, provider }) => ({
    provider,
    measured,
    before: before.expected,
    after: after.expected,
    payments: { before: before.payments, after: after.payments }
  }))
]

export const Acceptance = ({ report }: ReportProps) => {
  const rows = acceptanceRows(report)
  const scale = scaleOf(rows.flatMap(({ after, before }) => [after.range, before.range]))
  return (
    <Section
      title="Acceptance"
      description="The share of payments that are paid in the end, failover included, by the provider that is tried first. The bars show the range in which the rate lies nine times out of ten."
    >
      <Table
        label="Acceptance by provider"
        rows={rows}
        columns={[
          {
            title: "Provider",
            cell: ({ provider }) =>
              provider === null ? <span className="font-medium">All</span> : <ProviderName provider={provider} />
          },
          { title: "Payments before", align: "right", cell: ({ payments }) => countText(payments.before) },
          { title: "Payments after", align: "right", cell: ({ payments }) => countText(payments.after) },
          {
            title: "First attempts",
            align: "right",
            cell: ({ measured }) => (
              <>
                <Rate rate={measured.rate} /> <span className="text-muted">of {countText(measured.counted)}</span>
              </>
            )
          },
          { title: "Paid before", align: "right", cell: ({ before }) => <Expected {...before} scale={scale} /> },
          { title: "Expected after", align: "right", cell: ({ after }) => <Expected {...after} scale={scale} /> },
          {
            title: "Change",
            align: "right",
            cell: ({ after, before }) => <RateChange before={before.rate} after={after.rate} />
          }
        ]}
      />
    </Section>
  )
}

const Expected = ({
  coverage,
  range,
  rate,
  scale
}: AcceptanceRow["before"] & { readonly scale: ReturnType<typeof scaleOf> }) => (
  <>
    <RangedRate rate={rate} range={range} scale={scale} />
    {rate !== null && coverage < 1 && (
      <span className="block text-xs text-muted">of {percentText(coverage)} of them</span>
    )}
  </>
)
