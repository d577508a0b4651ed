/** What providers reported, and no payment fits. */
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List, pageSize } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, valueOf, valuesOf } from "../../lists/search.ts"
import type { Search } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Id } from "../../ui/Copy.tsx"
import { Empty, Foreign, Page } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { EveryAccountNeeded } from "./EveryAccountNeeded.tsx"
import { isReportStatus, reportStatuses, toneOfReport } from "./reportWords.ts"
import type { Report } from "./reportWords.ts"

const filters = [
  { kind: "choices", name: "statuses", label: "Status", options: reportStatuses },
  { kind: "text", name: "provider", label: "Provider", hint: "The name of the instance, such as acme_eu." },
  { kind: "text", name: "kind", label: "Reported", hint: "Such as succeeded or refund_succeeded." },
  { kind: "days", label: "Received" }
] as const

export const ReportsPage = () => {
  const path = useTenant()
  const search = useListSearch()
  const query = useGet("/dashboard/api/{account}/{mode}/reports", { path, query: queryOf(search) }, { keep: true })
  const isFiltered = ["statuses", "provider", "kind", "from", "until"].some((name) => name in search)
  return (
    <Page
      title="Unmatched reports"
      description="Reports of providers that match no payment, for all accounts. Match each to its payment, or dismiss it."
    >
      {isProblem(query.error, "forbidden") ? (
        <EveryAccountNeeded />
      ) : (
        <>
          <Filters filters={filters} />
          <List
            label="Unmatched reports"
            columns={columns}
            query={query}
            rowKey={({ id }) => id}
            rowPath={({ id }) => `reports/${encodeURIComponent(id)}`}
            empty={
              isFiltered ? (
                <Empty title="No report matches these filters" />
              ) : (
                <Empty title="No unmatched reports">
                  <p>Every report of a provider belongs to a payment.</p>
                </Empty>
              )
            }
          />
        </>
      )}
    </Page>
  )
}

const queryOf = (search: Search) => {
  const statuses = valuesOf(search, "statuses").filter(isReportStatus)
  const texts = ["provider", "kind", "from", "until", "after"].flatMap((name) => {
    const text = valueOf(search, name)
    return text === undefined ? [] : [[name, text] as const]
  })
  return { limit: String(pageSize), ...(statuses.length > 0 && { statuses }), ...Object.fromEntries(texts) }
}

const columns: ReadonlyArray<Column<Report>> = [
  { title: "Status", cell: ({ status }) => <Status word={status} tone={toneOfReport(status)} /> },
  { title: "Reported", cell: ({ kind }) => <Foreign text={wordOf(kind)} /> },
  {
    title: "Amount",
    align: "right",
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? (
        <span className="text-muted">–</span>
      ) : (
        <Money amount={amount} currency={currency} />
      )
  },
  { title: "Provider", hideBelow: "sm", cell: ({ provider }) => <Foreign text={provider} /> },
  {
    title: "Provider reference",
    hideBelow: "md",
    cell: ({ reference }) =>
      reference === null ? <span className="text-muted">–</span> : <Id id={reference} label="Copy provider reference" />
  },
  { title: "Received", cell: ({ receivedAt }) => <Time at={receivedAt} /> }
]
