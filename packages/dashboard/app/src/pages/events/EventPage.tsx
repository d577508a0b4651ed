/** An event: its body, as it is delivered, and what became of it at each endpoint. */
import { useParams } from "@tanstack/react-router"
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { List } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Id, Json } from "../../ui/Copy.tsx"
import { Card, Details, Empty, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import {
  deliveryKey,
  deliveryPath,
  endpointColumn,
  responseColumn,
  statusColumn,
  triesColumn
} from "../deliveries/deliveryColumns.tsx"
import type { Delivery } from "../deliveries/deliveryColumns.tsx"
import { useResend } from "../deliveries/resend.ts"
import { useEndpointNames } from "../endpoints/endpointReads.ts"
import { NotFoundPage } from "../NotFoundPage.tsx"

export const EventPage = () => {
  const { id } = useParams({ from: "/$account/$mode/events/$id" })
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/events/{id}", {
    path: { ...useTenant(), id }
  })
  if (data !== undefined) return <FoundEvent event={data} />
  if (isProblem(error, "not_found")) return <NotFoundPage />
  return (
    <Page title="Event">
      {error === null ? <SkeletonLines lines={6} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}

const FoundEvent = ({ event }: { readonly event: Schemas["Event"] }) => {
  const { id, payment, refund, sequence } = event.data
  return (
    <Page title={event.type}>
      <Card>
        <Details
          entries={[
            ["Id", <Id key="id" id={id} />],
            ["Happened", <Time key="time" at={event.timestamp} />],
            [
              "Payment",
              <TenantLink key="payment" path={`payments/${encodeURIComponent(payment.id)}`}>
                {payment.id}
              </TenantLink>
            ],
            [
              "Refund",
              refund === undefined ? null : (
                <TenantLink key="refund" path={`refunds/${encodeURIComponent(refund.id)}`}>
                  {refund.id}
                </TenantLink>
              )
            ],
            ["Sequence", `${sequence} of this payment`]
          ]}
        />
      </Card>
      <Section title="Body" description="As it is delivered.">
        <Json value={event} />
      </Section>
      <Deliveries eventId={id} />
    </Page>
  )
}

const Deliveries = ({ eventId }: { readonly eventId: string }) => {
  const tenant = useTenant()
  const may = useMay("developer")
  const search = useListSearch()
  const { nameOf } = useEndpointNames()
  const resend = useResend(eventId, null)
  const query = useGet(
    "/dashboard/api/{account}/{mode}/deliveries",
    { path: { ...tenant }, query: { ...listQuery(search, []), eventId } },
    { keep: true, refetchInterval: 3_000 }
  )
  const columns = [endpointColumn(nameOf), statusColumn, responseColumn, triesColumn]
  const some = query.data !== undefined && query.data.data.length > 0
  return (
    <Section
      title="Deliveries"
      actions={
        may &&
        some && (
          <Button busy={resend.isPending} onClick={() => resend.mutate()}>
            Resend to all
          </Button>
        )
      }
    >
      {resend.error !== null && <ProblemNote error={resend.error} repeatable />}
      <List
        label="Deliveries of this event"
        columns={may ? [...columns, resendColumn] : columns}
        query={query}
        rowKey={deliveryKey}
        rowPath={deliveryPath}
        empty={
          <Empty title="No deliveries">
            <p>No endpoint received this type when it happened, or its deliveries are no longer kept.</p>
          </Empty>
        }
      />
    </Section>
  )
}

const resendColumn = {
  title: "Resend",
  align: "right",
  cell: (delivery: Delivery) => <ResendOne delivery={delivery} />
} as const

const ResendOne = ({ delivery }: { readonly delivery: Delivery }) => {
  const resend = useResend(delivery.eventId, delivery.endpointId)
  return (
    <span className="-my-1 inline-flex">
      <Button
        look="ghost"
        aria-label={`Resend to ${delivery.endpointId}`}
        busy={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Resend
      </Button>
    </span>
  )
}
