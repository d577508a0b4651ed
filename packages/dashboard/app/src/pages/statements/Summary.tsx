/** How far each statement was read, and how its last run ended. */
import type { Column } from "../../lists/List.tsx"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Empty, Foreign } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { Status } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { Dash } from "./cells.tsx"
import { differencesOf, sourceText } from "./statementWords.ts"
import type { Run, Statement } from "./statementWords.ts"

export const Summary = ({ statements }: { readonly statements: ReadonlyArray<Statement> }) =>
  statements.length === 0 ? (
    <Empty title="No provider of this mode has a statement">
      <p>For a provider whose adapter has none, read a report in CSV.</p>
    </Empty>
  ) : (
    <Table label="Statements of providers" columns={columns} rows={statements} rowKey={({ provider }) => provider} />
  )

const columns: ReadonlyArray<Column<Statement>> = [
  {
    title: "Provider",
    cell: (statement) => (
      <>
        <TenantLink path={`statements/${encodeURIComponent(statement.provider)}`}>
          <bdi className="font-mono text-xs">{statement.provider}</bdi>
        </TenantLink>
        <span className="block text-xs text-muted sm:hidden">
          {statement.readUntil !== null && "Read until "}
          <ReadUntil statement={statement} />
        </span>
      </>
    )
  },
  { title: "Read until", hideBelow: "sm", cell: (statement) => <ReadUntil statement={statement} /> },
  { title: "Last run", cell: ({ lastRun }) => (lastRun === null ? <Dash /> : <Ended run={lastRun} />) },
  {
    title: "New differences",
    align: "right",
    hideBelow: "sm",
    cell: ({ lastRun }) => (lastRun === null ? <Dash /> : <NewDifferences run={lastRun} />)
  },
  {
    title: "Source",
    hideBelow: "md",
    cell: ({ lastRun }) => (lastRun === null ? <Dash /> : <Foreign text={sourceText(lastRun.source)} />)
  }
]

export const ReadUntil = ({ statement: { hasStatement, readUntil } }: { readonly statement: Statement }) => {
  if (readUntil !== null) return <Time at={readUntil} />
  return <span className="text-muted">{hasStatement ? "Not read yet" : "Files only"}</span>
}

/** The state of a run, and why it failed. */
export const Ended = ({ run: { endedAt, problem, state, updatedAt } }: { readonly run: Run }) => (
  <>
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <RunState state={state} />
      <Time at={endedAt ?? updatedAt} />
    </span>
    {problem !== null && <Why problem={problem} />}
  </>
)

export const RunState = ({ state }: Pick<Run, "state">) => <Status word={state} tone={tones[state]} />

const tones = { reading: "accent", comparing: "accent", complete: "good", canceled: "quiet", failed: "bad" } as const

export const Why = ({ problem }: { readonly problem: string }) => (
  <span className="block max-w-96 min-w-36 text-xs text-bad">
    <Foreign text={problem.charAt(0).toUpperCase() + problem.slice(1)} />
  </span>
)

/** Those that this run found first, with a link to them. */
export const NewDifferences = ({ run }: { readonly run: Run }) => {
  const count = differencesOf(run)
  if (count === 0) return <span className="numbers">0</span>
  return (
    <TenantLink
      path="statements"
      search={{ run: String(run.id) }}
      className="numbers font-medium text-accent hover:underline"
    >
      {countText(count)}
    </TenantLink>
  )
}
