import { useParams } from "@tanstack/react-router"
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id, Json } from "../../ui/Copy.tsx"
import { Card, Details, Empty, Foreign, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { amountText } from "../../ui/amounts.ts"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Status } from "../../ui/Status.tsx"
import { exactTime, msOf } from "../../ui/Time.tsx"

export const RefundPage = () => {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/refunds/{id}",
    { path: { ...useTenant(), id: id ?? "" } },
    { refetchInterval: 10_000 }
  )
  if (data !== undefined) return <RefundFound refund={data} />
  if (isProblem(error, "not_found")) {
    return (
      <Page title="Refund not found">
        <Empty title="This account and mode has no such refund">
          <p>Check the id. A refund of test mode is not shown in live mode, and the other way around.</p>
          <TenantLink path="refunds">All refunds</TenantLink>
        </Empty>
      </Page>
    )
  }
  return (
    <Page title="Refund">
      {error === null ? <SkeletonLines lines={6} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}

const RefundFound = ({ refund }: { readonly refund: Schemas["Refund"] }) => {
  const { amount, created_at: created, currency, ended_at: ended, failure, id, payment, provider, status } = refund
  const title = `Refund of ${amountText(amount, currency)} ${currency}`
  return (
    <Page
      title={title}
      heading={
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="numbers">{title}</span>
          <span className="text-sm font-normal">
            <Status word={status} />
          </span>
        </span>
      }
      actions={
        <TenantLink
          path={`payments/${payment}`}
          className="inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover"
        >
          Open the payment
        </TenantLink>
      }
    >
      <Section title="Refund">
        <Card>
          <Details
            entries={[
              ["Id", <Id key="id" id={id} />],
              [
                "Payment",
                <TenantLink
                  key="payment"
                  path={`payments/${payment}`}
                  className="font-mono text-xs text-accent hover:underline"
                >
                  {payment}
                </TenantLink>
              ],
              ["Reason", refund.reason === null ? null : <Foreign key="reason" text={refund.reason} />],
              [
                "Provider",
                <TenantLink key="provider" path={`providers/${encodeURIComponent(provider)}`}>
                  {provider}
                </TenantLink>
              ],
              [
                "Reference",
                refund.reference === null ? null : <Id key="reference" id={refund.reference} label="Copy reference" />
              ],
              ["Created", exactTime(msOf(created))],
              ["Ended", ended === null ? null : exactTime(msOf(ended))],
              ...(failure === null
                ? []
                : ([
                    ["Failure", <Status key="failure" word={failure.code} tone="bad" />],
                    ["What it means", <Foreign key="message" text={failure.message} />]
                  ] as const))
            ]}
          />
        </Card>
      </Section>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer font-semibold">JSON</summary>
        <div className="mt-2.5">
          <Json value={refund} />
        </div>
      </details>
    </Page>
  )
}
