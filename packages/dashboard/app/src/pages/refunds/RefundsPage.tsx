import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import type { Filter } from "../../lists/Filters.tsx"
import { List, pageSize } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, valueOf, valuesOf } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Empty, Foreign, Page } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"

type Refund = Schemas["Refund"]

const columns: ReadonlyArray<Column<Refund>> = [
  {
    title: "Amount",
    align: "right",
    cell: ({ amount, currency, id }) => (
      <TenantLink path={`refunds/${id}`} className="font-medium hover:underline">
        <Money amount={amount} currency={currency} />
      </TenantLink>
    )
  },
  { title: "Status", cell: ({ status }) => <Status word={status} /> },
  {
    title: "Payment",
    cell: ({ payment }) => (
      <TenantLink
        path={`payments/${payment}`}
        className="block max-w-40 truncate font-mono text-xs text-accent hover:underline"
      >
        {payment}
      </TenantLink>
    )
  },
  {
    title: "Reason",
    hideBelow: "md",
    cell: ({ reason }) =>
      reason === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="block max-w-64 truncate">
          <Foreign text={reason} />
        </span>
      )
  },
  { title: "Provider", hideBelow: "md", cell: ({ provider }) => provider },
  { title: "Created", cell: ({ created_at: created }) => <Time at={created} /> },
  { title: "Id", hideBelow: "lg", cell: ({ id }) => <Id id={id} /> }
]

const statuses = ["pending", "succeeded", "failed"] as const

const filtersFor = (providers: ReadonlyArray<string>): ReadonlyArray<Filter> => [
  { kind: "choices", name: "statuses", label: "Status", options: statuses },
  { kind: "days", label: "Created" },
  { kind: "text", name: "paymentId", label: "Payment", hint: "The id, pay_…" },
  { kind: "text", name: "provider", label: "Provider", hint: `One of ${providers.join(", ")}.` }
]

export const RefundsPage = () => {
  const search = useListSearch()
  const path = useTenant()
  const providers = useGet("/dashboard/api/{account}/{mode}/providers", { path }, { staleTime: 60_000 })
  const chosen = valuesOf(search, "statuses").flatMap((each) => statuses.filter((status) => status === each))
  const refunds = useGet(
    "/dashboard/api/{account}/{mode}/refunds",
    {
      path,
      query: {
        ...Object.fromEntries(
          ["paymentId", "provider", "from", "until", "after"].flatMap((name) => {
            const value = valueOf(search, name)
            return value === undefined ? [] : [[name, value] as const]
          })
        ),
        ...(chosen.length > 0 && { statuses: chosen }),
        limit: String(pageSize)
      }
    },
    { keep: true }
  )
  return (
    <Page title="Refunds">
      <Filters filters={filtersFor((providers.data?.data ?? []).map(({ id }) => id))} />
      <List
        label="Refunds"
        columns={columns}
        query={refunds}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `refunds/${id}`}
        empty={
          <Empty title="No refunds here">
            <p>Refund a payment on its page, or remove a filter.</p>
            <TenantLink path="payments">Payments</TenantLink>
          </Empty>
        }
      />
    </Page>
  )
}
