/**
 * The SQL of a list of payments, put together from fixed fragments.
 *
 * It walks one index from the cursor on, in the order of the page, and stops when the page is full: the index of the
 * filter that usually leaves least, once for each of its values, merged; or that of the tenant. The other filters are
 * tested on the way, with a `+` that keeps SQLite from taking another index and sorting everything it finds there.
 */
import type { Tenant } from "@paymux/core"
import type { ListQuery } from "@paymux/core/store"
import type { AmountRange, AmountSlices, Equality, Walk } from "../listFilters.ts"
import { sliceBounds } from "../amountSlices.ts"
import type { MostOfSlices } from "../amountSlices.ts"
import { columnNames, paymentColumns } from "../columns.ts"
import type { SqlValue } from "../columns.ts"
import { isOutOfOrder } from "../migrations/lists.ts"
import { hasFingerprint, sqliteFingerprint } from "../migrations/cards.ts"
import { hasMetadata, sqliteMetadata } from "../migrations/metadata.ts"
import { hasFailureCode, sqliteFailureCode } from "../migrations/search.ts"
import { sliceOfId } from "../migrations/slices.ts"
import type { SliceBound } from "../migrations/slices.ts"

export interface ListStatement {
  readonly sql: string
  readonly values: ReadonlyArray<SqlValue>
}

/** Up to `limit + 1` payments, newest first; of those that the walk passes up to `end`, inclusive. */
export const pageStatement = (tenant: Tenant, query: ListQuery, walk: Walk, end: string | null): ListStatement => {
  const tests = testsOf(query, walk)
  const found = merged(
    branchesOf(tenant, query, walk).map(
      ({ from, isInOrder, where }) =>
        fragment`SELECT id FROM ${text(from)} WHERE ${all([
          ...where,
          ...(isInOrder ? [] : driven(query, walk)),
          ...tests,
          ...(end === null ? [] : [fragment`id ${text(walk.towardsNewer ? "<=" : ">=")} ${end}`])
        ])}`
    ),
    walk
  )
  return fragment`SELECT ${text(columns)} FROM payments WHERE id IN (${found} LIMIT ${query.limit + 1}) ORDER BY id DESC`
}

/** The id of the last of so many entries that the walk passes, whatever the tests say of them; no row: it ends before. */
export const horizonStatement = (tenant: Tenant, query: ListQuery, walk: Walk, entries: number): ListStatement =>
  fragment`${merged(
    branchesOf(tenant, query, walk).map(
      ({ from, where }) => fragment`SELECT id FROM ${text(from)} WHERE ${all(where)}`
    ),
    walk
  )} LIMIT 1 OFFSET ${entries - 1}`

/** The slices that a walk by amount passes: see `readSlices`. */
export const slicesStatement = (
  { account, livemode }: Tenant,
  { position }: ListQuery,
  { above, below, towardsNewer }: Walk,
  range: AmountRange,
  most: MostOfSlices
): ListStatement => {
  const own = fragment`account = ${account} AND livemode = ${livemode ? 1 : 0} AND currency = ${range.currency}`
  const { end, start } = sliceBounds(position, { above, below, towardsNewer })
  const bound = (given: SliceBound | null) =>
    given === null ? [] : [fragment`${text(`${sliceOfId} ${given.operator}`)} ${given.slice}`]
  const next = (from: ReadonlyArray<ListStatement>): ListStatement =>
    fragment`SELECT ${text(sliceOfId)} FROM ${text(byAmount)} WHERE ${all([own, ...from, ...bound(end)])}
      ORDER BY ${text(sliceOfId)} ${text(towardsNewer ? "ASC" : "DESC")} LIMIT 1`
  const following = text(`${sliceOfId} ${towardsNewer ? ">" : "<"} passed.slice`)
  const counted = all([own, text(`${sliceOfId} = passed.slice`), inRange(range), ...positionOf({ position })])
  return fragment`WITH RECURSIVE passed (slice, found) AS (
      SELECT (${next(bound(start))}), 0 UNION ALL
      SELECT (${next([following])}), passed.found + (SELECT count(*) FROM (
        SELECT 1 FROM ${text(byAmount)} WHERE ${counted} LIMIT ${most.payments}))
      FROM passed WHERE passed.slice IS NOT NULL AND passed.found < ${most.payments} LIMIT ${most.slices + 1}
    ) SELECT slice, found FROM passed`
}

/** Whether the walk may pass payments that are not on the page. */
export const hasTests = (query: ListQuery, walk: Walk): boolean => testsOf(query, walk).length > 0

const columns = columnNames(paymentColumns)

interface Branch {
  readonly from: string
  readonly where: ReadonlyArray<ListStatement>
  /** Walked by the index of the driver. */
  readonly isInOrder: boolean
}

const branchesOf = (tenant: Tenant, query: ListQuery, walk: Walk): ReadonlyArray<Branch> => {
  const own = fragment`account = ${tenant.account} AND livemode = ${tenant.livemode ? 1 : 0}`
  const position = positionOf(query)
  const above = walk.above === null ? [] : [fragment`id > ${walk.above}`]
  const below = walk.below === null ? [] : [fragment`id < ${walk.below}`]
  const inOrder = driversOf(query, walk).map(({ from, where }) => ({
    from,
    where: [own, ...where, ...position, ...above, ...below],
    isInOrder: true
  }))
  // What was created in time, though its id is older or younger than all that was.
  const outOfOrder = [
    ...(walk.above === null ? [] : [fragment`id <= ${walk.above}`]),
    ...(walk.below === null ? [] : [fragment`id >= ${walk.below}`])
  ].map((beyond) => ({
    from: "payments INDEXED BY payments_out_of_order",
    where: [own, text(isOutOfOrder), ...position, beyond],
    isInOrder: false
  }))
  return [...inOrder, ...outOfOrder]
}

const driversOf = ({ inReview }: ListQuery, { driver }: Walk): ReadonlyArray<Pick<Branch, "from" | "where">> => {
  if (inReview) return [{ from: "payments INDEXED BY payments_in_review", where: [text("reviews IS NOT NULL")] }]
  if (driver === null) return [{ from: "payments INDEXED BY payments_by_tenant", where: [] }]
  if ("slices" in driver) return [{ from: byAmount, where: inSlices(driver) }]
  const from = "expression" in driver ? `payments INDEXED BY ${expressions[driver.expression].index}` : "payments"
  return driver.values.map((value) => ({ from, where: isOne(driver, value) }))
}

const byAmount = "payments INDEXED BY payments_by_amount"

const inSlices = ({ slices, ...range }: AmountSlices): ReadonlyArray<ListStatement> => [
  fragment`${text(sliceOfId)} IN (SELECT value FROM json_each(${JSON.stringify(slices)}))`,
  inRange(range)
]

const inRange = ({ currency, max, min }: AmountRange): ListStatement =>
  fragment`currency = ${currency} AND minor_units BETWEEN ${min} AND ${max}`

/** What is compared, the condition of its index, and how a value is written in it. */
const expressions = {
  card_fingerprint: {
    index: "payments_by_card",
    sql: sqliteFingerprint,
    where: hasFingerprint(sqliteFingerprint),
    write: (value: string): string => JSON.stringify(value)
  },
  failure_code: {
    index: "payments_by_failure",
    sql: sqliteFailureCode,
    where: hasFailureCode(sqliteFailureCode),
    write: (value: string): string => value
  }
} as const

const isOne = (driver: Equality, value: string): ReadonlyArray<ListStatement> => {
  if ("column" in driver) return [fragment`${text(driver.column)} = ${value}`]
  if ("expression" in driver) {
    const { sql, where, write } = expressions[driver.expression]
    return [fragment`(${text(sql)}) = ${write(value)}`, text(where)]
  }
  const expression = sqliteMetadata(driver.key)
  return [fragment`(${text(expression)}) = ${JSON.stringify(value)}`, text(hasMetadata(expression))]
}

const positionOf = ({ position }: Pick<ListQuery, "position">): ReadonlyArray<ListStatement> => {
  if (position === null) return []
  return [position.side === "after" ? fragment`id < ${position.id}` : fragment`id > ${position.id}`]
}

/** The condition that the driving index covers. */
const driven = ({ inReview }: ListQuery, { driver }: Walk): ReadonlyArray<ListStatement> => [
  ...(inReview ? [text("reviews IS NOT NULL")] : []),
  // The amounts and their currency are tested in any case.
  ...(driver === null || "slices" in driver ? [] : [isAnyOf(driver)])
]

const testsOf = (query: ListQuery, walk: Walk): ReadonlyArray<ListStatement> => [
  ...walk.tested.map(isAnyOf),
  ...(query.amountMin === null ? [] : [fragment`+minor_units >= ${query.amountMin}`]),
  ...(query.amountMax === null ? [] : [fragment`+minor_units <= ${query.amountMax}`]),
  ...(query.createdAfter === null ? [] : [fragment`+created_at > ${query.createdAfter}`]),
  ...(query.createdBefore === null ? [] : [fragment`+created_at < ${query.createdBefore}`])
]

// The values are one JSON array, so that the text, and with it the prepared statement, is the same for any number.
const isAnyOf = (equality: Equality): ListStatement => {
  if ("expression" in equality) {
    const { sql, write } = expressions[equality.expression]
    return fragment`+(${text(sql)}) IN (SELECT value FROM json_each(${JSON.stringify(equality.values.map(write))}))`
  }
  const values = JSON.stringify(equality.values)
  return "column" in equality
    ? fragment`+${text(equality.column)} IN (SELECT value FROM json_each(${values}))`
    : fragment`EXISTS (SELECT 1 FROM json_each(metadata) AS entry WHERE entry.key = ${equality.key} AND entry.value IN (SELECT value FROM json_each(${values})))`
}

/** Each in the order of the page, put together in that order as far as it is read. */
const merged = (branches: ReadonlyArray<ListStatement>, { towardsNewer }: Walk): ListStatement =>
  fragment`SELECT id FROM (${joined(branches, " UNION ALL ")}) ORDER BY id ${text(towardsNewer ? "ASC" : "DESC")}`

const all = (parts: ReadonlyArray<ListStatement>): ListStatement => joined(parts, " AND ")

const joined = (parts: ReadonlyArray<ListStatement>, between: string): ListStatement => ({
  sql: parts.map(({ sql }) => sql).join(between),
  values: parts.flatMap(({ values }) => values)
})

const text = (sql: string): ListStatement => ({ sql, values: [] })

/** Fragments stand in the text, values are bound. */
const fragment = (
  texts: TemplateStringsArray,
  ...parts: ReadonlyArray<ListStatement | string | number>
): ListStatement => {
  const embedded = parts.map((part) => (typeof part === "object" ? part : { sql: "?", values: [part] }))
  return {
    sql: texts.map((piece, index) => piece + (embedded[index]?.sql ?? "")).join(""),
    values: embedded.flatMap(({ values }) => values)
  }
}
