/** The columns of lists of deliveries. */
import type { Schemas } from "../../api/client.ts"
import type { Column } from "../../lists/List.tsx"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { resultText } from "./deliveryResult.tsx"

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
    <TenantLink path={deliveryPath(delivery)} className="font-medium hover:underline">
      {delivery.type ?? delivery.eventId}
    </TenantLink>
  )
}

export const paymentColumn: Column<Delivery> = {
  title: "Payment",
  cell: ({ paymentId }) => (paymentId === null ? "–" : <Id id={paymentId} />),
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
  cell: ({ lastError, lastStatus }) => <Foreign text={resultText({ status: lastStatus, error: lastError }) ?? "–"} />,
  hideBelow: "md"
}

export const happenedColumn: Column<Delivery> = {
  title: "Happened",
  align: "right",
  cell: ({ happenedAt }) => <Time at={happenedAt} />
}

/** `url`: of the endpoints that there still are. */
export const endpointColumn = (url: (endpointId: string) => string | undefined): Column<Delivery> => ({
  title: "Endpoint",
  cell: ({ endpointId }) => (
    <span className="block truncate">
      <Foreign text={url(endpointId) ?? `${endpointId} (removed)`} />
    </span>
  ),
  hideBelow: "sm"
})
