/**
 * The SQL of a list of payments.
 *
 * The statement scans one index from the cursor on, in the order of the page, and stops when the page is full. The
 * index is that of the filter that usually matches the fewest payments, scanned once for each of its values, or that of
 * the tenant. The other filters are tested on each row. The statement names the index for SQLite; PostgreSQL chooses
 * one by its statistics.
 */
import type { Tenant } from "@paymux/core"
import type { ListQuery } from "@paymux/core/store"
import type { Fragments, StatementText } from "../dialect/Fragments.ts"
import { byKind, hasNotSucceeded } from "../migrations/kinds.ts"
import { isOutOfOrder } from "../migrations/lists.ts"
import { sliceOfId } from "../migrations/slices.ts"
import type { SliceBound } from "../migrations/slices.ts"
import { sliceBounds } from "./amountSlices.ts"
import type { MostOfSlices } from "./amountSlices.ts"
import { rangeOf } from "./listFilters.ts"
import type { AmountRange, Equality, Walk } from "./listFilters.ts"
import type { Kind } from "./kinds.ts"

/**
 * Reads the payments of a page, newest first: up to `limit + 1` payments that the scan finds up to `end`, inclusive.
 */
export const pageStatement =
  (tenant: Tenant, query: ListQuery, walk: Walk, end: string | null = null): StatementText =>
  (statement) => {
    const { record, paymentsIn } = statement.sql
    const ids = pageIds(tenant, query, walk, end)(statement)
    return `SELECT ${record.whole} FROM ${paymentsIn(ids)} ORDER BY p.id DESC`
  }

/**
 * Reads the ids of up to `limit + 1` payments, nearest to the cursor first, that the scan finds up to `end`, inclusive.
 */
const pageIds =
  (tenant: Tenant, query: ListQuery, walk: Walk, end: string | null): StatementText =>
  (statement) => {
    const upToEnd = end === null ? [] : [`id ${walk.towardsNewer ? "<=" : ">="} ${statement.bind(end)}`]
    const tests = [...upToEnd, ...testsOf(statement, query, walk)]
    const inTurn = `${inOrder(walk)} LIMIT ${statement.bind(query.limit + 1)}`
    return `${union(statement, "id", branchesOf(statement, tenant, query, walk), (branch) => [...branch.tests(), ...tests], inTurn)} ${inTurn}`
  }

/**
 * Reads the id of the index entry with this number in the scan, counted before any test; no row: the scan has fewer
 * entries.
 */
export const horizonStatement = (tenant: Tenant, query: ListQuery, walk: Walk, entries: number): StatementText =>
  entryStatement(tenant, query, walk, entries, "id", inOrder(walk))

/** Returns a row if the scan has at least this many entries, counted before any test. */
export const goesOnStatement = (tenant: Tenant, query: ListQuery, walk: Walk, entries: number): StatementText =>
  entryStatement(tenant, query, walk, entries, "1", "")

const entryStatement =
  (tenant: Tenant, query: ListQuery, walk: Walk, entries: number, column: string, order: string): StatementText =>
  (statement) => {
    const most = statement.bind(entries)
    const branches = branchesOf(statement, tenant, query, walk)
    return `${union(statement, column, branches, untested, `${order} LIMIT ${most}`)} ${order} LIMIT 1 OFFSET ${most} - 1`
  }

/** Reads the slices that a scan by amount passes: see `readSlices`. */
export const slicesStatement =
  (tenant: Tenant, query: ListQuery, range: AmountRange, most: MostOfSlices): StatementText =>
  (statement) => {
    const { bind, sql } = statement
    const from = `payments ${sql.indexedBy(byAmount)}`
    const own = [statement.isOf(tenant), `currency = ${bind(range.currency)}`]
    const ids = rangeOf(query)
    const { towardsNewer } = ids
    const { end, start } = sliceBounds(query.position, ids)
    const bound = (given: SliceBound | null) =>
      given === null ? [] : [`${sliceOfId} ${given.operator} ${bind(given.slice)}`]
    const until = bound(end)
    const next = (after: ReadonlyArray<string>): string =>
      `(SELECT ${sliceOfId} FROM ${from} WHERE ${all([...own, ...after, ...until])}
        ORDER BY ${sliceOfId} ${towardsNewer ? "ASC" : "DESC"} LIMIT 1)`
    const following = `${sliceOfId} ${towardsNewer ? ">" : "<"} passed.slice`
    const inSlice = [...own, `${sliceOfId} = passed.slice`, amountIn(statement, range), ...beyond(statement, query)]
    const mostPayments = bind(most.payments)
    return `WITH RECURSIVE passed (slice, found) AS (
        SELECT ${next(bound(start))}, CAST(0 AS bigint) UNION ALL
        SELECT ${next([following])}, passed.found + (SELECT count(*) FROM (
          SELECT 1 FROM ${from} WHERE ${all(inSlice)} LIMIT ${mostPayments}) AS counted)
        FROM passed WHERE passed.slice IS NOT NULL AND passed.found < ${mostPayments}
      ) SELECT slice, found FROM passed LIMIT ${bind(most.slices)} + 1`
  }

/** Whether the scan tests its rows, so that it may read payments that do not belong on the page. */
export const hasTests = ({ amountMax, amountMin, createdAfter, createdBefore }: ListQuery, { tested }: Walk): boolean =>
  tested.length > 0 || [amountMax, amountMin, createdAfter, createdBefore].some((given) => given !== null)

/** The scan of one index. */
interface Branch {
  readonly index: string | null
  readonly conditions: ReadonlyArray<string>
  /**
   * Conditions that are tested on the rows of the scan, with their parameters. A horizon (see `horizonStatement`) also
   * counts the rows that fail these conditions.
   */
  readonly tests: () => ReadonlyArray<string>
  /**
   * A list of values: the branch scans once for each value, which the conditions name `given.value`. `null`: one scan.
   */
  readonly values: string | null
}

/**
 * The branches of the scan. Each scans an index of its own; together they find every payment that may be on the page.
 */
const branchesOf = (statement: Fragments, tenant: Tenant, query: ListQuery, walk: Walk): ReadonlyArray<Branch> => {
  const own = [statement.isOf(tenant), ...beyond(statement, query)]
  const above = walk.above === null ? null : statement.bind(walk.above)
  const below = walk.below === null ? null : statement.bind(walk.below)
  const within = [...own, ...(above === null ? [] : [`id > ${above}`]), ...(below === null ? [] : [`id < ${below}`])]
  const drivers = driversOf(statement, query, walk)
  const inOrder = drivers.map((driver) => ({ ...driver, conditions: [...within, ...driver.conditions] }))
  // Payments created in the requested time whose ids are older or newer than the ids of that time.
  const outside = [...(above === null ? [] : [`id <= ${above}`]), ...(below === null ? [] : [`id >= ${below}`])]
  if (outside.length === 0) return inOrder
  const tests = () => testOfDriver(statement, query, walk)
  return [
    ...inOrder,
    ...outside.map((condition) => ({ ...once("payments_out_of_order", [...own, isOutOfOrder, condition]), tests }))
  ]
}

const driversOf = (statement: Fragments, { inReview }: ListQuery, { driver }: Walk): ReadonlyArray<Branch> => {
  if (inReview) return [once("payments_in_review", [isInReview])]
  if (driver === null) return [once("payments_by_tenant", [])]
  if ("slices" in driver) {
    const isInSlice = statement.sql.isOneOf(sliceOfId, statement.bind(driver.slices))
    return [once(byAmount, [isInSlice, `currency = ${statement.bind(driver.currency)}`, amountIn(statement, driver)])]
  }
  if ("kinds" in driver) return driver.kinds.map((kind) => once(byKind, isKind(statement, kind)))
  if (statement.sql.forEach !== null && isOfManyValues(driver)) {
    const values = statement.bind(driver.values)
    return [{ index: null, conditions: [`${driver.column} = given.value`], tests: untested, values }]
  }
  const index = "expression" in driver ? statement.sql.payment[driver.expression].index : null
  return driver.values.map((value) => once(index, isOne(statement, driver, value)))
}

const byAmount = "payments_by_amount"
const isInReview = "reviews IS NOT NULL"

const once = (index: string | null, conditions: ReadonlyArray<string>): Branch => ({
  index,
  conditions,
  tests: untested,
  values: null
})

/**
 * Whether one query plan can serve all values of the filter. Planning a scan for each of a hundred values takes longer
 * than the scans. Only e-mail addresses can share a plan, since each has few payments; in another column, one value may
 * have most payments and another value none.
 */
const isOfManyValues = (driver: Equality): driver is Equality & { readonly column: string } =>
  "column" in driver && driver.column === "customer_email" && driver.values.length > 1

const isKind = ({ bind }: Fragments, { currency, provider, rail }: Kind): ReadonlyArray<string> => [
  `provider = ${bind(provider)}`,
  `rail = ${bind(rail)}`,
  `currency = ${bind(currency)}`
]

const isOne = (statement: Fragments, driver: Equality, value: string): ReadonlyArray<string> => {
  const { bind, sql } = statement
  if ("column" in driver) {
    return [`${driver.column} = ${bind(value)}`, ...(driver.column === "status" ? [hasNotSucceeded] : [])]
  }
  if ("key" in driver) return sql.isMetadata(driver.key, value, bind)
  const { sql: expression, where, write } = sql.payment[driver.expression]
  return [`(${expression}) = ${bind(write(value))}`, where]
}

/**
 * The conditions that the scanned index serves: the payments in review, and the filter `driver`. The amounts and their
 * currency are left out, because they are tested on each row in any case.
 */
const testOfDriver = (statement: Fragments, { inReview }: ListQuery, { driver }: Walk): ReadonlyArray<string> => [
  ...(inReview ? [isInReview] : []),
  ...servedBy(driver).map((equality) => isAnyOf(statement, equality))
]

const servedBy = (driver: Walk["driver"]): ReadonlyArray<Equality> => {
  if (driver === null || "slices" in driver) return []
  return "kinds" in driver ? driver.equalities : [driver]
}

const testsOf = (statement: Fragments, query: ListQuery, { tested }: Walk): ReadonlyArray<string> => {
  const { bind, sql } = statement
  const compared = (column: string, operator: string, value: number | null) =>
    value === null ? [] : [`${column} ${operator} ${bind(value)}`]
  return [
    ...tested.map((equality) => isAnyOf(statement, equality)),
    ...compared(sql.tested("minor_units"), ">=", query.amountMin),
    ...compared(sql.tested("minor_units"), "<=", query.amountMax),
    ...compared(sql.unindexed("created_at"), ">", query.createdAfter),
    ...compared(sql.unindexed("created_at"), "<", query.createdBefore)
  ]
}

// The values are one parameter, so that the text, and with it the prepared statement, is the same for any number of values.
const isAnyOf = ({ bind, sql }: Fragments, equality: Equality): string => {
  if ("key" in equality) return sql.hasMetadata(bind(equality.key), bind(equality.values))
  if ("column" in equality) return sql.isOneOf(sql.tested(equality.column), bind(equality.values))
  const { sql: expression, write } = sql.payment[equality.expression]
  return sql.isOneOf(sql.tested(`(${expression})`), bind(equality.values.map(write)))
}

/** The condition for rows beyond the cursor. */
const beyond = ({ bind }: Fragments, { position }: ListQuery): ReadonlyArray<string> =>
  position === null ? [] : [`id ${position.side === "after" ? "<" : ">"} ${bind(position.id)}`]

const amountIn = ({ bind }: Fragments, { max, min }: AmountRange): string =>
  `minor_units BETWEEN ${bind(min)} AND ${bind(max)}`

/** The SQL that reads all branches of the scan as one table, and tests each row. */
const union = (
  { sql }: Fragments,
  column: string,
  branches: ReadonlyArray<Branch>,
  testsIn: (branch: Branch) => ReadonlyArray<string>,
  inTurn: string
): string => {
  const walks = branches.map((branch) => {
    const { conditions, index, values } = branch
    const hint = index === null ? "" : sql.indexedBy(index)
    const walk = sql.branch(
      `SELECT ${column} FROM payments ${hint} WHERE ${all([...conditions, ...testsIn(branch)])}`,
      inTurn
    )
    return values === null || sql.forEach === null ? walk : sql.forEach(values, walk)
  })
  return `SELECT ${column} FROM (${walks.join(" UNION ALL ")}) AS walked`
}

/** The conditions for a scan without tests: none, because a horizon counts all rows. */
const untested = (): ReadonlyArray<string> => []

const inOrder = ({ towardsNewer }: Walk): string => `ORDER BY id ${towardsNewer ? "ASC" : "DESC"}`

const all = (conditions: ReadonlyArray<string>): string => conditions.join(" AND ")
