/** The runs that have read a provider's statement, newest first. */
import { useGet } from "../../api/client.ts"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Empty, Foreign } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { Time } from "../../ui/Time.tsx"
import { Dash } from "./cells.tsx"
import { ProviderStatement, useProviderParam } from "./ProviderStatement.tsx"
import { sourceText } from "./statementWords.ts"
import type { Run } from "./statementWords.ts"
import { NewDifferences, RunState, Why } from "./Summary.tsx"

export const RunsPage = () => (
  <ProviderStatement>
    <Runs />
  </ProviderStatement>
)

const isUnderWay = ({ state }: Run): boolean => state === "reading" || state === "comparing"

const Runs = () => {
  const path = useTenant()
  const provider = useProviderParam()
  const query = useGet(
    "/dashboard/api/{account}/{mode}/statements/runs",
    { path, query: { ...listQuery(useListSearch(), []), provider } },
    { keep: true, refetchInterval: (page) => (page?.data.some(isUnderWay) === true ? 5_000 : 30_000) }
  )
  return (
    <List
      label="Runs"
      columns={columns}
      query={query}
      rowKey={({ id }) => String(id)}
      empty={
        <Empty title="Nothing was read yet">
          <p>A running server reads the statement once a day.</p>
        </Empty>
      }
    />
  )
}

const columns: ReadonlyArray<Column<Run>> = [
  { title: "Run", cell: ({ id }) => <span className="numbers">{id}</span> },
  {
    title: "State",
    cell: ({ problem, state }) => (
      <>
        <RunState state={state} />
        {problem !== null && <Why problem={problem} />}
      </>
    )
  },
  { title: "Started", hideBelow: "sm", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: "From", hideBelow: "sm", cell: (run) => (isWithoutTime(run) ? <Dash /> : <Time at={run.since} />) },
  { title: "Until", hideBelow: "sm", cell: (run) => (isWithoutTime(run) ? <Dash /> : <Time at={run.until} />) },
  { title: "Matched", align: "right", hideBelow: "sm", cell: ({ counts }) => <Count count={counts.matched} /> },
  { title: "New differences", align: "right", cell: (run) => <NewDifferences run={run} /> },
  { title: "Other systems", align: "right", hideBelow: "md", cell: ({ counts }) => <Count count={counts.foreign} /> },
  { title: "Read before", align: "right", hideBelow: "md", cell: ({ counts }) => <Count count={counts.repeated} /> },
  { title: "Source", hideBelow: "lg", cell: ({ source }) => <Foreign text={sourceText(source)} /> }
]

/** A file without a stated time. */
const isWithoutTime = ({ since, until }: Run): boolean => since === until

const Count = ({ count }: { readonly count: number }) => <span className="numbers">{countText(count)}</span>
