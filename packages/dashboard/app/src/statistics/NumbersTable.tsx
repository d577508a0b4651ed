/** Groups of a period as a small table, most frequent first. */
import { useState } from "react"
import type { Column } from "../lists/List.tsx"
import { Button } from "../ui/Button.tsx"
import { Empty, SkeletonLines } from "../ui/Layout.tsx"
import { ProblemNote } from "../ui/Problem.tsx"
import { Table } from "../ui/Table.tsx"
import type { Numbers } from "./reads.ts"

interface NumbersTableProps {
  readonly label: string
  readonly query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown }
  readonly groups: ReadonlyArray<Numbers>
  readonly empty: string
  readonly columns: ReadonlyArray<Column<Numbers>>
}

const few = 8

export const NumbersTable = ({ columns, empty, groups, label, query }: NumbersTableProps) => {
  const [all, setAll] = useState(false)
  if (query.data === undefined) {
    return query.error === null ? (
      <SkeletonLines lines={4} />
    ) : (
      <ProblemNote error={query.error} onRetry={() => void query.refetch()} />
    )
  }
  if (groups.length === 0) return <Empty title={empty} />
  const sorted = groups.toSorted((one, other) => other.count - one.count)
  return (
    <div className="flex flex-col items-start gap-2">
      <Table
        label={label}
        columns={columns}
        rows={all ? sorted : sorted.slice(0, few)}
        rowKey={({ group }) => group ?? ""}
      />
      {sorted.length > few && (
        <Button look="ghost" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${sorted.length}`}
        </Button>
      )}
    </div>
  )
}
