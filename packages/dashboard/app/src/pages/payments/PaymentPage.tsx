import { useParams } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Json } from "../../ui/Copy.tsx"
import { Empty, Foreign, Page, SkeletonLines } from "../../ui/Layout.tsx"
import { amountText } from "../../ui/amounts.ts"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { PaymentActions } from "./actions/PaymentActions.tsx"
import { PaymentBalance } from "./detail/PaymentBalance.tsx"
import { PaymentRefunds } from "./detail/PaymentRefunds.tsx"
import { PaymentSummary } from "./detail/PaymentSummary.tsx"
import { PaymentStatus } from "./list/paymentColumns.tsx"
import { customerText } from "./paymentText.ts"
import type { Payment, PaymentDetails } from "./paymentText.ts"
import { Timeline } from "./timeline/Timeline.tsx"

export const PaymentPage = () => {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/payments/{id}",
    { path: { ...useTenant(), id: id ?? "" } },
    { refetchInterval: 10_000 }
  )
  if (data !== undefined) return <PaymentFound key={data.payment.id} details={data} />
  if (isProblem(error, "not_found")) return <NoSuchPayment />
  return (
    <Page title="Payment">
      {error === null ? <SkeletonLines lines={10} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}

const NoSuchPayment = () => (
  <Page title="Payment not found">
    <Empty title="This account and mode has no such payment">
      <p>Check the id. A payment of test mode is not shown in live mode, and the other way around.</p>
      <TenantLink path="payments">All payments</TenantLink>
    </Empty>
  </Page>
)

const PaymentFound = ({ details }: { readonly details: PaymentDetails }) => {
  const { payment, version } = details
  const amount = `${amountText(payment.amount, payment.currency)} ${payment.currency}`
  return (
    <Page
      title={`Payment of ${amount}`}
      heading={<Heading payment={payment}>{amount}</Heading>}
      description={
        <>
          <Foreign text={customerText(payment)} />
          {payment.pending_reason !== null && ` · ${wordOf(payment.pending_reason)}`}
        </>
      }
      actions={<PaymentActions details={details} />}
    >
      {payment.reviews.length > 0 && <InReview payment={payment} />}
      <PaymentBalance details={details} />
      <PaymentSummary payment={payment} />
      <PaymentRefunds id={payment.id} />
      <nav aria-label="Of this payment" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <TenantLink path="events" search={{ paymentId: payment.id }}>
          Events
        </TenantLink>
        <TenantLink path="deliveries" search={{ paymentId: payment.id }}>
          Webhook deliveries
        </TenantLink>
        <TenantLink path="audit" search={{ target: payment.id }}>
          Audit log
        </TenantLink>
      </nav>
      <Timeline id={payment.id} version={version} />
      <details className="text-sm">
        <summary className="w-fit cursor-pointer font-semibold">JSON</summary>
        <div className="mt-2.5">
          <Json value={payment} />
        </div>
      </details>
    </Page>
  )
}

const Heading = ({ children, payment }: { readonly payment: Payment; readonly children: ReactNode }) => (
  <span className="flex flex-wrap items-center gap-x-3">
    <span className="numbers">{children}</span>
    <span className="text-sm font-normal">
      <PaymentStatus payment={payment} />
    </span>
  </span>
)

const InReview = ({ payment }: { readonly payment: Payment }) => (
  <Note tone="warn">
    <p>
      {payment.reviews.length === 1 ? "A review is open: " : `${payment.reviews.length} reviews are open: `}
      {payment.reviews.map(({ reason }) => wordOf(reason).toLowerCase()).join(", ")}.{" "}
      <TenantLink path={`reviews/${payment.id}`}>Open the review</TenantLink>
    </p>
  </Note>
)
