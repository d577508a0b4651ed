import { useGet } from "../../api/client.ts"
import { List, pageSize } from "../../lists/List.tsx"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Empty, Page } from "../../ui/Layout.tsx"
import { Note } from "../../ui/Problem.tsx"
import { exactTime } from "../../ui/Time.tsx"
import { ColumnChooser } from "./list/ColumnChooser.tsx"
import { ExportButton } from "./list/ExportDialog.tsx"
import { useColumns } from "./list/paymentColumns.tsx"
import type { PaymentColumn } from "./list/paymentColumns.tsx"
import { PaymentFilters } from "./list/PaymentFilters.tsx"
import { filtersIn, readQuery } from "./list/paymentFilters.ts"
import type { PaymentQuery } from "./list/paymentFilters.ts"
import { SavedViews } from "./list/SavedViews.tsx"

export const PaymentsPage = () => {
  const { account, mode } = useTenant()
  const read = readQuery(useListSearch())
  const { choose, names, shown } = useColumns()
  return (
    <Page
      title="Payments"
      actions={
        <>
          <ColumnChooser names={names} choose={choose} />
          {read._tag === "Query" && <ExportButton query={read.query} />}
        </>
      }
    >
      <SavedViews key={`${account} ${mode}`} />
      <PaymentFilters />
      {read._tag === "Query" ? (
        <Payments query={read.query} columns={shown} />
      ) : (
        <Note tone="warn" role="alert">
          <p>{read.sentence}</p>
        </Note>
      )}
    </Page>
  )
}

interface PaymentsProps {
  readonly query: PaymentQuery
  readonly columns: ReadonlyArray<PaymentColumn>
}

const Payments = ({ columns, query }: PaymentsProps) => {
  const search = useListSearch()
  const after = valueOf(search, "after")
  const payments = useGet(
    "/dashboard/api/{account}/{mode}/payments",
    { path: useTenant(), query: { ...query, limit: String(pageSize), ...(after !== undefined && { after }) } },
    { keep: true }
  )
  return (
    <List
      label="Payments"
      columns={columns}
      query={payments}
      rowKey={({ id }) => id}
      rowPath={({ id }) => `payments/${id}`}
      searched={searchedText(payments.data?.searchedUntil)}
      empty={Object.keys(filtersIn(search)).length === 0 ? <NoPayments /> : <NothingFound />}
    />
  )
}

const searchedText = (until: number | undefined) =>
  until === undefined
    ? undefined
    : `Searched payments back to ${exactTime(until)}. Older payments may match, because a metadata key in the filter has no index.`

const NoPayments = () => (
  <Empty title="No payments yet">
    <p>Create the first payment with an API key of this account and mode.</p>
    <TenantLink path="keys">API keys</TenantLink>
  </Empty>
)

const NothingFound = () => (
  <Empty title="No payment matches">
    <p>Remove a filter, or look for another value. Emails and references are compared as a whole.</p>
    <TenantLink path="payments">Show all payments</TenantLink>
  </Empty>
)
