/**
 * A list of a page: a table whose rows lead somewhere, with `j` and `k` to move and Enter to open, and links to the next
 * page. The cursor is in the URL, so that Back is the previous page.
 */
import { useNavigate } from "@tanstack/react-router"
import { useRef } from "react"
import type { KeyboardEvent, ReactNode } from "react"
import { Button } from "../ui/Button.tsx"
import { ProblemNote } from "../ui/Problem.tsx"
import { Empty, SkeletonLines } from "../ui/Layout.tsx"
import { tenantPath, useTenant } from "../session/session.ts"
import { useShortcuts } from "../shell/shortcuts.ts"
import { useListSearch, useSetSearch, valueOf } from "./search.ts"
import type { Search } from "./search.ts"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: "right"
  /** Left out on narrow screens. */
  readonly hideBelow?: "sm" | "md" | "lg"
}

/** Entries of a page: what lists ask for. */
export const pageSize = 50

interface ListProps<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly query: {
    readonly data: { readonly data: ReadonlyArray<Row>; readonly next?: string | null } | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly rowKey: (row: Row) => string
  /** Where a row leads: a path below the account and mode, such as `payments/pay_…`. `null`: nowhere. */
  readonly rowPath?: (row: Row) => string | null
  /** The search parameters of that address. */
  readonly rowSearch?: (row: Row) => Search
  readonly empty: ReactNode
  /** How far a search went that ended before the page was full: the next page continues it. */
  readonly searched?: ReactNode
}

const hidden = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden" } as const

export const List = <Row,>({ columns, empty, label, query, rowKey, rowPath, rowSearch, searched }: ListProps<Row>) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const openRow = useOpenRow(rowPath, rowSearch)
  const move = (step: 1 | -1) => moveFocus(body.current, step)
  useShortcuts({ j: () => move(1), k: () => move(-1) })
  const { data, error, refetch } = query
  if (data === undefined) {
    return error === null ? <SkeletonLines lines={8} /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  }
  const next = data.next ?? null
  if (data.data.length === 0) {
    if (searched === undefined) return empty
    return (
      <Empty title="No match so far">
        <SearchedPages next={next}>{searched}</SearchedPages>
      </Empty>
    )
  }
  const className = ({ align, hideBelow }: Column<Row>) =>
    `${align === "right" ? "text-right" : "text-left"} ${hideBelow === undefined ? "" : hidden[hideBelow]}`
  return (
    <div className="flex flex-col gap-2">
      <div className="overflow-x-auto rounded-lg border border-line" role="region" aria-label={label} tabIndex={0}>
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line bg-side">
              {columns.map((column) => (
                <th
                  key={column.title}
                  scope="col"
                  className={`px-3 py-2 text-xs font-medium whitespace-nowrap text-muted ${className(column)}`}
                >
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {data.data.map((row) => {
              const isOpenable = (rowPath?.(row) ?? null) !== null
              return (
                <tr
                  key={rowKey(row)}
                  tabIndex={isOpenable ? 0 : undefined}
                  data-row={isOpenable ? true : undefined}
                  onClick={(event) => openRow(row, event.target)}
                  onKeyDown={(event: KeyboardEvent<HTMLTableRowElement>) => {
                    if (event.key === "Enter") openRow(row, event.target)
                  }}
                  className={`border-b border-line last:border-0 ${isOpenable ? "cursor-pointer hover:bg-hover" : ""}`}
                >
                  {columns.map((column) => (
                    <td key={column.title} className={`max-w-80 px-3 py-2 align-top ${className(column)}`}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {searched === undefined ? (
        <Pages next={next} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <SearchedPages next={next}>{searched}</SearchedPages>
        </div>
      )}
    </div>
  )
}

/** A click on a link, a button or selected text within the row is not one on the row. */
const useOpenRow = <Row,>(rowPath: ListProps<Row>["rowPath"], rowSearch: ListProps<Row>["rowSearch"]) => {
  const navigate = useNavigate()
  const tenant = useTenant()
  return (row: Row, target: EventTarget) => {
    const isOwn = !(target instanceof Element) || target.closest("a, button, input, summary") === null
    const path = rowPath?.(row) ?? null
    if (path === null || !isOwn || window.getSelection()?.isCollapsed === false) return
    void navigate({ to: tenantPath(tenant, path), search: rowSearch?.(row) ?? {} })
  }
}

const moveFocus = (body: HTMLElement | null, step: 1 | -1) => {
  const rows = [...(body?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus()
}

const SearchedPages = ({ children, next }: { readonly children: ReactNode; readonly next: string | null }) => (
  <>
    <p role="status" className="text-sm text-muted">
      {children}
    </p>
    <Pages next={next} label="Continue the search" />
  </>
)

const Pages = ({ label = "Next page", next }: { readonly next: string | null; readonly label?: string }) => {
  const set = useSetSearch()
  const after = valueOf(useListSearch(), "after")
  if (next === null && after === undefined) return null
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      {after !== undefined && <Button onClick={() => set({ after: undefined })}>First page</Button>}
      {next !== null && <Button onClick={() => set({ after: next })}>{label}</Button>}
    </nav>
  )
}
