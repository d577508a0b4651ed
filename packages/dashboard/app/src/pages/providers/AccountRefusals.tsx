/** What the account at a provider is not enabled for, with what to do about it. Absent while nothing was refused. */
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import type { Column } from "../../lists/List.tsx"
import { methodName } from "../payments/paymentText.ts"
import { useTenant } from "../../session/session.ts"
import { pollInterval } from "../../statistics/reads.ts"
import { Foreign, Section } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

type Refusal = Schemas["AccountRefusal"]

export const AccountRefusals = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/providers/{id}/account",
    { path: { ...useTenant(), id } },
    { refetchInterval: pollInterval }
  )
  if (data === undefined ? error === null : data.data.length === 0) return null
  return (
    <Section
      title="Not enabled for your account"
      description="Payments that this provider refused to your account in the last 7 days. Nothing was charged by it."
    >
      {data === undefined ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Refusals rows={data.data} />
      )}
    </Section>
  )
}

const Refusals = ({ rows }: { readonly rows: ReadonlyArray<Refusal> }) => (
  <Table
    label="Not enabled for your account"
    columns={columns}
    rows={rows}
    rowKey={({ code, currency, flow, paymentMethod, vendorCode }) =>
      [paymentMethod, flow, currency, code, vendorCode].join(" ")
    }
  />
)

const columns: ReadonlyArray<Column<Refusal>> = [
  {
    title: "Payments",
    cell: ({ currency, flow, paymentMethod }) => (
      <>
        <span className="font-medium">
          {methodName(paymentMethod)} in {currency}
        </span>{" "}
        <span className="text-muted">({flow})</span>
      </>
    )
  },
  {
    title: "What to do",
    cell: ({ help, vendorCode }) => (
      <>
        <Foreign text={help} />
        {vendorCode !== null && (
          <div className="font-mono text-xs text-muted">
            <Foreign text={vendorCode} />
          </div>
        )}
      </>
    )
  },
  { title: "Times", align: "right", hideBelow: "sm", cell: ({ count }) => countText(count) },
  { title: "Last", cell: ({ lastAt }) => <Time at={lastAt} /> }
]
