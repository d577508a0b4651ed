/** One report that matches no payment, and what can be done with it. */
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Card, Details, Empty, Foreign, Page, SkeletonLines } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { DismissDialog } from "./DismissDialog.tsx"
import { EveryAccountNeeded } from "./EveryAccountNeeded.tsx"
import { MatchDialog } from "./MatchDialog.tsx"
import { meaningOfReport, toneOfReport } from "./reportWords.ts"
import type { Report } from "./reportWords.ts"

export const ReportPage = () => {
  const path = useTenant()
  const { id = "" } = useParams({ strict: false })
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/reports/{id}", { path: { ...path, id } })
  if (data !== undefined) return <Loaded report={data} />
  return <Page title="Unmatched report">{body(error, () => void refetch())}</Page>
}

const body = (error: unknown, retry: () => void) => {
  if (error === null) return <SkeletonLines lines={8} />
  if (isProblem(error, "forbidden")) return <EveryAccountNeeded />
  return isProblem(error, "not_found") ? (
    <Empty title="There is no such report in this mode">
      <TenantLink path="reports">Unmatched reports</TenantLink>
    </Empty>
  ) : (
    <ProblemNote error={error} onRetry={retry} />
  )
}

const Loaded = ({ report }: { readonly report: Report }) => {
  const mayDecide = useMay("operator")
  const [open, setOpen] = useState<"match" | "dismiss" | null>(null)
  const { amount, currency, isComplete, kind, status } = report
  const close = () => setOpen(null)
  return (
    <Page
      title="Unmatched report"
      heading={
        <span className="inline-flex flex-wrap items-center gap-x-3">
          <Foreign text={wordOf(kind)} />
          {amount !== null && currency !== null && <Money amount={amount} currency={currency} />}
        </span>
      }
      description={<TenantLink path="reports">Unmatched reports</TenantLink>}
      actions={
        mayDecide &&
        status !== "matched" && (
          <>
            {status !== "dismissed" && <Button onClick={() => setOpen("dismiss")}>Dismiss</Button>}
            <Button
              look="primary"
              refusal={isComplete ? null : "What was reported has been deleted after its retention period."}
              onClick={() => setOpen("match")}
            >
              Match to payment
            </Button>
          </>
        )
      }
    >
      <Note tone="info">
        <Status word={status} tone={toneOfReport(status)} />
        <p>{meaningOfReport(status)}</p>
        <Decision report={report} />
      </Note>
      <Facts report={report} />
      {open === "match" && <MatchDialog report={report} onClose={close} />}
      {open === "dismiss" && <DismissDialog report={report} onClose={close} />}
    </Page>
  )
}

const Decision = ({ report: { decidedAt, isApplied, note, paymentId } }: { readonly report: Report }) => (
  <>
    {paymentId !== null && (
      <p>
        <TenantLink path={`payments/${encodeURIComponent(paymentId)}`}>Payment {paymentId}</TenantLink>{" "}
        {isApplied ? "has it in its books." : "will have it in its books within seconds."}
      </p>
    )}
    {note !== null && (
      <p>
        Reason: <Foreign text={note} />
      </p>
    )}
    {decidedAt !== null && (
      <p className="text-xs text-muted">
        Decided <Time at={decidedAt} />
      </p>
    )}
  </>
)

const Facts = ({ report }: { readonly report: Report }) => (
  <Card>
    <Details
      entries={[
        ["Report", <Id id={report.id} />],
        ["Provider", <Foreign text={report.provider} />],
        [
          "Provider reference",
          report.reference === null ? null : <Id id={report.reference} label="Copy provider reference" />
        ],
        ["Operation", report.operationId === null ? null : <Id id={report.operationId} />],
        ["Code of the provider", report.vendorCode === null ? null : <Foreign text={report.vendorCode} />],
        ["Event", <Id id={report.event} label="Copy event" />],
        ["Document", report.document === null ? null : <Id id={report.document} label="Copy digest" />],
        ["Received", <Time at={report.receivedAt} />],
        ["Occurred", <Time at={report.occurredAt} />]
      ]}
    />
  </Card>
)
