/** Costs, rules, and the payments that would go elsewhere. */
import type { Schemas } from "../../api/client.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Empty, Foreign, Section } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { countText } from "../../ui/numbers.ts"
import { Status } from "../../ui/Status.tsx"
import type { Tone } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { percentText, ProviderName } from "./figures.tsx"
import { Table } from "./Table.tsx"

type Report = Schemas["BacktestReport"]
type Sums = Report["currencies"][number]["before"]
type Rule = Report["rules"][number]

interface ReportProps {
  readonly report: Report
}

interface CostRow {
  /** `null`: all of them. */
  readonly provider: string | null
  readonly currency: string
  readonly before: Sums
  readonly after: Sums
}

const costRows = ({ currencies, providers }: Report): ReadonlyArray<CostRow> => [
  ...currencies.map((each) => ({ provider: null, ...each })),
  ...providers.flatMap(({ currencies: own, provider }) => own.map((each) => ({ provider, ...each })))
]

export const Costs = ({ report }: ReportProps) => (
  <Section
    title="Amounts and costs"
    description="By the fees that the rules name; payments without a known fee are left out."
  >
    <Table
      label="Amounts and costs by provider"
      rows={costRows(report)}
      columns={[
        {
          title: "Provider",
          cell: ({ provider }) =>
            provider === null ? <span className="font-medium">All</span> : <ProviderName provider={provider} />
        },
        {
          title: "Amount before",
          align: "right",
          cell: ({ before, currency }) => <Money amount={before.amount} currency={currency} />
        },
        {
          title: "Amount after",
          align: "right",
          cell: ({ after, currency }) => <Money amount={after.amount} currency={currency} />
        },
        {
          title: "Cost before",
          align: "right",
          cell: ({ before, currency }) => <Cost sums={before} currency={currency} />
        },
        {
          title: "Cost after",
          align: "right",
          cell: ({ after, currency }) => <Cost sums={after} currency={currency} />
        }
      ]}
    />
  </Section>
)

const Cost = ({ currency, sums }: { readonly sums: Sums; readonly currency: string }) => {
  const { cost, feeUnknown, payments } = sums
  if (payments === 0) return <span className="text-muted">–</span>
  if (feeUnknown === payments) return <span className="text-muted">No fee known</span>
  return (
    <>
      <Money amount={cost} currency={currency} />
      {feeUnknown > 0 && <span className="block text-xs text-muted">{countText(feeUnknown)} without a fee</span>}
    </>
  )
}

const tones: { readonly [state in Rule["state"]]: Tone } = {
  used: "good",
  shadowed: "warn",
  dead: "bad",
  unknown: "quiet"
}

const words: { readonly [state in Rule["state"]]: string } = {
  used: "Used",
  shadowed: "Shadowed",
  dead: "Unused",
  unknown: "Not known"
}

export const Rules = ({ report }: ReportProps) => {
  const others = report.default
  return (
    <Section
      title="Rules"
      description={`The default took ${countText(others.payments)} payments (${percentText(others.share)}). Shadowed: earlier rules took all payments that it matches. Unused: it matches none of them.`}
    >
      {report.rules.length === 0 ? (
        <p className="text-sm text-muted">The rules consist of the default only.</p>
      ) : (
        <Table
          label="Use of the rules"
          rows={report.rules}
          columns={[
            { title: "Rule", cell: ({ name }) => <Foreign text={name} /> },
            { title: "State", cell: ({ state }) => <Status word={words[state]} tone={tones[state]} /> },
            {
              title: "Matches",
              align: "right",
              cell: ({ exact, matches }) => `${exact ? "" : "at least "}${countText(matches)}`
            },
            { title: "Decides", align: "right", cell: ({ takes }) => countText(takes) },
            { title: "Shadowed by", cell: (rule) => <ShadowedBy {...rule} /> }
          ]}
        />
      )}
    </Section>
  )
}

const ShadowedBy = ({ shadowedBy }: Pick<Rule, "shadowedBy">) =>
  shadowedBy.length === 0 ? (
    <span className="text-muted">–</span>
  ) : (
    <ul>
      {shadowedBy.map(({ payments, rule }) => (
        <li key={rule}>
          <Foreign text={rule} /> <span className="numbers text-muted">{countText(payments)}</span>
        </li>
      ))}
    </ul>
  )

interface MovedProps {
  readonly moved: NonNullable<Schemas["Backtest"]["result"]>["moved"]
  /** Those that are not in the list too. */
  readonly total: number
}

export const Moved = ({ moved, total }: MovedProps) => (
  <Section
    title="Payments that would go elsewhere"
    description={
      moved.length < total ? `The first ${countText(moved.length)} of ${countText(total)}, by time.` : undefined
    }
  >
    {moved.length === 0 ? (
      <Empty title="Every payment would go where it went" />
    ) : (
      <Table
        label="Payments that would go elsewhere"
        rows={moved}
        columns={[
          {
            title: "Payment",
            cell: ({ paymentId }) => (
              <TenantLink path={`payments/${encodeURIComponent(paymentId)}`}>
                <code className="font-mono text-xs">{paymentId}</code>
              </TenantLink>
            )
          },
          { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: "Before", cell: ({ before }) => <ProviderName provider={before} /> },
          { title: "After", cell: ({ after }) => <ProviderName provider={after} /> },
          { title: "Rule", cell: ({ rule }) => <Foreign text={rule} /> },
          {
            title: "Why",
            cell: ({ paymentId }) => (
              <TenantLink
                path="routing/explain"
                search={{ payment: paymentId }}
                aria-label={`Explain payment ${paymentId}`}
              >
                Explain
              </TenantLink>
            )
          }
        ]}
      />
    )}
  </Section>
)
