/** What is known about a payment in review: the operations of Paymux, and what was reported to it. */
import type { Schemas } from "../../api/client.ts"
import type { Column } from "../../lists/List.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Foreign, Section } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { resolutionWords } from "./reviewWords.ts"
import type { ReviewDetails, ReviewedPayment } from "./reviewWords.ts"

type Operation = ReviewedPayment["operations"][number]
type Reported = ReviewDetails["reported"][number]
type Evidence = Schemas["ReviewEvidence"]
type Answer = ReviewedPayment["resolved"][number]

const Nothing = () => <span className="text-muted">–</span>

const Reference = ({ text }: { readonly text: string | null }) =>
  text === null ? <Nothing /> : <Id id={text} label="Copy provider reference" />

const sources: { readonly [source: string]: string } = {
  reply: "Reply",
  webhook: "Webhook",
  inquiry: "Inquiry",
  return: "Return",
  observed: "Observed",
  operator: "Operator"
}

const sourceWord = (source: string): string => sources[source] ?? wordOf(source)

const operationColumns = (currency: string): ReadonlyArray<Column<Operation>> => [
  {
    title: "Operation",
    cell: ({ kind, purpose }) => (
      <>
        {wordOf(kind)}
        {purpose !== "requested" && <span className="block text-xs text-muted">{wordOf(purpose)}</span>}
      </>
    )
  },
  { title: "Status", cell: ({ status }) => <Status word={status} /> },
  { title: "Amount", align: "right", cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
  { title: "Provider", cell: ({ provider }) => <Foreign text={provider} /> },
  { title: "Reference", hideBelow: "sm", cell: ({ reference }) => <Reference text={reference} /> }
]

export const Operations = ({ reviewed: { operations, payment } }: { readonly reviewed: ReviewedPayment }) => (
  <Section
    title="Recorded by Paymux"
    description="Every operation of this payment, with the provider that executed it."
  >
    <Table label="Operations" columns={operationColumns(payment.currency)} rows={operations} rowKey={({ id }) => id} />
  </Section>
)

/** It stands beside a form: the reference takes no column of its own. */
const reportedColumns: ReadonlyArray<Column<Reported>> = [
  {
    title: "Reported",
    cell: ({ basis, kind, reference }) => (
      <>
        {wordOf(kind)}
        {basis === "total" && <span className="text-muted"> in total</span>}
        {reference !== null && (
          <span className="block">
            <Id id={reference} label="Copy provider reference" />
          </span>
        )}
      </>
    )
  },
  { title: "Amount", align: "right", cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { title: "From", hideBelow: "sm", cell: ({ source }) => sourceWord(source) },
  { title: "Recorded", cell: ({ recordedAt }) => <Time at={recordedAt} /> }
]

export const MoneyReports = ({ reported }: { readonly reported: ReadonlyArray<Reported> }) =>
  reported.length === 0 ? (
    <p className="text-sm text-muted">The provider has reported no money for this attempt.</p>
  ) : (
    <Table
      label="Money that the provider reported"
      columns={reportedColumns}
      rows={reported}
      rowKey={({ kind, recordedAt, reference, source }) => [kind, recordedAt, reference, source].join(" ")}
    />
  )

const evidenceColumns: ReadonlyArray<Column<Evidence>> = [
  { title: "Recorded", cell: ({ recordedAt }) => <Time at={recordedAt} /> },
  { title: "From", cell: ({ source }) => sourceWord(source) },
  {
    title: "Reported",
    cell: ({ kind, vendorCode }) => (
      <>
        {wordOf(kind)}
        {vendorCode !== null && (
          <span className="block text-xs text-muted">
            <Foreign text={vendorCode} />
          </span>
        )}
      </>
    )
  },
  {
    title: "Document",
    hideBelow: "sm",
    cell: ({ document, source }) => {
      if (document === null) return <Nothing />
      return source === "operator" ? <Foreign text={document} /> : <Id id={document} label="Copy digest" />
    }
  }
]

export const EvidenceTable = ({ evidence }: { readonly evidence: ReadonlyArray<Evidence> }) => (
  <Section
    title="Reported to Paymux"
    description="Reports of providers and statements of operators that changed this payment, oldest first: the last 500."
  >
    {evidence.length === 0 ? (
      <p className="text-sm text-muted">Only responses to requests from Paymux.</p>
    ) : (
      <Table
        label="Evidence"
        columns={evidenceColumns}
        rows={evidence}
        rowKey={({ eventId, kind, operationId, recordedAt, source }) =>
          [recordedAt, source, kind, operationId, eventId].join(" ")
        }
      />
    )}
  </Section>
)

const resolvedColumns: ReadonlyArray<Column<Answer>> = [
  { title: "Review", cell: ({ review }) => <Id id={review} /> },
  { title: "Resolution", cell: ({ resolution }) => resolutionWords[resolution] },
  { title: "When", cell: ({ resolvedAt }) => <Time at={resolvedAt} /> }
]

export const Resolved = ({ resolved }: { readonly resolved: ReadonlyArray<Answer> }) =>
  resolved.length === 0 ? null : (
    <Section title="Resolved before">
      <Table
        label="Former resolutions"
        columns={resolvedColumns}
        rows={resolved}
        rowKey={({ resolvedAt, review }) => `${review} ${resolvedAt}`}
      />
    </Section>
  )
