/** What providers have booked, compared with the books. */
import { useGet } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Code, Id } from "../../ui/Copy.tsx"
import { Empty, Foreign, Page, Section } from "../../ui/Layout.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { AccountLink, MoneyOrDash, PaymentOf } from "./cells.tsx"
import { useStatements } from "./reads.ts"
import { differenceKinds, titleOfKind, wordsOf } from "./statementWords.ts"
import type { Difference, Statement } from "./statementWords.ts"
import { Summary } from "./Summary.tsx"
import { Unread } from "./Unread.tsx"

const names = ["provider", "kind", "state", "run"] as const

const filters = [
  { kind: "choice", name: "kind", label: "Difference", options: differenceKinds, wordOf: titleOfKind },
  { kind: "choice", name: "state", label: "State", options: ["open", "resolved"] },
  { kind: "text", name: "provider", label: "Provider", hint: "The name of the instance, such as acme_eu." },
  { kind: "text", name: "run", label: "Run", hint: "The number of the run that found it first.", rare: true }
] as const

export const StatementsPage = () => {
  const { data, error, refetch } = useStatements()
  return (
    <Page
      title="Statements"
      description="What providers have booked, compared with the books, for all accounts of this mode."
    >
      {data === undefined ? <Unread error={error} onRetry={() => void refetch()} /> : <Loaded statements={data.data} />}
    </Page>
  )
}

const Loaded = ({ statements }: { readonly statements: ReadonlyArray<Statement> }) => (
  <>
    <Section
      title="Providers"
      description="A running server reads each statement once a day. To read them now, run this command on the server:"
    >
      <Code text="npx paymux reconcile" label="Copy the command" />
      <Summary statements={statements} />
    </Section>
    <Differences isAnyRead={statements.some(({ lastRun }) => lastRun !== null)} />
  </>
)

const Differences = ({ isAnyRead }: { readonly isAnyRead: boolean }) => {
  const path = useTenant()
  const search = useListSearch()
  const query = useGet(
    "/dashboard/api/{account}/{mode}/statements/differences",
    { path, query: listQuery(search, names) },
    { keep: true }
  )
  return (
    <Section title="Differences" description="No difference moves money. Newest first.">
      <Filters filters={filters} />
      <List
        label="Differences"
        columns={columns}
        query={query}
        rowKey={({ id }) => String(id)}
        rowPath={({ account, paymentId }) =>
          paymentId !== null && account === path.account ? `payments/${encodeURIComponent(paymentId)}` : null
        }
        empty={<NoDifferences isAnyRead={isAnyRead} isFiltered={names.some((name) => name in search)} />}
      />
    </Section>
  )
}

interface NoDifferencesProps {
  readonly isAnyRead: boolean
  readonly isFiltered: boolean
}

const NoDifferences = ({ isAnyRead, isFiltered }: NoDifferencesProps) => {
  if (isFiltered) return <Empty title="No difference matches these filters" />
  return isAnyRead ? (
    <Empty title="No differences">
      <p>What was read of the statements agrees with the books.</p>
    </Empty>
  ) : (
    <Empty title="No statement was read yet">
      <p>Differences from the books appear here.</p>
    </Empty>
  )
}

const columns: ReadonlyArray<Column<Difference>> = [
  {
    title: "Difference",
    cell: ({ expected, found, kind }) => (
      <div className="md:min-w-56">
        <span className="font-medium">{wordsOf(kind).title}</span>
        <span className="block text-xs text-muted max-md:hidden">{wordsOf(kind).meaning}</span>
        <span className="flex flex-col text-xs text-muted sm:hidden">
          <span>
            Expected <MoneyOrDash money={expected} />
          </span>
          <span>
            Found <MoneyOrDash money={found} />
          </span>
        </span>
      </div>
    )
  },
  { title: "Expected", align: "right", hideBelow: "sm", cell: ({ expected }) => <MoneyOrDash money={expected} /> },
  { title: "Found", align: "right", hideBelow: "sm", cell: ({ found }) => <MoneyOrDash money={found} /> },
  { title: "What follows", cell: (difference) => <Follows difference={difference} /> },
  { title: "Payment", cell: (difference) => <PaymentOf {...difference} /> },
  {
    title: "Provider, movement",
    hideBelow: "lg",
    cell: ({ movement, provider }) => (
      <div className="flex max-w-44 flex-col">
        <Foreign text={provider} />
        {movement !== null && <Id id={movement} label="Copy movement" />}
      </div>
    )
  },
  { title: "Detected", hideBelow: "sm", cell: ({ foundAt }) => <Time at={foundAt} /> }
]

const Follows = ({ difference }: { readonly difference: Difference }) => {
  const { account, isInReview, kind, paymentId, provider, resolvedAt } = difference
  if (resolvedAt !== null) {
    return (
      <>
        <Status word="resolved" tone="good" />
        <span className="block text-xs text-muted">
          Booked later: <Time at={resolvedAt} />
        </span>
      </>
    )
  }
  if (isInReview && paymentId !== null) {
    return (
      <AccountLink account={account} path={`reviews/${encodeURIComponent(paymentId)}`}>
        <Status word="in_review" />
      </AccountLink>
    )
  }
  const { follows } = wordsOf(kind)
  if (kind === "missing_here") {
    return (
      <TenantLink path="reports" search={{ provider }}>
        {follows}
      </TenantLink>
    )
  }
  return <span className="text-muted">{follows}</span>
}
