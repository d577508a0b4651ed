/** Webhook endpoints: who receives the events, and whether that works. */
import { useState } from "react"
import { Plus } from "lucide-react"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useMay } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Empty, Foreign, Page } from "../../ui/Layout.tsx"
import { Time } from "../../ui/Time.tsx"
import { AddEndpointDialog } from "./AddEndpointDialog.tsx"
import { endpointName, mostEndpoints, useEndpoints } from "./endpointReads.ts"
import type { Endpoint } from "./endpointReads.ts"
import { EndpointState, eventsText, LastFailure } from "./EndpointState.tsx"

const endpointPath = ({ id }: Endpoint): string => `endpoints/${encodeURIComponent(id)}`

const columns: ReadonlyArray<Column<Endpoint>> = [
  {
    title: "URL",
    cell: (endpoint) => (
      <TenantLink path={endpointPath(endpoint)} className="font-medium break-all hover:underline">
        <Foreign text={endpointName(endpoint)} />
      </TenantLink>
    )
  },
  { title: "State", cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { title: "Last failure", cell: (endpoint) => <LastFailure endpoint={endpoint} />, hideBelow: "sm" },
  { title: "Events", cell: eventsText, hideBelow: "md" },
  { title: "Added", align: "right", cell: ({ createdAt }) => <Time at={createdAt} />, hideBelow: "sm" }
]

export const EndpointsPage = () => {
  const may = useMay("developer")
  const [adding, setAdding] = useState(false)
  const query = useEndpoints()
  const count = query.data?.data.length ?? 0
  const isFull = count >= mostEndpoints
  return (
    <Page
      title="Webhook endpoints"
      description={
        isFull
          ? `This account has ${mostEndpoints} endpoints in this mode, the most there can be. Remove one to add another.`
          : `They receive every change of a payment, signed. ${count} of ${mostEndpoints} are in use.`
      }
      actions={
        may && (
          <Button
            look="primary"
            refusal={isFull ? `There can be at most ${mostEndpoints} endpoints. Remove one first.` : null}
            onClick={() => setAdding(true)}
          >
            <Plus size={14} aria-hidden />
            Add endpoint
          </Button>
        )
      }
    >
      <List
        label="Webhook endpoints"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        rowPath={endpointPath}
        empty={
          <Empty title="No webhook endpoints">
            <p>Add the URL of a receiver. Your server is then notified of each payment.</p>
            {!may && <p>Owners and developers can add one.</p>}
          </Empty>
        }
      />
      {adding && <AddEndpointDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}
