/**
 * Pages of a list. Most are one statement: PostgreSQL walks an index until the page is full. A range of amounts is taken out
 * of one slice of time after the other (see `migrations/search.ts`), unless another filter leaves few, or a slice has so
 * many payments in the range that a walk past all payments fills the page sooner.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { ListTimedOut, normalEmail, StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { readSlices } from "../lists/amountSlices.ts"
import { amountRangeOf, amountWalkOf, mostSearched, testsMetadata, walksOf } from "../lists/listFilters.ts"
import type { AmountRange, ResolvedQuery, Walk } from "../lists/listFilters.ts"
import { goesOnStatement, horizonStatement, pageStatement, slicesStatement } from "../lists/listStatement.ts"
import { distinctSpellings, spellingsWithCapitals } from "../lists/emailSpellings.ts"
import { pgBeyondAscii } from "../migrations/emails.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import { endOfSlice, idAtPlace } from "../migrations/slices.ts"
import { text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isLate } from "./deadline.ts"
import type { PostgresDatabase } from "./PostgresClient.ts"
import { postgresDialect, statementOf } from "./postgresDialect.ts"
import { readPaymentRecord } from "../store/records.ts"
import type { Run } from "./statementRunner.ts"

type Database = PostgresDatabase["Service"]

type ListError = StoreUnavailable | ListTimedOut

/** The most index entries that one statement passes, where it could pass all of them. */
const few = 2000

/** How many slices one statement passes. */
const mostSlices = 256

interface Found {
  /** Newest first. */
  readonly rows: ReadonlyArray<Row>
  /** Where the search for metadata ended; `null`: it ended with the page, or with the list. */
  readonly end: PaymentId | null
}

/** `indexed`: the metadata keys that have an index. */
export const pages = (database: Database, indexed: ReadonlySet<string>) => {
  const reading = (read: Database["search"], isLimit: (cause: SqlError) => boolean) => (text: StatementText) => {
    const { params, sql } = statementOf(text)
    return Effect.mapError(read(sql, params), (cause) =>
      isLimit(cause) ? new ListTimedOut() : new StoreUnavailable({ cause })
    )
  }
  const search = reading(database.search, isStopped)
  /** Runs a statement whose walk may go on to the end of the index. */
  const scan = reading(database.scan, (cause) => isStopped(cause) || isLate(cause))

  /** A walk that tests nothing on its way ends with the page. */
  const walked = Effect.fnUntraced(function* (
    tenant: Tenant,
    query: ResolvedQuery
  ): Effect.fn.Return<Found, ListError> {
    const [walk] = walksOf(query, indexed)
    const end = testsMetadata(query, indexed) ? yield* searched(tenant, query, walk) : null
    const testsNothing = walk.tested.length === 0 && query.amountMin === null && query.amountMax === null
    const rows = yield* (testsNothing ? search : scan)(pageStatement(tenant, query, walk, end))
    return { rows, end }
  })

  const searched = (tenant: Tenant, query: ResolvedQuery, walk: Walk) =>
    Effect.map(
      search(horizonStatement(tenant, query, walk, mostSearched)),
      // Boundary: the column holds ids of payments only.
      ([row]) => (row === undefined ? null : (text(row, "id") as PaymentId))
    )

  const leavesFew = (tenant: Tenant, query: ResolvedQuery): Effect.Effect<boolean, ListError> => {
    const [walk] = walksOf(query, indexed)
    if (walk.driver === null) return Effect.succeed(false)
    return Effect.map(search(goesOnStatement(tenant, query, walk, few)), (rows) => rows.length === 0)
  }

  const byAmount = Effect.fnUntraced(function* (
    tenant: Tenant,
    query: ResolvedQuery,
    range: AmountRange
  ): Effect.fn.Return<Found, ListError> {
    const side = query.position?.side ?? "after"
    const began = yield* Clock.currentTimeMillis
    let position = query.position
    let rows: ReadonlyArray<Row> = []
    const most = { slices: mostSlices, payments: few }
    const mostPassed = testsMetadata(query, indexed) ? mostSearched : Number.POSITIVE_INFINITY
    for (let passed = 0; rows.length <= query.limit; passed += few) {
      if (passed >= mostPassed) return { rows, end: position?.id ?? null }
      if ((yield* Clock.currentTimeMillis) - began >= database.searchDeadlineMs) return yield* new ListTimedOut()
      const rest: ResolvedQuery = { ...query, position, limit: query.limit - rows.length }
      const walk = amountWalkOf(rest, indexed, { ...range, slices: [] })
      const { isEnd, slices } = readSlices(yield* search(slicesStatement(tenant, rest, walk, range, most)), most)
      const last = slices.at(-1)
      if (last === undefined && !isEnd) {
        const others = yield* walked(tenant, rest)
        return { rows: merged(walk, rows, others.rows), end: others.end }
      }
      const end = isEnd || last === undefined ? null : endOfSlice(last, side)
      const driver = { ...range, slices }
      rows = merged(walk, rows, yield* search(pageStatement(tenant, rest, { ...walk, driver }, end)))
      if (end === null) return { rows, end }
      // Boundary: a place in the list, as the id of a payment is.
      position = { side, id: end as PaymentId }
    }
    return { rows, end: null }
  })

  return Effect.fnUntraced(function* (tenant: Tenant, query: ResolvedQuery) {
    const range = amountRangeOf(query)
    const { end, rows } =
      range === null || (yield* leavesFew(tenant, query))
        ? yield* walked(tenant, query)
        : yield* byAmount(tenant, query, range)
    const isFull = rows.length > query.limit
    // The row beyond the page is the oldest row, or the newest where the page lies before its cursor.
    const first = isFull && query.position?.side === "before" ? 1 : 0
    return {
      records: rows.slice(first, first + query.limit).map(readPaymentRecord(postgresDialect)),
      hasMore: isFull || end !== null,
      stoppedAt: isFull || end === null ? null : idAtPlace(end)
    }
  })
}

/**
 * The stored spellings that may belong to the addresses: all with characters beyond ASCII, and those with capitals for `emails`.
 */
export const storedSpellings = (run: Run, tenant: Tenant, emails: ReadonlyArray<string>) =>
  Effect.map(run(selectSpellings(tenant, emails.map(normalEmail))), (rows) => rows.map((row) => text(row, "spelling")))

const selectSpellings =
  (tenant: Tenant, emails: ReadonlyArray<string>): StatementText =>
  (statement) => {
    const own = statement.isOf(tenant)
    const withCapitals = spellingsWithCapitals("payments", own, "given.email")
    return `SELECT beyond.spelling FROM (${distinctSpellings("payments", own, pgBeyondAscii)}) AS beyond UNION ALL
      SELECT cased.spelling FROM unnest(${statement.bind(emails)}) AS given (email)
      CROSS JOIN LATERAL (${withCapitals}) AS cased`
  }

/** Merges rows of a walk, newest first. */
const merged = ({ towardsNewer }: Walk, passed: ReadonlyArray<Row>, next: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  towardsNewer ? [...next, ...passed] : [...passed, ...next]

const isStopped = ({ reason }: SqlError): boolean => reason._tag === "StatementTimeoutError"
