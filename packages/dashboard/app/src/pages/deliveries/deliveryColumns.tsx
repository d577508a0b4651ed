/** The columns of lists of deliveries. */
import type { Schemas } from "../../api/client.ts"
import type { Column } from "../../lists/List.tsx"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { shortResult } from "./deliveryResult.tsx"

export type Delivery = Schemas["WebhookDelivery"]

export const deliveryKey = ({ endpointId, eventId }: Delivery): string => `${eventId} ${endpointId}`

export const deliveryPath = ({ endpointId, eventId }: Delivery): string =>
  `deliveries/${encodeURIComponent(eventId)}/${encodeURIComponent(endpointId)}`

/** One that will be tried again is not merely waiting. */
export const DeliveryStatus = ({ delivery: { attempts, status } }: { readonly delivery: Delivery }) =>
  status === "pending" && attempts > 0 ? <Status word="retrying" /> : <Status word={status} />

export const statusColumn: Column<Delivery> = {
  title: "Status",
  cell: (delivery) => <DeliveryStatus delivery={delivery} />
}

export const eventColumn: Column<Delivery> = {
  title: "Event",
  cell: (delivery) => (
    <>
      <TenantLink path={deliveryPath(delivery)} className="font-medium hover:underline">
        {delivery.type ?? delivery.eventId}
      </TenantLink>
      {/* In place of the column at the right, which has no room there. */}
      <span className="block text-xs text-muted sm:hidden">
        <Time at={delivery.happenedAt} />
      </span>
    </>
  )
}

export const paymentColumn: Column<Delivery> = {
  title: "Payment",
  cell: ({ paymentId }) => (paymentId === null ? "–" : <code className="font-mono text-xs">{paymentId}</code>),
  hideBelow: "lg"
}

export const triesColumn: Column<Delivery> = {
  title: "Tries",
  align: "right",
  cell: ({ attempts }) => <span className="numbers">{attempts}</span>,
  hideBelow: "sm"
}

export const responseColumn: Column<Delivery> = {
  title: "Last response",
  cell: ({ lastError, lastStatus }) => <Foreign text={shortResult({ status: lastStatus, error: lastError }) ?? "–"} />,
  hideBelow: "md"
}

export const happenedColumn: Column<Delivery> = {
  title: "Happened",
  align: "right",
  cell: ({ happenedAt }) => <Time at={happenedAt} />,
  hideBelow: "sm"
}

/** `url`: of the endpoints that there still are. */
export const endpointColumn = (url: (endpointId: string) => string | undefined): Column<Delivery> => ({
  title: "Endpoint",
  cell: ({ endpointId }) => (
    <span className="block max-w-44 truncate sm:max-w-none">
      <Foreign text={url(endpointId) ?? `${endpointId} (removed)`} />
    </span>
  )
})
