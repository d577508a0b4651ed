/** One payout: what was transferred to the bank, and of which payments it consists. */
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Details, Empty, Foreign, Page, Section } from "../../ui/Layout.tsx"
import { Money } from "../../ui/Money.tsx"
import { countText } from "../../ui/numbers.ts"
import { Note } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { Dash, MoneyOrDash, NetMoney, PaymentOf, SignedMoney } from "./cells.tsx"
import { useProviderParam } from "./ProviderStatement.tsx"
import type { Movement, Payout } from "./statementWords.ts"
import { Unread } from "./Unread.tsx"

export const PayoutPage = () => {
  const path = useTenant()
  const id = useProviderParam()
  const payout = valueOf(useListSearch(), "payout") ?? ""
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/statements/{id}/payout", {
    path: { ...path, id },
    query: { payout }
  })
  if (data !== undefined) return <Loaded payout={data} />
  return (
    <Page title="Payout">
      {isProblem(error, "not_found") ? (
        <Empty title="There is no such payout in this mode">
          <TenantLink path="statements">Statements</TenantLink>
        </Empty>
      ) : (
        <Unread error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

const Loaded = ({ payout }: { readonly payout: Payout }) => {
  const { id, provider, transfers } = payout
  return (
    <Page
      title="Payout"
      heading={
        <span className="inline-flex flex-wrap items-center gap-x-3">
          Payout
          {transfers.map((transfer) => (
            <MoneyOrDash key={transfer.id} money={transfer.amount} />
          ))}
        </span>
      }
      description={
        <TenantLink path={`statements/${encodeURIComponent(provider)}/payouts`}>Payouts of {provider}</TenantLink>
      }
    >
      <Details
        entries={[
          ["Payout", <Id id={id} label="Copy payout" />],
          ["Provider", <Foreign text={provider} />],
          ["Transferred", transfers.length === 0 ? null : <Transfers transfers={transfers} />]
        ]}
      />
      {transfers.length === 0 && (
        <Note tone="info">
          <p>The statement does not contain the transfer itself.</p>
        </Note>
      )}
      <Parts payout={payout} />
      <Movements payout={payout} />
    </Page>
  )
}

const Transfers = ({ transfers }: Pick<Payout, "transfers">) => (
  <ul className="flex flex-col gap-1">
    {transfers.map(({ amount, bookedAt, direction, id }) => (
      <li key={id} className="flex flex-wrap gap-x-2">
        <MoneyOrDash money={amount} />
        <span className="text-muted">{direction === "in" ? "returned by the bank" : "to the bank"}</span>
        <Time at={bookedAt} />
      </li>
    ))}
  </ul>
)

type Part = Payout["parts"][number]

const Parts = ({ payout: { nets, parts, withoutNet } }: { readonly payout: Payout }) => (
  <Section title="What it consists of" description="Amounts before fees.">
    {parts.length === 0 ? (
      <Empty title="No movements">
        <p>No other movement of the statement names this payout.</p>
      </Empty>
    ) : (
      <Table
        label="Sums by type"
        columns={partColumns}
        rows={parts}
        rowKey={({ currency, direction, type }) => `${type} ${direction} ${currency}`}
      />
    )}
    {nets.length > 0 && (
      <p className="flex flex-wrap gap-x-3 text-sm">
        <span className="text-muted">Sum of net amounts, after fees</span>
        {nets.map(({ amount, currency }) => (
          <Money key={currency} amount={amount} currency={currency} />
        ))}
      </p>
    )}
    {withoutNet > 0 && <p className="text-sm text-muted">{withoutNetText(withoutNet, nets.length > 0)}</p>}
  </Section>
)

const withoutNetText = (count: number, hasSum: boolean): string => {
  if (!hasSum) return "The statement has no net amounts of these movements."
  return count === 1
    ? "One movement without a net amount is not in the sum."
    : `${countText(count)} movements without a net amount are not in the sum.`
}

const partColumns: ReadonlyArray<Column<Part>> = [
  { title: "Type", cell: ({ type }) => wordOf(type) },
  { title: "Movements", align: "right", cell: ({ count }) => countText(count) },
  {
    title: "Sum",
    align: "right",
    cell: ({ amount, currency, direction }) => (
      <Money amount={direction === "out" ? `-${amount}` : amount} currency={currency} />
    )
  }
]

const Movements = ({ payout: { id: payout, provider: id } }: { readonly payout: Payout }) => {
  const path = { ...useTenant(), id }
  const page = listQuery<{ readonly limit?: string; readonly after?: string }>(useListSearch(), [])
  const query = useGet(
    "/dashboard/api/{account}/{mode}/statements/{id}/movements",
    { path, query: { of: "payout", payout, ...page } },
    { keep: true }
  )
  return (
    <Section title="Movements" description="Newest first.">
      <List
        label="Movements of the payout"
        columns={columns}
        query={query}
        rowKey={(movement) => movement.id}
        rowPath={({ account, paymentId }) =>
          paymentId !== null && account === path.account ? `payments/${encodeURIComponent(paymentId)}` : null
        }
        empty={<Empty title="No movements on this page" />}
      />
    </Section>
  )
}

const columns: ReadonlyArray<Column<Movement>> = [
  {
    title: "Type",
    cell: ({ result, type }) => (
      <>
        {wordOf(type)}
        {result === "foreign" && <span className="block text-xs text-muted">Of another system</span>}
      </>
    )
  },
  { title: "Amount", align: "right", cell: (movement) => <SignedMoney {...movement} /> },
  { title: "Fee", align: "right", hideBelow: "sm", cell: ({ fee }) => <MoneyOrDash money={fee} /> },
  { title: "Net", align: "right", hideBelow: "sm", cell: (movement) => <NetMoney movement={movement} /> },
  { title: "Payment", cell: (movement) => <PaymentOf {...movement} /> },
  {
    title: "Reference",
    hideBelow: "md",
    cell: ({ reference }) => (reference === null ? <Dash /> : <Id id={reference} label="Copy reference" />)
  },
  { title: "Booked", hideBelow: "sm", cell: ({ bookedAt }) => <Time at={bookedAt} /> }
]
