/** What waits for an operator, by age or by amount. */
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List, pageSize } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import type { Search } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Empty, Foreign, Page } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { Note } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { isReason, meaningOf, reasons } from "./reviewWords.ts"

type Review = Schemas["Review"]

const filters = [
  { kind: "choice", name: "reason", label: "Reason", options: reasons },
  { kind: "text", name: "provider", label: "Provider", hint: "The name of the instance, such as acme_eu." },
  { kind: "text", name: "currency", label: "Currency", hint: "Such as EUR." },
  { kind: "days", label: "Opened" }
] as const

export const ReviewsPage = () => {
  const path = useTenant()
  const search = useListSearch()
  const byAmount = valueOf(search, "order") === "amount"
  const needsCurrency = byAmount && valueOf(search, "currency") === undefined
  const query = useGet(
    "/dashboard/api/{account}/{mode}/reviews",
    { path, query: queryOf(search) },
    { keep: true, enabled: !needsCurrency, refetchInterval: 30_000 }
  )
  return (
    <Page
      title="Reviews"
      description="Payments that Paymux cannot settle safely. Each waits until an operator resolves it."
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Filters filters={filters} />
        <Order byAmount={byAmount} currency={query.data?.data[0]?.currency} />
      </div>
      {needsCurrency ? (
        <Note tone="info">
          <p>Amounts can be compared in one currency only. Filter by a currency.</p>
        </Note>
      ) : (
        <List
          label="Open reviews"
          columns={columns}
          query={query}
          rowKey={({ id }) => id}
          rowPath={({ paymentId }) => `reviews/${encodeURIComponent(paymentId)}`}
          empty={<NoReviews filtered={filters.some((filter) => "name" in filter && filter.name in search)} />}
        />
      )}
    </Page>
  )
}

const queryOf = (search: Search) => {
  const reason = valueOf(search, "reason")
  const texts = {
    provider: valueOf(search, "provider"),
    currency: valueOf(search, "currency")?.toUpperCase(),
    from: valueOf(search, "from"),
    until: valueOf(search, "until"),
    after: valueOf(search, "after")
  }
  return {
    limit: String(pageSize),
    order: valueOf(search, "order") === "amount" ? ("amount" as const) : ("age" as const),
    ...(isReason(reason) && { reason }),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined))
  }
}

const columns: ReadonlyArray<Column<Review>> = [
  {
    title: "Reason",
    cell: ({ reason }) => (
      <>
        <span className="font-medium">{wordOf(reason)}</span>
        <span className="block text-xs text-muted max-md:hidden">{meaningOf(reason)}</span>
      </>
    )
  },
  {
    title: "In question",
    align: "right",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />
  },
  { title: "Open since", cell: ({ since }) => <Time at={since} /> },
  { title: "Provider", hideBelow: "sm", cell: ({ provider }) => <Foreign text={provider} /> },
  { title: "Payment", hideBelow: "md", cell: ({ paymentId }) => <Id id={paymentId} /> }
]

/** By amount a currency is needed: that of the first review, unless one is chosen. */
const Order = ({ byAmount, currency }: { readonly byAmount: boolean; readonly currency: string | undefined }) => {
  const set = useSetSearch()
  const chosen = valueOf(useListSearch(), "currency")
  return (
    <div role="group" aria-label="Order" className="flex rounded-md border border-line p-0.5">
      <Button
        look="ghost"
        className={orderLook(!byAmount)}
        aria-pressed={!byAmount}
        onClick={() => set({ order: undefined })}
      >
        Oldest first
      </Button>
      <Button
        look="ghost"
        className={orderLook(byAmount)}
        aria-pressed={byAmount}
        onClick={() => set({ order: "amount", currency: chosen ?? currency })}
      >
        Largest first
      </Button>
    </div>
  )
}

const orderLook = (isChosen: boolean): string => `h-6! px-2! text-xs! ${isChosen ? "bg-accent-soft text-accent!" : ""}`

const NoReviews = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? (
    <Empty title="No review matches these filters" />
  ) : (
    <Empty title="No open reviews">
      <p>Paymux settles payments automatically. A review appears here if it cannot do so safely.</p>
    </Empty>
  )
