/**
 * Reads a page of a list in steps. A step is one scan along an index that reads a limited number of entries, returns
 * the payments that it found, and yields to other work. SQLite runs on the event loop, which a single scan past a
 * million payments that are not on the page would block.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { ListTimedOut, normalEmail } from "@paymux/core/store"
import type { ListQuery } from "@paymux/core/store"
import { Clock, Effect, Semaphore } from "effect"
import { listPage, reachOfSlices } from "../lists/amountSlices.ts"
import type { Reach } from "../lists/amountSlices.ts"
import { distinctSpellings, spellingsWithCapitals } from "../lists/emailSpellings.ts"
import { amountRangeOf, mostSearched, testsMetadata, walksOf } from "../lists/listFilters.ts"
import type { ResolvedQuery, Walk } from "../lists/listFilters.ts"
import { hasTests, horizonStatement, pageStatement, slicesStatement } from "../lists/listStatement.ts"
import { sqliteBeyondAscii } from "../migrations/emails.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { indexedKeys, sqliteIndexes } from "../lists/indexedKeys.ts"
import { firstOf, text, word } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { readPaymentRecord } from "../store/records.ts"
import type { SqliteDatabase } from "./SqliteClient.ts"
import { sqliteDialect } from "./sqliteDialect.ts"
import { rowsOf } from "./statementRunner.ts"
import type { SqliteAccess } from "./statementRunner.ts"

type Database = SqliteDatabase["Service"]

/** The maximum number of entries that a step reads: each may cost a read of its row. */
const entriesOfStretch = 500

/** The time limit of a list, in ms. */
const longest = 2000

export const walkedPage = (database: Database, read: SqliteAccess["read"]) => {
  // Limits the lists that take more than one step to one at a time.
  const turns = Semaphore.makeUnsafe(1)
  return Effect.fnUntraced(function* (tenant: Tenant, query: ResolvedQuery) {
    const stretch = (position: ListQuery["position"]) =>
      Effect.map(
        read(() => snapshot(database, () => stretchOf(database, tenant, { ...query, position }))),
        decoded
      )
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
    return listPage(query.position?.side === "before" ? page.toReversed() : page, isFull, end)
  })
}

/** The maximum number of addresses with non-ASCII characters that are read at once. */
const spellingsOfStretch = 500

/** Finds the stored spellings that may belong to the addresses. */
export const storedSpellings = Effect.fnUntraced(function* (
  { read }: StatementRunner,
  tenant: Tenant,
  emails: ReadonlyArray<string>
) {
  const found: Array<string> = []
  for (const email of emails) found.push(...(yield* read(selectSpellingsWithCapitals(tenant, email))).map(spelling))
  let after: string | undefined = ""
  while (after !== undefined) {
    const next: ReadonlyArray<string> = (yield* read(selectSpellingsBeyondAscii(tenant, after))).map(spelling)
    found.push(...next)
    after = next.length < spellingsOfStretch ? undefined : next.at(-1)
    if (after !== undefined) yield* Effect.yieldNow
  }
  return found
})

const spelling = (row: Row): string => text(row, "spelling")

/** The spellings with capitals of one address, which earlier code stored. */
const selectSpellingsWithCapitals =
  (tenant: Tenant, email: string): StatementText =>
  (statement) =>
    spellingsWithCapitals(
      "payments INDEXED BY payments_by_email_with_capitals",
      statement.isOf(tenant),
      statement.bind(normalEmail(email))
    )

/** The SQL for the next stored addresses with characters beyond ASCII, sorted, after the text `after`. */
const selectSpellingsBeyondAscii =
  (tenant: Tenant, after: string): StatementText =>
  (statement) => {
    const spellings = distinctSpellings(
      "payments INDEXED BY payments_by_email_beyond_ascii",
      statement.isOf(tenant),
      sqliteBeyondAscii,
      statement.bind(after)
    )
    return `${spellings} LIMIT ${statement.bind(spellingsOfStretch)}`
  }

interface Stretch<A> {
  /** The records in scan order: nearest to the cursor first. */
  readonly records: ReadonlyArray<A>
  /** The position at which the scan continues if the page is not full; `null`: the scan has ended. */
  readonly end: PaymentId | null
  /** Whether the scan read metadata that has no index. */
  readonly isSearch: boolean
}

const stretchOf = (database: Database, tenant: Tenant, query: ResolvedQuery): Stretch<Row> => {
  const indexed = indexedMetadata(database, query)
  const { end, walk } = furthest(database, tenant, query, indexed)
  const rows = rowsOf(database, pageStatement(tenant, query, walk, end))
  const records = walk.towardsNewer ? rows.toReversed() : rows
  return { records, end, isSearch: testsMetadata(query, indexed) }
}

/**
 * Selects, of the possible scans of a list, the scan that gets furthest in one step, because its index has the fewest
 * entries up to there.
 */
const furthest = (database: Database, tenant: Tenant, query: ResolvedQuery, indexed: ReadonlySet<string>): Reach => {
  const reachOf = (walk: Walk): Reach => {
    const rows = rowsOf(database, horizonStatement(tenant, query, walk, entriesOfStretch))
    return { walk, end: firstOf((row) => word<PaymentId>(row, "id"))(rows) }
  }
  const [first, ...others] = walksOf(query, indexed)
  if (!hasTests(query, first)) return { walk: first, end: null }
  let found = reachOf(first)
  for (const walk of others) {
    if (found.end === null) return found
    found = further(found, reachOf(walk))
  }
  const range = found.end === null ? null : amountRangeOf(query)
  if (range === null) return found
  // Reads as many slices as contain no more payments of the amount range than a step may read entries.
  const most = { slices: slicesOfStretch, payments: entriesOfStretch }
  const rows = rowsOf(database, slicesStatement(tenant, query, range, most))
  const byAmount = reachOfSlices(query, indexed, range, rows, most)
  return byAmount === null ? found : further(found, byAmount)
}

const further = (one: Reach, other: Reach): Reach => {
  if (one.end === null) return one
  return other.end === null || other.end > one.end === other.walk.towardsNewer ? other : one
}

/** The maximum number of slices of an amount range that a step reads. */
const slicesOfStretch = 64

const decoded = ({ records, ...stretch }: Stretch<Row>) => ({
  ...stretch,
  records: records.map(readPaymentRecord(sqliteDialect))
})

/** Runs reads on one snapshot of the file, even if another process commits between them. */
const snapshot = <A>({ db, prepare }: Database, reads: () => A): A => {
  if (db.isTransaction) return reads()
  prepare("BEGIN").run()
  try {
    return reads()
  } finally {
    prepare("COMMIT").run()
  }
}

/** The indexes are read from the file each time, since an index is created without a notification. */
const indexedMetadata = ({ prepare }: Database, { metadata }: ListQuery): ReadonlySet<string> => {
  if (Object.keys(metadata).length === 0) return noKeys
  return indexedKeys(prepare(sqliteIndexes).all())
}

const noKeys: ReadonlySet<string> = new Set()
