/** One call of the API: what was requested, masked, and what was answered. */
import { useParams } from "@tanstack/react-router"
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id, Json } from "../../ui/Copy.tsx"
import { Card, Details, Empty, Foreign, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { NotFoundPage } from "../NotFoundPage.tsx"
import { useKeyNames } from "./keyNames.ts"
import { durationText, HttpStatus } from "./requestColumns.tsx"

type RequestDetails = Schemas["RequestDetails"]

export const RequestPage = () => {
  const { id } = useParams({ from: "/$account/$mode/requests/$id" })
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/requests/{id}", {
    path: { ...useTenant(), id }
  })
  if (data !== undefined) return <FoundRequest request={data} />
  if (isProblem(error, "not_found")) return <NotFoundPage />
  return (
    <Page title="Request">
      {error === null ? <SkeletonLines lines={6} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}

const FoundRequest = ({ request }: { readonly request: RequestDetails }) => {
  const keys = useKeyNames()
  const { id, keyId, method, path, route } = request
  return (
    <Page
      title={`${method} ${route}`}
      heading={
        <span className="font-mono text-lg break-all">
          {method} <Foreign text={path} />
        </span>
      }
    >
      <Card>
        <Details
          entries={[
            ["Status", <HttpStatus key="status" status={request.status} />],
            ["Problem", request.problem],
            ["Request id", <Id key="id" id={id} />],
            ["Time", <Time key="at" at={request.at} />],
            ["Duration", durationText(request.durationMs)],
            ["API key", <Foreign key="key" text={keys.get(keyId) ?? keyId} />],
            [
              "Idempotent replay",
              request.replayed ? "Yes: the stored response of an earlier request with the same key" : "No"
            ],
            [
              "Payment",
              request.paymentId === null ? null : <ObjectLink key="payment" of="payments" id={request.paymentId} />
            ],
            [
              "Refund",
              request.refundId === null ? null : <ObjectLink key="refund" of="refunds" id={request.refundId} />
            ]
          ]}
        />
      </Card>
      <Section title="Request body" description="Its structure. Texts and numbers that may name a person are masked.">
        {request.request === null ? (
          <Empty title="No body is kept">
            <p>Only requests that failed keep the structure of their body.</p>
          </Empty>
        ) : (
          <Json value={request.request} />
        )}
      </Section>
      {request.response !== null && (
        <Section title="Response">
          <Json value={request.response} />
        </Section>
      )}
    </Page>
  )
}

const ObjectLink = ({ id, of }: { readonly id: string; readonly of: "payments" | "refunds" }) => (
  <TenantLink path={`${of}/${encodeURIComponent(id)}`}>{id}</TenantLink>
)
