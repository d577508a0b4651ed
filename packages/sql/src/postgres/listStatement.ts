/**
 * The SQL of one page of payments, put together from fixed fragments.
 *
 * As on SQLite it walks one index from the cursor on, in the order of the page, and stops when the page is full: that of
 * the filter which usually leaves least, once for each of its values, or that of the tenant. PostgreSQL may know better.
 */
import type { Tenant } from "@paymux/core"
import type { ListQuery } from "@paymux/core/store"
import { walksOf } from "../listFilters.ts"
import type { Equality, ResolvedQuery, Walk } from "../listFilters.ts"
import { withoutUnicodeEscapes } from "../migrations/cards.ts"
import { isOutOfOrder } from "../migrations/lists.ts"
import { hasMetadata, pgMetadata, pgMetadataPrefix, prefixOf } from "../migrations/metadata.ts"
import { fragments } from "./Fragments.ts"
import type { Fragments, PgStatement } from "./Fragments.ts"
import { recordColumns } from "./records.ts"
import { toStorable } from "../storableText.ts"

/** Answers up to `limit + 1` rows, newest first. `indexed`: the keys of metadata that have an index. */
export const listStatement = (tenant: Tenant, query: ResolvedQuery, indexed: ReadonlySet<string>): PgStatement => {
  const statement = fragments()
  const [walk] = walksOf(query, indexed)
  const limit = statement.bind(query.limit + 1, "bigint")
  const inTurn = `ORDER BY id ${walk.towardsNewer ? "ASC" : "DESC"} LIMIT ${limit}`
  const common = [
    `account = ${statement.bind(tenant.account, "text")} AND livemode = ${statement.bind(tenant.livemode, "boolean")}`,
    ...position(statement, query),
    ...walk.tested.map((equality) => isAnyOf(statement, equality)),
    ...(query.inReview ? ["reviews IS NOT NULL"] : []),
    ...created(statement, query)
  ]
  const branches = branchesOf(statement, walk).map(
    (own) => `(SELECT id FROM payments WHERE ${[...common, ...own].join(" AND ")} ${inTurn})`
  )
  return {
    sql: `SELECT ${recordColumns} FROM (
      SELECT id FROM (${branches.join(" UNION ALL ")}) walked ${inTurn}
    ) page JOIN payments p ON p.id = page.id ORDER BY page.id DESC`,
    params: statement.params
  }
}

/** Each walks an index of its own; together they pass every payment that may be on the page. */
const branchesOf = (statement: Fragments, { above, below, driver }: Walk): ReadonlyArray<ReadonlyArray<string>> => {
  const from = above === null ? null : statement.bind(above, "text")
  const until = below === null ? null : statement.bind(below, "text")
  const within = [...(from === null ? [] : [`id > ${from}`]), ...(until === null ? [] : [`id < ${until}`])]
  const inOrder =
    driver === null ? [within] : driver.values.map((value) => [...within, ...isOne(statement, driver, value)])
  // What was created in time, though its id is older or younger than all that was.
  const beyond = [...(from === null ? [] : [`id <= ${from}`]), ...(until === null ? [] : [`id >= ${until}`])]
  if (beyond.length === 0) return inOrder
  const outOfOrder = [isOutOfOrder, ...(driver === null ? [] : [isAnyOf(statement, driver)])]
  return [...inOrder, ...beyond.map((outside) => [...outOfOrder, outside])]
}

const isOne = (statement: Fragments, driver: Equality, value: string): ReadonlyArray<string> => {
  if ("column" in driver) return [`${driver.column} = ${statement.bind(value, "text")}`]
  const asked = withoutUnicodeEscapes(statement.bind(JSON.stringify(toStorable(value)), "text"))
  const indexed = pgMetadataPrefix(driver.key)
  return [hasMetadata(indexed), `${indexed} = ${prefixOf(asked)}`, `${pgMetadata(driver.key)} = ${asked}`]
}

const isAnyOf = (statement: Fragments, equality: Equality): string => {
  const tested = "column" in equality ? equality.column : `metadata::jsonb ->> ${statement.bind(equality.key, "text")}`
  return `${tested} = ANY (${statement.bind(equality.values, "text[]")})`
}

const position = (statement: Fragments, { position }: ListQuery): ReadonlyArray<string> =>
  position === null ? [] : [`id ${position.side === "after" ? "<" : ">"} ${statement.bind(position.id, "text")}`]

// With `+ 0`, the time chooses no index: what it found there would have to be sorted.
const created = (statement: Fragments, { createdAfter, createdBefore }: ListQuery): ReadonlyArray<string> => [
  ...(createdAfter === null ? [] : [`created_at + 0 > ${statement.bind(createdAfter, "bigint")}`]),
  ...(createdBefore === null ? [] : [`created_at + 0 < ${statement.bind(createdBefore, "bigint")}`])
]
