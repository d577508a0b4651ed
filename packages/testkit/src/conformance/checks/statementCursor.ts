import type { StatementPage } from "@paymux/core/statement"
import { Clock, Effect } from "effect"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { TestHarness } from "../ConformanceContext.ts"
import { describePage, pageOf, pagesOf, wholeWindow, withoutStatement, type Window } from "./statementPages.ts"
import { statementVendor, type StatementVendor } from "./statementVendor.ts"

export const statementCursor: ConformanceCheck = {
  id: "statement-cursor",
  title: "the cursors of a statement lead through all of it, also when they are read again or the vendor books more",
  why:
    "A run that was killed continues at its cursor, in another process. A vendor books while its statement is read. If a page is " +
    "skipped then, its payments are reported as missing. A cursor that is not understood, and is taken for the start or the " +
    "end, does the same.",
  howToFix:
    "Make the cursor of the vendor's own position and of the window, and nothing that is kept in memory. Refuse any other with " +
    "`invalidRequest`. If the vendor pages by numbers, read a page that may have moved twice: a movement may come twice, and " +
    "must not be missing.",
  exempt: withoutStatement,
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const vendor = yield* statementVendor(context)
        const window = yield* wholeWindow
        const pages = yield* pagesOf(vendor.harness, window)
        yield* isRepeatable(vendor.harness, window, pages)
        yield* isRefused(vendor.harness, window, pages)
        yield* isCompleteWhileBooked(vendor, window, pages)
      })
    )
}

/** By the same instance, and by another one. */
const isRepeatable = Effect.fnUntraced(function* (
  harness: TestHarness,
  window: Window,
  pages: ReadonlyArray<StatementPage>
) {
  const restarted = yield* harness.restart
  for (const [index, { next: cursor }] of pages.slice(0, 2).entries()) {
    const page = pages[index + 1]
    if (cursor === null || page === undefined) return
    for (const reader of [harness, restarted]) {
      const seen = yield* pageOf(reader, { ...window, cursor })
      const isSame = seen._tag === "Page" && JSON.stringify(seen.page) === JSON.stringify(page)
      yield* harness.expect(isSame, {
        tried: `page ${index + 2} of the statement, read again by its cursor${reader === harness ? "" : " after a restart"}`,
        expected: `the same page: ${describePage({ _tag: "Page", page })}`,
        seen: seen._tag === "Page" && !isSame ? `another page: ${describePage(seen)}` : describePage(seen)
      })
    }
  }
})

/** A damaged cursor, and one of another window. */
const isRefused = Effect.fnUntraced(function* (
  harness: TestHarness,
  window: Window,
  pages: ReadonlyArray<StatementPage>
) {
  const cursor = pages[0]?.next ?? null
  const hour = 3_600_000
  const others = [
    { ...window, cursor: "conformance_unheard_of" },
    { ...window, cursor: "" },
    { ...window, cursor: "0" },
    ...(cursor === null
      ? []
      : [
          { ...window, cursor: cursor.slice(0, Math.ceil(cursor.length / 2)) },
          { since: window.since - hour, until: window.until, cursor },
          { since: window.since, until: window.until - hour, cursor }
        ])
  ]
  for (const query of others) {
    const seen = yield* pageOf(harness, query)
    yield* harness.expect(seen._tag === "Failed" && seen.error.reason._tag === "InvalidRequest", {
      tried: `the statement with the cursor ${JSON.stringify(query.cursor)}, which is damaged or of another window`,
      expected: "a ProviderError InvalidRequest",
      seen: describePage(seen)
    })
  }
})

/** Late bookings, older and newer than what was read so far, come between the first page and the second. */
const isCompleteWhileBooked = Effect.fnUntraced(function* (
  { harness, statement }: StatementVendor,
  window: Window,
  pages: ReadonlyArray<StatementPage>
) {
  const { book } = statement
  if (book === null) return
  const [known] = yield* statement.bookings
  const now = yield* Clock.currentTimeMillis
  const late = Effect.forEach([1, 90, 150, 300, 500], (minutes, index) =>
    book({
      type: "charge",
      amount: { minorUnits: 5_000_000 + 10 * index, currency: known?.amount.currency ?? "EUR" },
      bookedAt: now - minutes * 60_000
    })
  )
  const read = new Set(
    (yield* pagesOf(harness, window, late)).flatMap(({ movements }) => movements.map(({ id }) => id))
  )
  const missing = pages.flatMap(({ movements }) => movements).find(({ id }) => !read.has(id))
  yield* harness.expect(missing === undefined, {
    tried: "the statement, while the vendor books more after the first page was read",
    expected: "each movement that was booked before",
    seen: `all but ${JSON.stringify(missing)}`
  })
})
