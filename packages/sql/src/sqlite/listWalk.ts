/**
 * A page of a list, found in stretches: SQLite runs in the thread that serves everybody, and a walk past a million
 * payments of which none is on the page would hold them all up. Each stretch passes so many entries of an index, answers
 * what it found, and lets others have their turn.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { ListTimedOut, normalEmail } from "@paymux/core/store"
import type { ListQuery, Page, StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect, Semaphore } from "effect"
import { readSlices } from "../amountSlices.ts"
import { spellingsOf } from "../emailSpellings.ts"
import { amountRangeOf, amountWalkOf, mostSearched, testsMetadata, walksOf } from "../listFilters.ts"
import type { ResolvedQuery, Walk } from "../listFilters.ts"
import { indexedKeys, sqliteIndexes } from "../MetadataIndexes.ts"
import { endOfSlice, idAtPlace } from "../migrations/slices.ts"
import { text } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import { readRecord } from "../rows.ts"
import type { RecordRows } from "../rows.ts"
import { hasTests, horizonStatement, pageStatement, slicesStatement } from "./listStatement.ts"
import { rowsOfPayments, snapshot } from "./recordRows.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import * as Sql from "./statements.ts"

type Database = SqliteDatabase["Service"]

type Read = <A, B>(work: () => A, decode: (rows: A) => B) => Effect.Effect<B, StoreUnavailable>

/** How many entries a stretch passes: each may cost a look at its row. */
const entriesOfStretch = 500

/** How long a list may look for its page, in ms. */
const longest = 2000

export const listWalk = (database: Database, read: Read) => {
  // Of walks that go on, one at a time has a turn.
  const turns = Semaphore.makeUnsafe(1)
  return Effect.fnUntraced(function* (
    tenant: Tenant,
    unresolved: ListQuery
  ): Effect.fn.Return<Page, StoreUnavailable | ListTimedOut> {
    const { providerReference } = unresolved
    const ids =
      providerReference.length === 0 ? null : yield* read(() => idsOfReferences(database, providerReference), asText)
    if (ids?.length === 0) return { records: [], hasMore: false, stoppedAt: null }
    const { customerEmail: emails } = unresolved
    const customerEmail =
      emails.length === 0 ? emails : spellingsOf(emails, yield* storedSpellings(database, read, tenant, emails))
    const query: ResolvedQuery = { ...unresolved, customerEmail, ids }
    const stretch = (position: ListQuery["position"]) =>
      read(() => snapshot(database, () => stretchOf(database, tenant, { ...query, position })), decoded)
    const begun = yield* Clock.currentTimeMillis
    let { end, isSearch, records } = yield* stretch(query.position)
    for (let passed = entriesOfStretch; end !== null && records.length <= query.limit; passed += entriesOfStretch) {
      if (isSearch && passed >= mostSearched) break
      if ((yield* Clock.currentTimeMillis) - begun >= longest) return yield* new ListTimedOut()
      const position = { side: query.position?.side ?? "after", id: end }
      const next = yield* turns.withPermits(1)(Effect.andThen(Effect.yieldNow, stretch(position)))
      records = [...records, ...next.records]
      end = next.end
      isSearch = next.isSearch
    }
    const page = records.slice(0, query.limit)
    const isFull = records.length > query.limit
    return {
      records: query.position?.side === "before" ? page.toReversed() : page,
      hasMore: isFull || end !== null,
      stoppedAt: isFull || end === null ? null : idAtPlace(end)
    }
  })
}

const idsOfReferences = ({ prepare }: Database, references: ReadonlyArray<string>) =>
  prepare(Sql.selectPaymentIdsByReferences).all(JSON.stringify(references))

const asText = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.map((row) => text(row, "payment_id"))

/** How many addresses beyond ASCII are read at once. */
const spellingsOfStretch = 500

/** The spellings that may be those of the addresses. */
const storedSpellings = Effect.fnUntraced(function* (
  { prepare }: Database,
  read: Read,
  { account, livemode }: Tenant,
  emails: ReadonlyArray<string>
) {
  const own = { account, livemode: livemode ? 1 : 0 }
  const withCapitals = (email: string) =>
    prepare(Sql.selectSpellingsWithCapitals).all({ ...own, email: normalEmail(email) })
  const found = [...(yield* read(() => emails.flatMap(withCapitals), asSpelling))]
  let after: string | undefined = ""
  while (after !== undefined) {
    const from = { ...own, after, limit: spellingsOfStretch }
    const next: ReadonlyArray<string> = yield* read(() => prepare(Sql.selectSpellingsBeyondAscii).all(from), asSpelling)
    found.push(...next)
    after = next.length < spellingsOfStretch ? undefined : next.at(-1)
    if (after !== undefined) yield* Effect.yieldNow
  }
  return found
})

const asSpelling = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.map((row) => text(row, "spelling"))

interface Stretch<A> {
  /** In the order of the walk: nearest to the cursor first. */
  readonly records: ReadonlyArray<A>
  /** Where the walk goes on if the page is not full; `null`: nothing is left. */
  readonly end: PaymentId | null
  /** Whether it looked at metadata that has no index. */
  readonly isSearch: boolean
}

const stretchOf = (database: Database, tenant: Tenant, query: ResolvedQuery): Stretch<RecordRows> => {
  const indexed = indexedMetadata(database, query)
  const { end, walk } = furthest(database, tenant, query, indexed)
  const { sql, values } = pageStatement(tenant, query, walk, end)
  const rows = rowsOfPayments(database, database.prepare(sql).all(...values))
  const records = walk.towardsNewer ? rows.toReversed() : rows
  return { records, end, isSearch: testsMetadata(query, indexed) }
}

/** Of the indexes that may be walked, the one of which a stretch reaches furthest: it has least in between. */
const furthest = (database: Database, tenant: Tenant, query: ResolvedQuery, indexed: ReadonlySet<string>): Reach => {
  const [first, ...others] = walksOf(query, indexed)
  if (!hasTests(query, first)) return { walk: first, end: null }
  let found: Reach = { walk: first, end: horizon(database, tenant, query, first) }
  for (const walk of others) {
    if (found.end === null) return found
    found = further(found, { walk, end: horizon(database, tenant, query, walk) })
  }
  const byAmount = found.end === null ? null : reachByAmount(database, tenant, query, indexed)
  return byAmount === null ? found : further(found, byAmount)
}

interface Reach {
  readonly walk: Walk
  readonly end: PaymentId | null
}

const further = (one: Reach, other: Reach): Reach => {
  if (one.end === null) return one
  return other.end === null || other.end > one.end === other.walk.towardsNewer ? other : one
}

/** How many slices of a range of amounts a stretch passes. */
const slicesOfStretch = 64

/** As many slices as hold no more payments of the range than a stretch has entries; `null`: the first one has more. */
const reachByAmount = (
  { prepare }: Database,
  tenant: Tenant,
  query: ResolvedQuery,
  indexed: ReadonlySet<string>
): Reach | null => {
  const range = amountRangeOf(query)
  if (range === null) return null
  const walk = amountWalkOf(query, indexed, { ...range, slices: [] })
  const most = { slices: slicesOfStretch, payments: entriesOfStretch }
  const { sql, values } = slicesStatement(tenant, query, walk, range, most)
  const { isEnd, slices } = readSlices(prepare(sql).all(...values), most)
  const last = slices.at(-1)
  if (last === undefined && !isEnd) return null
  return {
    walk: { ...walk, driver: { ...range, slices } },
    // Boundary: a place in the list, as the id of a payment is.
    end: isEnd || last === undefined ? null : (endOfSlice(last, query.position?.side ?? "after") as PaymentId)
  }
}

const horizon = ({ prepare }: Database, tenant: Tenant, query: ListQuery, walk: Walk): PaymentId | null => {
  const { sql, values } = horizonStatement(tenant, query, walk, entriesOfStretch)
  const row = prepare(sql).get(...values)
  // Boundary: the column holds ids of payments only.
  return row === undefined ? null : (text(row, "id") as PaymentId)
}

const decoded = ({ records, ...stretch }: Stretch<RecordRows>) => ({ ...stretch, records: records.map(readRecord) })

/** Read from the file each time: indexes are created without a notification. */
const indexedMetadata = ({ prepare }: Database, { metadata }: ListQuery): ReadonlySet<string> => {
  if (Object.keys(metadata).length === 0) return noKeys
  return indexedKeys(prepare(sqliteIndexes).all())
}

const noKeys: ReadonlySet<string> = new Set()
