/**
 * Pages of a list. Most pages are one statement: PostgreSQL scans an index until the page is full. A list by amount
 * instead reads one slice of time after the other (see `migrations/search.ts`), unless another filter leaves few
 * payments, or a slice has so many payments in the amount range that a scan of all payments fills the page sooner.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { ListTimedOut, normalEmail, StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { listPage, reachOfSlices } from "../lists/amountSlices.ts"
import { amountRangeOf, mostSearched, testsMetadata, walksOf } from "../lists/listFilters.ts"
import type { AmountRange, ResolvedQuery, Walk } from "../lists/listFilters.ts"
import { goesOnStatement, horizonStatement, pageStatement, slicesStatement } from "../lists/listStatement.ts"
import { distinctSpellings, spellingsWithCapitals } from "../lists/emailSpellings.ts"
import { pgBeyondAscii } from "../migrations/emails.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import { firstOf, text, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { isLate } from "./deadline.ts"
import type { PostgresDatabase } from "./PostgresClient.ts"
import { postgresDialect, statementOf } from "./postgresDialect.ts"
import { readPaymentRecord } from "../store/records.ts"
import type { Run } from "./statementRunner.ts"

type Database = PostgresDatabase["Service"]

type ListError = StoreUnavailable | ListTimedOut

/** The maximum number of index entries that a statement scans, where it could otherwise scan the whole index. */
const few = 2000

/** The number of slices that one statement scans. */
const mostSlices = 256

interface Found {
  /** The rows of the page, newest first. */
  readonly rows: ReadonlyArray<Row>
  /** The position at which the search for metadata stopped; `null`: the page is full, or the list has ended. */
  readonly end: PaymentId | null
}

/** The functions that read pages of lists. `indexed`: the metadata keys that have an index. */
export const pages = (database: Database, indexed: ReadonlySet<string>) => {
  const reading = (read: Database["search"], isLimit: (cause: SqlError) => boolean) => (text: StatementText) => {
    const { params, sql } = statementOf(text)
    return Effect.mapError(read(sql, params), (cause) =>
      isLimit(cause) ? new ListTimedOut() : new StoreUnavailable({ cause })
    )
  }
  const search = reading(database.search, isStopped)
  /** Runs a statement whose scan may continue to the end of the index. */
  const scan = reading(database.scan, (cause) => isStopped(cause) || isLate(cause))

  /** Reads a page by the scan of one index. If its rows need no tests, the scan ends when the page is full. */
  const walked = Effect.fnUntraced(function* (
    tenant: Tenant,
    query: ResolvedQuery
  ): Effect.fn.Return<Found, ListError> {
    const walk = yield* shortestWalk(tenant, query)
    const end = testsMetadata(query, indexed) ? yield* searched(tenant, query, walk) : null
    const testsNothing = walk.tested.length === 0 && query.amountMin === null && query.amountMax === null
    const rows = yield* (testsNothing ? search : scan)(pageStatement(tenant, query, walk, end))
    return { rows, end }
  })

  /**
   * The scan by the most selective filter, as a rule. But a kind may have few payments where a filter such as
   * `status` has very many, so the scan of the kinds is taken if it is short.
   */
  const shortestWalk = Effect.fnUntraced(function* (
    tenant: Tenant,
    query: ResolvedQuery
  ): Effect.fn.Return<Walk, ListError> {
    const [first, ...others] = walksOf(query, indexed)
    const byKind = others.find(({ driver }) => driver !== null && "kinds" in driver)
    if (byKind === undefined) return first
    const rows = yield* search(goesOnStatement(tenant, query, byKind, few))
    return rows.length === 0 ? byKind : first
  })

  const searched = (tenant: Tenant, query: ResolvedQuery, walk: Walk) =>
    Effect.map(
      search(horizonStatement(tenant, query, walk, mostSearched)),
      firstOf((row) => word<PaymentId>(row, "id"))
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
      const found = yield* search(slicesStatement(tenant, rest, range, most))
      const reach = reachOfSlices(rest, indexed, range, found, most)
      if (reach === null) {
        const others = yield* walked(tenant, rest)
        return { rows: merged(rest, rows, others.rows), end: others.end }
      }
      const { end, walk } = reach
      rows = merged(rest, rows, yield* search(pageStatement(tenant, rest, walk, end)))
      if (end === null) return { rows, end }
      position = { side, id: end }
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
    // The row beyond the page is the oldest row, or the newest one if the page lies before its cursor.
    const first = isFull && query.position?.side === "before" ? 1 : 0
    return listPage(rows.slice(first, first + query.limit).map(readPaymentRecord(postgresDialect)), isFull, end)
  })
}

/**
 * Finds the tenant's stored spellings that may belong to the addresses: all spellings with characters beyond ASCII, and
 * the spellings of `emails` with capital letters.
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

/** Merges the rows of several scans, newest first. */
const merged = (
  { position }: ResolvedQuery,
  passed: ReadonlyArray<Row>,
  next: ReadonlyArray<Row>
): ReadonlyArray<Row> => (position?.side === "before" ? [...next, ...passed] : [...passed, ...next])

const isStopped = ({ reason }: SqlError): boolean => reason._tag === "StatementTimeoutError"
