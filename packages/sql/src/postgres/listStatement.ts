/**
 * The SQL of one page of payments, put together from fixed fragments.
 *
 * As on SQLite it walks one index from the cursor on, in the order of the page, and stops when the page is full: that of
 * the filter which usually leaves least, once for each of its values, or that of the tenant. PostgreSQL may know better.
 */
import type { Tenant } from "@paymux/core"
import type { ListQuery } from "@paymux/core/store"
import { sliceBounds } from "../amountSlices.ts"
import type { MostOfSlices } from "../amountSlices.ts"
import type { AmountRange, Equality, ResolvedQuery, Walk } from "../listFilters.ts"
import { hasFingerprint, pgFingerprint, withoutUnicodeEscapes } from "../migrations/cards.ts"
import { isOutOfOrder } from "../migrations/lists.ts"
import { hasMetadata, pgMetadata, pgMetadataPrefix, prefixOf } from "../migrations/metadata.ts"
import { hasFailureCode, pgFailureCode } from "../migrations/search.ts"
import { sliceOfId } from "../migrations/slices.ts"
import type { SliceBound } from "../migrations/slices.ts"
import { fragments } from "./Fragments.ts"
import type { Fragments, PgStatement } from "./Fragments.ts"
import { recordColumns } from "./records.ts"
import { toStorable } from "../storableText.ts"

/** Answers up to `limit + 1` rows, newest first; of those that the walk passes up to `end`, inclusive. */
export const listStatement = (
  tenant: Tenant,
  query: ResolvedQuery,
  walk: Walk,
  end: string | null = null
): PgStatement => {
  const statement = fragments()
  const limit = statement.bind(query.limit + 1, "bigint")
  const inTurn = `ORDER BY id ${walk.towardsNewer ? "ASC" : "DESC"} LIMIT ${limit}`
  const common = [
    ofTenant(statement, tenant),
    ...position(statement, query),
    ...(end === null ? [] : [`id ${walk.towardsNewer ? "<=" : ">="} ${statement.bind(end, "text")}`]),
    ...amount(statement, query),
    ...walk.tested.map((equality) => isAnyOf(statement, equality)),
    ...(query.inReview ? ["reviews IS NOT NULL"] : []),
    ...created(statement, query)
  ]
  const branches = branchesOf(statement, walk).map((branch) => walkOf("id", common, branch, inTurn))
  return {
    sql: `SELECT ${recordColumns} FROM (
      SELECT id FROM (${branches.join(" UNION ALL ")}) walked ${inTurn}
    ) page JOIN payments p ON p.id = page.id ORDER BY page.id DESC`,
    params: statement.params
  }
}

/** Answers the id of the last of so many entries that the walk passes, whatever the tests say of them; no row: it ends before. */
export const horizonStatement = (tenant: Tenant, query: ResolvedQuery, walk: Walk, entries: number): PgStatement => {
  const statement = fragments()
  const most = statement.bind(entries, "bigint")
  const common = [
    ofTenant(statement, tenant),
    ...position(statement, query),
    ...(query.inReview ? ["reviews IS NOT NULL"] : [])
  ]
  const inTurn = `ORDER BY id ${walk.towardsNewer ? "ASC" : "DESC"}`
  const branches = branchesOf(statement, walk).map((branch) => walkOf("id", common, branch, `${inTurn} LIMIT ${most}`))
  return {
    sql: `SELECT id FROM (${branches.join(" UNION ALL ")}) walked ${inTurn} LIMIT 1 OFFSET ${most} - 1`,
    params: statement.params
  }
}

/** Answers a row if the walk passes so many entries, whatever the tests say of them. */
export const goesOnStatement = (tenant: Tenant, query: ResolvedQuery, walk: Walk, entries: number): PgStatement => {
  const statement = fragments()
  const most = statement.bind(entries, "bigint")
  const common = [ofTenant(statement, tenant), ...position(statement, query)]
  const branches = branchesOf(statement, walk).map((branch) => walkOf("1", common, branch, `LIMIT ${most}`))
  return {
    sql: `SELECT 1 FROM (${branches.join(" UNION ALL ")}) walked LIMIT 1 OFFSET ${most} - 1`,
    params: statement.params
  }
}

/** The slices that a walk by amount passes: see `readSlices`. */
export const slicesStatement = (
  tenant: Tenant,
  query: ListQuery,
  { above, below, towardsNewer }: Walk,
  range: AmountRange,
  most: MostOfSlices
): PgStatement => {
  const statement = fragments()
  const own = `${ofTenant(statement, tenant)} AND currency = ${statement.bind(range.currency, "text")}`
  const { end, start } = sliceBounds(query.position, { above, below, towardsNewer })
  const bound = (given: SliceBound | null) =>
    given === null ? [] : [`${sliceOfId} ${given.operator} ${statement.bind(given.slice, "text")}`]
  const until = bound(end)
  const next = (from: ReadonlyArray<string>): string =>
    `(SELECT ${sliceOfId} FROM payments WHERE ${[own, ...from, ...until].join(" AND ")}
      ORDER BY ${sliceOfId} ${towardsNewer ? "ASC" : "DESC"} LIMIT 1)`
  const following = `${sliceOfId} ${towardsNewer ? ">" : "<"} passed.slice`
  const [min, max] = [statement.bind(range.min, "bigint"), statement.bind(range.max, "bigint")]
  const inRange = [own, `${sliceOfId} = passed.slice`, `minor_units BETWEEN ${min} AND ${max}`]
  const payments = statement.bind(most.payments, "bigint")
  const counted = `(SELECT count(*) FROM (SELECT 1 FROM payments
    WHERE ${[...inRange, ...position(statement, query)].join(" AND ")} LIMIT ${payments}) AS counted)`
  return {
    sql: `WITH RECURSIVE passed (slice, found) AS (
        SELECT ${next(bound(start))}, 0::bigint UNION ALL
        SELECT ${next([following])}, passed.found + ${counted}
        FROM passed WHERE passed.slice IS NOT NULL AND passed.found < ${payments}
      ) SELECT slice, found FROM passed LIMIT ${statement.bind(most.slices, "bigint")} + 1`,
    params: statement.params
  }
}

/** A walk of one index. */
interface Branch {
  readonly conditions: ReadonlyArray<string>
  /** Walks once for each of these values, an array: in the conditions, one is `given.value`. `null`: once. */
  readonly values: string | null
}

const walkOf = (column: string, common: ReadonlyArray<string>, { conditions, values }: Branch, end: string): string => {
  const one = `(SELECT ${column} FROM payments WHERE ${[...common, ...conditions].join(" AND ")} ${end})`
  return values === null
    ? one
    : `(SELECT found.* FROM unnest(${values}) AS given (value) CROSS JOIN LATERAL ${one} AS found)`
}

/** Each walks an index of its own; together they pass every payment that may be on the page. */
const branchesOf = (statement: Fragments, { above, below, driver }: Walk): ReadonlyArray<Branch> => {
  const from = above === null ? null : statement.bind(above, "text")
  const until = below === null ? null : statement.bind(below, "text")
  const within = [...(from === null ? [] : [`id > ${from}`]), ...(until === null ? [] : [`id < ${until}`])]
  const inOrder = driversOf(statement, driver).map((own) => ({ ...own, conditions: [...within, ...own.conditions] }))
  // What was created in time, though its id is older or younger than all that was.
  const beyond = [...(from === null ? [] : [`id <= ${from}`]), ...(until === null ? [] : [`id >= ${until}`])]
  if (beyond.length === 0) return inOrder
  // The amounts and their currency are tested in any case.
  const isTested = driver === null || "slices" in driver
  const outOfOrder = [isOutOfOrder, ...(isTested ? [] : [isAnyOf(statement, driver)])]
  return [...inOrder, ...beyond.map((outside) => once([...outOfOrder, outside]))]
}

const driversOf = (statement: Fragments, driver: Walk["driver"]): ReadonlyArray<Branch> => {
  if (driver === null) return [once([])]
  if ("slices" in driver) {
    const slices = `${sliceOfId} = ANY (${statement.bind(driver.slices, "text[]")})`
    return [once([slices, `currency = ${statement.bind(driver.currency, "text")}`])]
  }
  if (isOfManyValues(driver)) {
    return [{ conditions: [`${driver.column} = given.value`], values: statement.bind(driver.values, "text[]") }]
  }
  return driver.values.map((value) => once(isOne(statement, driver, value)))
}

const once = (conditions: ReadonlyArray<string>): Branch => ({ conditions, values: null })

/**
 * Planning a walk for each of a hundred values takes longer than the walks. One plan for all of them is the same wherever
 * each value has few payments; of the other columns, one value may have most and another none.
 */
const isOfManyValues = (driver: Equality): driver is Equality & { readonly column: string } =>
  "column" in driver && driver.column === "customer_email" && driver.values.length > 1

const ofTenant = (statement: Fragments, { account, livemode }: Tenant): string =>
  `account = ${statement.bind(account, "text")} AND livemode = ${statement.bind(livemode, "boolean")}`

/** What is compared, the condition of its index, and how a value is written in it. */
const expressions = {
  card_fingerprint: {
    sql: pgFingerprint,
    where: hasFingerprint(pgFingerprint),
    write: (value: string): string => JSON.stringify(value),
    stored: withoutUnicodeEscapes
  },
  failure_code: {
    sql: pgFailureCode,
    where: hasFailureCode(pgFailureCode),
    write: (value: string): string => value,
    stored: (text: string): string => text
  }
} as const

const isOne = (statement: Fragments, driver: Equality, value: string): ReadonlyArray<string> => {
  if ("column" in driver) return [`${driver.column} = ${statement.bind(value, "text")}`]
  if ("expression" in driver) {
    const { sql, stored, where, write } = expressions[driver.expression]
    return [`(${sql}) = ${stored(statement.bind(write(value), "text"))}`, where]
  }
  const asked = withoutUnicodeEscapes(statement.bind(JSON.stringify(toStorable(value)), "text"))
  const indexed = pgMetadataPrefix(driver.key)
  return [hasMetadata(indexed), `${indexed} = ${prefixOf(asked)}`, `${pgMetadata(driver.key)} = ${asked}`]
}

const isAnyOf = (statement: Fragments, equality: Equality): string => {
  if ("expression" in equality) {
    const { sql, stored, write } = expressions[equality.expression]
    const values = statement.bind(equality.values.map(write), "text[]")
    return `(${sql}) = ANY (ARRAY(SELECT ${stored("value")} FROM unnest(${values}) AS given (value)))`
  }
  const tested = "column" in equality ? equality.column : `metadata::jsonb ->> ${statement.bind(equality.key, "text")}`
  return `${tested} = ANY (${statement.bind(equality.values, "text[]")})`
}

const position = (statement: Fragments, { position }: ListQuery): ReadonlyArray<string> =>
  position === null ? [] : [`id ${position.side === "after" ? "<" : ">"} ${statement.bind(position.id, "text")}`]

const amount = (statement: Fragments, { amountMax, amountMin }: ListQuery): ReadonlyArray<string> => [
  ...(amountMin === null ? [] : [`minor_units >= ${statement.bind(amountMin, "bigint")}`]),
  ...(amountMax === null ? [] : [`minor_units <= ${statement.bind(amountMax, "bigint")}`])
]

// With `+ 0`, the time chooses no index: what it found there would have to be sorted.
const created = (statement: Fragments, { createdAfter, createdBefore }: ListQuery): ReadonlyArray<string> => [
  ...(createdAfter === null ? [] : [`created_at + 0 > ${statement.bind(createdAfter, "bigint")}`]),
  ...(createdBefore === null ? [] : [`created_at + 0 < ${statement.bind(createdBefore, "bigint")}`])
]
