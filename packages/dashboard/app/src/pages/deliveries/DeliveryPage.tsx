/** One event to one endpoint: what was sent, every try, and what the receiver answered. */
import { useParams } from "@tanstack/react-router"
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Id, Json } from "../../ui/Copy.tsx"
import { Card, Details, Foreign, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { NotFoundPage } from "../NotFoundPage.tsx"
import { useEndpointNames } from "../endpoints/endpointReads.ts"
import { DeliveryStatus } from "./deliveryColumns.tsx"
import type { Delivery } from "./deliveryColumns.tsx"
import { useResend } from "./resend.ts"
import { Tries } from "./Tries.tsx"

export const DeliveryPage = () => {
  const tenant = useTenant()
  const { endpoint, event } = useParams({ from: "/$account/$mode/deliveries/$event/$endpoint" })
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/deliveries",
    { path: { ...tenant }, query: { eventId: event, endpointId: endpoint, limit: "1" } },
    { refetchInterval: 3_000 }
  )
  if (data === undefined) {
    if (isProblem(error, "not_found", "invalid_request")) return <NotFoundPage />
    return (
      <Page title="Delivery">
        {error === null ? <SkeletonLines lines={6} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  }
  const [delivery] = data.data
  return delivery === undefined ? <NotFoundPage /> : <FoundDelivery delivery={delivery} />
}

const FoundDelivery = ({ delivery }: { readonly delivery: Delivery }) => {
  const may = useMay("developer")
  const { nameOf } = useEndpointNames()
  const resend = useResend(delivery.eventId, delivery.endpointId)
  const title = delivery.type ?? "Delivery"
  const url = nameOf(delivery.endpointId)
  return (
    <Page
      title={`Delivery of ${title}`}
      heading={title}
      description={
        <>
          To <Foreign text={url ?? `${delivery.endpointId}, which was removed`} />
        </>
      }
      actions={
        may && (
          <Button busy={resend.isPending} onClick={() => resend.mutate()}>
            Resend
          </Button>
        )
      }
    >
      {resend.error !== null && <ProblemNote error={resend.error} repeatable />}
      <Card>
        <Details
          entries={[
            ["Status", <DeliveryStatus key="status" delivery={delivery} />],
            ["Next try", delivery.nextTryAt === null ? null : <Time key="next" at={delivery.nextTryAt} />],
            ["Happened", <Time key="happened" at={delivery.happenedAt} />],
            [
              "Event",
              <TenantLink key="event" path={`events/${encodeURIComponent(delivery.eventId)}`}>
                {delivery.eventId}
              </TenantLink>
            ],
            [
              "Endpoint",
              <TenantLink key="endpoint" path={`endpoints/${encodeURIComponent(delivery.endpointId)}`}>
                {delivery.endpointId}
              </TenantLink>
            ],
            [
              "Payment",
              delivery.paymentId === null ? null : (
                <TenantLink key="payment" path={`payments/${encodeURIComponent(delivery.paymentId)}`}>
                  {delivery.paymentId}
                </TenantLink>
              )
            ]
          ]}
        />
      </Card>
      <Tries delivery={delivery} />
      <SentRequest eventId={delivery.eventId} url={url} />
    </Page>
  )
}

const SentRequest = ({ eventId, url }: { readonly eventId: string; readonly url: string | undefined }) => {
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/events/{id}", {
    path: { ...useTenant(), id: eventId }
  })
  return (
    <Section
      title="Request"
      description="Every try sends the same body, with a new signature in the header webhook-signature."
    >
      <Card>
        <Details
          entries={[
            ["POST", url === undefined ? null : <Foreign key="url" text={url} />],
            ["webhook-id", <Id key="id" id={eventId} />]
          ]}
        />
      </Card>
      {data === undefined && error === null && <SkeletonLines lines={4} />}
      {data === undefined && error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Json value={data} />}
    </Section>
  )
}
