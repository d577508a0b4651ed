/** The circuit breakers of a provider instance: one for each operation in each process, and how they changed. */
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { pollInterval } from "../../statistics/reads.ts"
import { Empty, Foreign, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { useBreakers, worstFirst } from "./reads.ts"
import type { Breaker } from "./reads.ts"

type Transition = Schemas["CircuitBreakerTransition"]

export const Breakers = ({ id }: { readonly id: string }) => {
  const query = useBreakers(id)
  const history = useGet(
    "/dashboard/api/{account}/{mode}/breakers/history",
    { path: { ...useTenant() }, query: { provider: id, limit: "20", ...cursor(valueOf(useListSearch(), "after")) } },
    { refetchInterval: pollInterval, keep: true }
  )
  if (isProblem(query.error, "forbidden")) {
    return (
      <Section title="Circuit breakers">
        <p className="text-sm text-muted">
          They belong to the installation: you need a role in every account to see them.
        </p>
      </Section>
    )
  }
  return (
    <>
      <Section
        title="Circuit breakers"
        description="While one is open, its process sends this operation to another provider."
      >
        <Current query={query} />
      </Section>
      <Section title="History of breakers" description="Newest first.">
        <List
          label="History of circuit breakers"
          query={history}
          columns={historyColumns}
          rowKey={({ at, from, operation, process }) => `${at} ${process} ${operation} ${from}`}
          empty={<Empty title="No breaker has changed">Changes of state appear here.</Empty>}
        />
      </Section>
    </>
  )
}

const Current = ({ query: { data, error, refetch } }: { readonly query: ReturnType<typeof useBreakers> }) => {
  if (data === undefined) {
    return error === null ? <SkeletonLines lines={3} /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  }
  if (data.data.length === 0) {
    return <Empty title="No breaker yet">A breaker is listed once a running server has called the provider.</Empty>
  }
  return (
    <Table
      label="Circuit breakers"
      columns={columns}
      rows={worstFirst(data.data)}
      rowKey={({ operation, process }) => `${process} ${operation}`}
    />
  )
}

const cursor = (after: string | undefined) => (after === undefined ? {} : { after })

/** Why a breaker is in its state. */
const causes: { readonly [cause in Transition["cause"]]: string } = {
  failure_rate: "Too many calls failed",
  misconfigured: "The provider refused the credentials",
  open_time_over: "Ready for a test call",
  probe_succeeded: "The test call succeeded",
  probe_answered: "The provider answered the test call",
  probe_failed: "The test call failed"
}

const columns: ReadonlyArray<Column<Breaker>> = [
  { title: "Operation", cell: ({ operation }) => wordOf(operation) },
  { title: "State", cell: ({ state }) => <Status word={state} /> },
  { title: "Cause", cell: ({ cause }) => (cause === null ? <span className="text-muted">–</span> : causes[cause]) },
  { title: "Since", cell: ({ since }) => <Time at={since} /> },
  {
    title: "Process",
    hideBelow: "sm",
    cell: ({ host, pid }) => (
      <>
        <Foreign text={host} /> <span className="numbers text-muted">{pid}</span>
      </>
    )
  },
  { title: "Reported", hideBelow: "md", cell: ({ seenAt }) => <Time at={seenAt} /> }
]

const historyColumns: ReadonlyArray<Column<Transition>> = [
  { title: "When", cell: ({ at }) => <Time at={at} /> },
  { title: "Operation", cell: ({ operation }) => wordOf(operation) },
  {
    title: "Change",
    cell: ({ from, to }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Status word={from} />
        <span aria-hidden>→</span>
        <span className="sr-only">to</span>
        <Status word={to} />
      </span>
    )
  },
  { title: "Cause", cell: ({ cause }) => causes[cause] },
  { title: "Process", hideBelow: "sm", cell: ({ host }) => <Foreign text={host} /> }
]
