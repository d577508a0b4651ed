/**
 * The SQL of one page of payments, put together from fixed fragments.
 *
 * As on SQLite it walks one index from the cursor on, in the order of the page, and stops when the page is full: that of
 * the filter which usually leaves least, once for each of its values, or that of the tenant.
 */
import type { ListQuery, Tenant } from "@paymux/core"
import { equalities, mostBranches } from "../listFilters.ts"
import { fragments } from "./Fragments.ts"
import type { Fragments, PgStatement } from "./Fragments.ts"
import { recordColumns } from "./records.ts"

/** Answers up to `limit + 1` rows, newest first. */
export const listStatement = (tenant: Tenant, query: ListQuery): PgStatement => {
  const statement = fragments()
  const [driver, ...others] = equalities(query)
  // What is in review is few, and has an index of its own.
  const drives = driver !== undefined && !query.inReview && driver.values.length <= mostBranches
  const walked: ReadonlyArray<string | null> = drives ? driver.values : [null]
  const tested = drives || driver === undefined ? others : [driver, ...others]
  const direction = query.position?.side === "before" ? "ASC" : "DESC"
  const limit = statement.bind(query.limit + 1, "bigint")
  const common = [
    `account = ${statement.bind(tenant.account, "text")} AND livemode = ${statement.bind(tenant.livemode, "boolean")}`,
    ...position(statement, query),
    ...since(statement, tenant, query),
    ...tested.map(({ column, values }) => `${column} = ANY (${statement.bind(values, "text[]")})`),
    ...(query.inReview ? ["review IS NOT NULL"] : []),
    ...(query.createdBefore === null ? [] : [`created_at < ${statement.bind(query.createdBefore, "bigint")}`]),
    ...Object.entries(query.metadata).flatMap(([key, values]) => metadata(statement, key, values))
  ]
  const branches = walked.map((value) => {
    const own = value === null || driver === undefined ? [] : [`${driver.column} = ${statement.bind(value, "text")}`]
    return `(SELECT id FROM payments WHERE ${[...common, ...own].join(" AND ")} ORDER BY id ${direction} LIMIT ${limit})`
  })
  return {
    sql: `SELECT ${recordColumns} FROM (
      SELECT id FROM (${branches.join(" UNION ALL ")}) walked ORDER BY id ${direction} LIMIT ${limit}
    ) page JOIN payments p ON p.id = page.id ORDER BY p.id DESC`,
    params: statement.params
  }
}

const position = (statement: Fragments, query: ListQuery): ReadonlyArray<string> =>
  query.position === null
    ? []
    : [`id ${query.position.side === "after" ? "<" : ">"} ${statement.bind(query.position.id, "text")}`]

/**
 * Where few payments are younger, the walk ends at the smallest id among them instead of at the beginning of time.
 * Where there are many, it is left open: the page is full long before.
 */
const since = (statement: Fragments, tenant: Tenant, query: ListQuery): ReadonlyArray<string> => {
  if (query.createdAfter === null) return []
  const after = statement.bind(query.createdAfter, "bigint")
  const account = statement.bind(tenant.account, "text")
  const livemode = statement.bind(tenant.livemode, "boolean")
  return [
    `created_at > ${after}`,
    `id >= (SELECT CASE WHEN count(*) < ${fewPayments} THEN min(id) ELSE '' END FROM (
      SELECT id FROM payments WHERE account = ${account} AND livemode = ${livemode} AND created_at > ${after}
      LIMIT ${fewPayments}) younger)`
  ]
}

const fewPayments = 5000

const metadata = (statement: Fragments, key: string, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.length === 0
    ? []
    : [`metadata::jsonb ->> ${statement.bind(key, "text")} = ANY (${statement.bind(values, "text[]")})`]
