/** What happened to payments and refunds, as webhooks report it. */
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Empty, Page } from "../../ui/Layout.tsx"
import { Time } from "../../ui/Time.tsx"
import { daysFilter, paymentFilter, typesFilter } from "../deliveries/deliveryFilters.ts"

type LoggedEvent = Schemas["LoggedEvent"]

const eventPath = ({ id }: LoggedEvent): string => `events/${encodeURIComponent(id)}`

const columns: ReadonlyArray<Column<LoggedEvent>> = [
  {
    title: "Type",
    cell: (event) => (
      <TenantLink path={eventPath(event)} className="font-medium hover:underline">
        {event.type}
      </TenantLink>
    )
  },
  {
    title: "Payment",
    cell: ({ paymentId }) => (
      <TenantLink path={`payments/${encodeURIComponent(paymentId)}`} className="font-mono text-xs hover:underline">
        {paymentId}
      </TenantLink>
    ),
    hideBelow: "sm"
  },
  {
    title: "Sequence",
    align: "right",
    cell: ({ sequence }) => <span className="numbers">{sequence}</span>,
    hideBelow: "md"
  },
  { title: "Id", cell: ({ id }) => <Id id={id} />, hideBelow: "lg" },
  { title: "Happened", align: "right", cell: ({ createdAt }) => <Time at={createdAt} /> }
]

export const EventsPage = () => {
  const tenant = useTenant()
  const search = useListSearch()
  const query = useGet(
    "/dashboard/api/{account}/{mode}/events",
    { path: { ...tenant }, query: listQuery(search, ["paymentId", "from", "until"], ["types"]) },
    { keep: true, refetchInterval: 5_000 }
  )
  return (
    <Page title="Events" description="Every change of a payment or refund. Webhook endpoints receive them.">
      <Filters filters={[typesFilter, paymentFilter, daysFilter]} />
      <List
        label="Events"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        rowPath={eventPath}
        empty={
          <Empty title="No events">
            <p>They appear as soon as a payment changes. If filters are set, clear them.</p>
          </Empty>
        }
      />
    </Page>
  )
}
