/** What was sent to all endpoints, and what still waits. */
import { useState } from "react"
import { useGet } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Empty, Page } from "../../ui/Layout.tsx"
import { useEndpointNames } from "../endpoints/endpointReads.ts"
import {
  deliveryKey,
  deliveryPath,
  endpointColumn,
  eventColumn,
  happenedColumn,
  responseColumn,
  statusColumn,
  triesColumn
} from "./deliveryColumns.tsx"
import { daysFilter, paymentFilter, statusFilter, typesFilter } from "./deliveryFilters.ts"
import { ResendSinceDialog } from "./ResendSinceDialog.tsx"
import { Undelivered } from "./Undelivered.tsx"

export const DeliveriesPage = () => {
  const tenant = useTenant()
  const search = useListSearch()
  const may = useMay("developer")
  const [resending, setResending] = useState(false)
  const { nameOf, names } = useEndpointNames()
  const query = useGet(
    "/dashboard/api/{account}/{mode}/deliveries",
    {
      path: { ...tenant },
      query: listQuery(search, ["endpointId", "status", "paymentId", "eventId", "from", "until"], ["types"])
    },
    { keep: true, refetchInterval: 5_000 }
  )
  const endpointId = valueOf(search, "endpointId")
  const endpoint = endpointId === undefined ? null : { id: endpointId, url: nameOf(endpointId) ?? endpointId }
  return (
    <Page
      title="Deliveries"
      description={<Undelivered endpointId={endpointId ?? null} />}
      actions={may && <Button onClick={() => setResending(true)}>Resend undelivered…</Button>}
    >
      <Filters
        filters={[
          {
            kind: "choice",
            name: "endpointId",
            label: "Endpoint",
            options: [...names.keys()],
            wordOf: (id) => names.get(id) ?? id
          },
          statusFilter,
          typesFilter,
          paymentFilter,
          daysFilter
        ]}
      />
      <List
        label="Deliveries"
        columns={[
          eventColumn,
          statusColumn,
          { ...endpointColumn(nameOf), hideBelow: "sm" },
          responseColumn,
          triesColumn,
          happenedColumn
        ]}
        query={query}
        rowKey={deliveryKey}
        rowPath={deliveryPath}
        empty={
          <Empty title="No deliveries">
            <p>Each event is sent to every endpoint that receives its type.</p>
            {names.size === 0 && <TenantLink path="endpoints">Add a webhook endpoint</TenantLink>}
          </Empty>
        }
      />
      {resending && <ResendSinceDialog endpoint={endpoint} onClose={() => setResending(false)} />}
    </Page>
  )
}
