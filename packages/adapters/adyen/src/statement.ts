/** The statement: settlement detail reports, from the newest batch back to those before the range. */
import { invalidRequest, type ProviderError } from "@paymux/core"
import type { StatementPage, StatementQuery } from "@paymux/core/statement"
import { Effect } from "effect"
import { beginning, readReport, type ReportPosition } from "./readReport.ts"
import type { Reports } from "./reports.ts"

/** Where a page begins: a batch, and how far it was read. */
interface Place extends ReportPosition {
  readonly batch: number
}

export const makeStatement =
  (reports: Reports, merchantAccount: string) =>
  (query: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    Effect.gen(function* () {
      const { cursor, since, until } = query
      const place = cursor === null ? { ...beginning, batch: yield* reports.newest } : readPlace(cursor, query)
      if (place === null) return yield* Effect.fail(invalidRequest("cursor"))
      const bytes = yield* reports.read(place.batch)
      const page = yield* Effect.promise(() => readReport(bytes, { merchantAccount, batch: place.batch, from: place }))
      if (typeof page === "string") return yield* Effect.fail(invalidRequest(`batch ${place.batch}: ${page}`))
      const next = page.isLast
        ? batchBefore(place, page.position.newest >= since - slack && place.batch > reports.firstBatch)
        : { ...page.position, batch: place.batch }
      if (next === null) yield* reports.forget
      return {
        movements: page.movements.filter(({ bookedAt }) => bookedAt >= since && bookedAt < until),
        next: next === null ? null : written(next, query)
      }
    })

const batchBefore = ({ batch }: Place, isNeeded: boolean): Place | null =>
  isNeeded ? { ...beginning, batch: batch - 1 } : null

/**
 * ms. Batches are closed one after the other, and each ends with what was paid out then: if all of it is before the range, so
 * are the batches before. A batch without a payout may have late bookings only.
 */
const slack = 7 * 24 * 60 * 60_000

/** With the range: in another one, the batches that are left out would be others. The end shows that nothing was cut off. */
const written = ({ batch, bytes, lines, newest }: Place, { since, until }: StatementQuery): string =>
  [since, until, batch, lines, bytes, newest, "end"].join(" ")

const readPlace = (cursor: string, query: StatementQuery): Place | null => {
  const [, batch, lines, bytes, newest] = /^\d+ \d+ (\d+) (\d+) (\d+) (\d+) end$/.exec(cursor) ?? []
  const place = { batch: Number(batch), lines: Number(lines), bytes: Number(bytes), newest: Number(newest) }
  return written(place, query) === cursor ? place : null
}
