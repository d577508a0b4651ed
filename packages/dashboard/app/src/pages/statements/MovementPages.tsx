/** Payouts to the bank, and movements of other systems at the same account. */
import { useGet } from "../../api/client.ts"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Empty } from "../../ui/Layout.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { Dash, MoneyOrDash, SignedMoney } from "./cells.tsx"
import { FindPayout } from "./FindPayout.tsx"
import { ProviderStatement, useProviderParam } from "./ProviderStatement.tsx"
import type { Movement } from "./statementWords.ts"

export const PayoutsPage = () => (
  <ProviderStatement>
    <Payouts />
  </ProviderStatement>
)

export const ForeignPage = () => (
  <ProviderStatement>
    <OfOtherSystems />
  </ProviderStatement>
)

const useMovements = (of: "payouts" | "foreign") => {
  const path = { ...useTenant(), id: useProviderParam() }
  const page = listQuery<{ readonly limit?: string; readonly after?: string }>(useListSearch(), [])
  return useGet(
    "/dashboard/api/{account}/{mode}/statements/{id}/movements",
    { path, query: { of, ...page } },
    { keep: true }
  )
}

const payoutPath = (provider: string): string => `statements/${encodeURIComponent(provider)}/payout`

const Payouts = () => {
  const provider = useProviderParam()
  return (
    <>
      <FindPayout path={payoutPath(provider)} />
      <List
        label="Payouts"
        columns={payoutColumns(provider)}
        query={useMovements("payouts")}
        rowKey={({ id }) => id}
        rowPath={({ payout }) => (payout === null ? null : payoutPath(provider))}
        rowSearch={({ payout }) => ({ payout: payout ?? undefined })}
        empty={
          <Empty title="No payouts">
            <p>Transfers to the bank appear here, if the provider&apos;s statement contains them.</p>
          </Empty>
        }
      />
    </>
  )
}

const payoutColumns = (provider: string): ReadonlyArray<Column<Movement>> => [
  {
    title: "Payout",
    cell: ({ id, payout }) =>
      payout === null ? (
        <>
          <Id id={id} label="Copy movement" />
          <span className="block text-xs text-muted">The statement does not name what it consists of.</span>
        </>
      ) : (
        <TenantLink path={payoutPath(provider)} search={{ payout }}>
          <bdi className="font-mono text-xs break-all">{payout}</bdi>
        </TenantLink>
      )
  },
  {
    title: "Amount",
    align: "right",
    cell: ({ amount, direction }) => (
      <>
        <MoneyOrDash money={amount} />
        {direction === "in" && <span className="block text-xs text-muted">Returned by the bank</span>}
      </>
    )
  },
  { title: "Fee", align: "right", hideBelow: "sm", cell: ({ fee }) => <MoneyOrDash money={fee} /> },
  { title: "Booked", cell: ({ bookedAt }) => <Time at={bookedAt} /> }
]

const OfOtherSystems = () => (
  <>
    <p className="max-w-3xl text-sm text-muted">
      Movements that name no payment of this installation. They belong to other systems at the same account, and are no
      differences.
    </p>
    <List
      label="Movements of other systems"
      columns={foreignColumns}
      query={useMovements("foreign")}
      rowKey={({ id }) => id}
      empty={
        <Empty title="No movements of other systems">
          <p>Every movement of the statement belongs to a payment of this installation, or to the account itself.</p>
        </Empty>
      }
    />
  </>
)

const foreignColumns: ReadonlyArray<Column<Movement>> = [
  { title: "Type", cell: ({ type }) => wordOf(type) },
  { title: "Amount", align: "right", cell: (movement) => <SignedMoney {...movement} /> },
  { title: "Fee", align: "right", hideBelow: "sm", cell: ({ fee }) => <MoneyOrDash money={fee} /> },
  {
    title: "Reference",
    cell: ({ reference }) => (reference === null ? <Dash /> : <Id id={reference} label="Copy reference" />)
  },
  { title: "Movement", hideBelow: "md", cell: ({ id }) => <Id id={id} label="Copy movement" /> },
  { title: "Booked", cell: ({ bookedAt }) => <Time at={bookedAt} /> }
]
