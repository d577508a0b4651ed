/**
 * The SQL of one page of payments, put together from fixed fragments.
 *
 * It walks one index from the cursor on, in the order of the page, and stops when the page is full: the index of the
 * filter that usually leaves least, once for each of its values, merged; or that of the tenant. The other filters are
 * tested on the way, with a `+` that keeps SQLite from taking another index and sorting everything it finds there.
 */
import type { ListQuery, Tenant } from "@paymux/core"
import { equalities, mostBranches } from "../listFilters.ts"
import type { Equality } from "../listFilters.ts"
import { columnNames, paymentColumns } from "../columns.ts"
import type { SqlValue } from "../columns.ts"

export interface ListStatement {
  readonly sql: string
  readonly values: ReadonlyArray<SqlValue>
}

/** Answers up to `limit + 1` rows, newest first. */
export const listStatement = (tenant: Tenant, query: ListQuery): ListStatement => {
  const [driver, ...others] = equalities(query)
  // What is in review is few, and has an index of its own.
  const drives = driver !== undefined && !query.inReview && driver.values.length <= mostBranches
  const walked: ReadonlyArray<string | null> = drives ? driver.values : [null]
  const tested = drives || driver === undefined ? others : [driver, ...others]
  const from = query.inReview ? "payments INDEXED BY payments_in_review" : "payments"
  const walk = (value: string | null) =>
    conjunction(
      fragment("account = ? AND livemode = ?", tenant.account, tenant.livemode ? 1 : 0),
      value === null || driver === undefined ? nothing : fragment(`${driver.column} = ?`, value),
      position(query),
      since(tenant, query),
      ...tested.map(isAnyOf),
      query.inReview ? fragment("review IS NOT NULL") : nothing,
      query.createdBefore === null ? nothing : fragment("+created_at < ?", query.createdBefore),
      ...Object.entries(query.metadata).map(([key, values]) => metadataIsAnyOf(key, values))
    )
  const branches = walked.map(walk)
  const direction = query.position?.side === "before" ? "ASC" : "DESC"
  return {
    sql: `SELECT ${columns} FROM payments WHERE id IN (
      SELECT id FROM (${branches.map(({ sql }) => `SELECT id FROM ${from} WHERE ${sql}`).join(" UNION ALL ")}
        ORDER BY id ${direction} LIMIT ?)
    ) ORDER BY id DESC`,
    values: [...branches.flatMap(({ values }) => values), query.limit + 1]
  }
}

const columns = columnNames(paymentColumns)

const nothing: ListStatement = { sql: "", values: [] }

const fragment = (sql: string, ...values: ReadonlyArray<SqlValue>): ListStatement => ({ sql, values })

const conjunction = (...parts: ReadonlyArray<ListStatement>): ListStatement => ({
  sql: parts
    .filter(({ sql }) => sql !== "")
    .map(({ sql }) => sql)
    .join(" AND "),
  values: parts.flatMap(({ values }) => values)
})

const position = (query: ListQuery): ListStatement => {
  if (query.position === null) return nothing
  return fragment(query.position.side === "after" ? "id < ?" : "id > ?", query.position.id)
}

/**
 * Where few payments are younger, the walk ends at the smallest id among them instead of at the beginning of time.
 * Where there are many, it is left open: the page is full long before.
 */
const since = (tenant: Tenant, query: ListQuery): ListStatement => {
  if (query.createdAfter === null) return nothing
  const livemode = tenant.livemode ? 1 : 0
  return fragment(
    `+created_at > ? AND id >= (
      SELECT CASE WHEN count(*) < ${fewPayments} THEN min(id) ELSE '' END FROM (
        SELECT id FROM payments INDEXED BY payments_by_created
        WHERE account = ? AND livemode = ? AND created_at > ? LIMIT ${fewPayments}))`,
    query.createdAfter,
    tenant.account,
    livemode,
    query.createdAfter
  )
}

const fewPayments = 5000

// The values are one JSON array, so that the text, and with it the prepared statement, is the same for any number.
const isAnyOf = ({ column, values }: Equality): ListStatement =>
  fragment(`+${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values))

// Of the keys that the configuration lists, an index will serve here; any other key is looked for on the walk.
const metadataIsAnyOf = (key: string, values: ReadonlyArray<string>): ListStatement =>
  values.length === 0
    ? nothing
    : fragment(
        "EXISTS (SELECT 1 FROM json_each(metadata) AS entry WHERE entry.key = ? AND entry.value IN (SELECT value FROM json_each(?)))",
        key,
        JSON.stringify(values)
      )
