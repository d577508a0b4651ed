import { useState } from "react"
import { useGet } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty, Section } from "../../ui/Layout.tsx"
import {
  deliveryKey,
  deliveryPath,
  eventColumn,
  happenedColumn,
  paymentColumn,
  responseColumn,
  statusColumn,
  triesColumn
} from "../deliveries/deliveryColumns.tsx"
import { daysFilter, statusFilter, typesFilter } from "../deliveries/deliveryFilters.ts"
import { ResendSinceDialog } from "../deliveries/ResendSinceDialog.tsx"
import { Undelivered } from "../deliveries/Undelivered.tsx"
import { endpointName } from "./endpointReads.ts"
import type { Endpoint } from "./endpointReads.ts"

const columns = [eventColumn, statusColumn, responseColumn, triesColumn, paymentColumn, happenedColumn]

export const EndpointDeliveries = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const tenant = useTenant()
  const search = useListSearch()
  const may = useMay("developer")
  const [resending, setResending] = useState(false)
  const query = useGet(
    "/dashboard/api/{account}/{mode}/deliveries",
    {
      path: { ...tenant },
      query: { ...listQuery(search, ["status", "from", "until"], ["types"]), endpointId: endpoint.id }
    },
    { keep: true, refetchInterval: 5_000 }
  )
  return (
    <Section
      title="Deliveries"
      actions={
        may && endpoint.disabledAt === null && <Button onClick={() => setResending(true)}>Resend undelivered…</Button>
      }
    >
      {endpoint.disabledAt === null && (
        <div className="text-sm text-muted">
          <Undelivered endpointId={endpoint.id} />
        </div>
      )}
      <Filters filters={[statusFilter, typesFilter, daysFilter]} />
      <List
        label="Deliveries to this endpoint"
        columns={columns}
        query={query}
        rowKey={deliveryKey}
        rowPath={deliveryPath}
        empty={
          <Empty title="No deliveries">
            <p>Events appear here as they are sent. Send a test event to see whether the receiver answers.</p>
          </Empty>
        }
      />
      {resending && (
        <ResendSinceDialog
          endpoint={{ id: endpoint.id, url: endpointName(endpoint) }}
          onClose={() => setResending(false)}
        />
      )}
    </Section>
  )
}
