/** The statement: settlement detail reports, from the newest batch back to those before the range. */
import { invalidRequest, type ProviderError } from "@paymux/core"
import type { StatementPage, StatementQuery } from "@paymux/core/statement"
import { Effect } from "effect"
import { beginning, type Closing, readClosing, readReport, type ReportPosition } from "./readReport.ts"
import type { Reports } from "./reports.ts"
import type { ReadTime } from "./reportTime.ts"

/** Where a page begins: a batch, and how far it was read. */
interface Place extends ReportPosition {
  readonly batch: number
}

export const makeStatement = (reports: Reports, merchantAccount: string, readTime: ReadTime) => {
  /** By batch: a file is searched for its closing once, and not for each of its pages. */
  const closings = new Map<number, Closing>()

  /** The lines of a batch without a payout may be of any age: it was closed after the batch before. */
  const closingOf = (batch: number, file: Uint8Array): Effect.Effect<Closing, ProviderError> =>
    Effect.gen(function* () {
      const known = closings.get(batch)
      if (known !== undefined) return known
      const own = yield* Effect.promise(() => readClosing(file, { merchantAccount, batch }, readTime))
      if (typeof own === "string") return yield* Effect.fail(unreadable(batch, own))
      const isKnown = own.isPaidOut || batch <= reports.firstBatch
      const closing = isKnown ? own : later(own, yield* closingOf(batch - 1, yield* reports.read(batch - 1)))
      closings.set(batch, closing)
      return closing
    })

  const pageOf = Effect.fnUntraced(function* (place: Place, file: Uint8Array, bookedAt: number) {
    const page = yield* Effect.promise(() =>
      readReport(file, { merchantAccount, batch: place.batch, bookedAt, from: place })
    )
    return typeof page === "string" ? yield* Effect.fail(unreadable(place.batch, page)) : page
  })

  return (query: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    Effect.gen(function* () {
      const { cursor, since, until } = query
      const place = cursor === null ? { ...beginning, batch: yield* reports.newest } : readPlace(cursor, query)
      if (place === null) return yield* Effect.fail(invalidRequest("cursor"))
      const file = yield* reports.read(place.batch)
      const { bookedAt, isPaidOut } = yield* closingOf(place.batch, file)
      const page = bookedAt >= since && bookedAt < until ? yield* pageOf(place, file, bookedAt) : outside
      const isEnd = place.batch <= reports.firstBatch || (isPaidOut && bookedAt < since - slack)
      const before = isEnd ? null : { ...beginning, batch: place.batch - 1 }
      const next = page.rest === null ? before : { ...page.rest, batch: place.batch }
      if (next === null) yield* reports.forget
      return { movements: page.movements, next: next === null ? null : written(next, query) }
    })
}

const later = (own: Closing, before: Closing): Closing => ({
  isPaidOut: own.isPaidOut,
  bookedAt: Math.max(own.bookedAt, before.bookedAt)
})

const unreadable = (batch: number, problem: string) => invalidRequest(`batch ${batch}: ${problem}`)

/** The page of a batch that was closed before the range, or after it. */
const outside = { movements: [], rest: null }

/**
 * ms. Batches are closed one after the other: if one was paid out before the range, so were the batches before it. One without a
 * payout may have been closed later than its lines show, and is no end.
 */
const slack = 7 * 24 * 60 * 60_000

/** With the range: in another one, the batches that are left out would be others. The end shows that nothing was cut off. */
const written = ({ batch, bytes, lines }: Place, { since, until }: StatementQuery): string =>
  [since, until, batch, lines, bytes, "end"].join(" ")

const readPlace = (cursor: string, query: StatementQuery): Place | null => {
  const [, batch, lines, bytes] = /^\d+ \d+ (\d+) (\d+) (\d+) end$/.exec(cursor) ?? []
  const place = { batch: Number(batch), lines: Number(lines), bytes: Number(bytes) }
  return written(place, query) === cursor ? place : null
}
