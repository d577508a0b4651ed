/** The statement: Cashfree's reconciliation (`POST /recon`), which lists the events of the account. */
import { invalidRequest, type ProviderError, rateLimited } from "@paymux/core"
import type { StatementPage, StatementQuery } from "@paymux/core/statement"
import { HttpOutcome } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { errorOutcome, read } from "./errors.ts"
import { movementOf } from "./movements.ts"
import * as Wire from "./wire.ts"

export const makeStatement =
  (client: Client) =>
  (query: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    HttpOutcome.statement(
      Effect.gen(function* () {
        const { cursor, since, until } = query
        const at = cursor === null ? null : readCursor(cursor, query)
        if (at === undefined) return yield* Effect.fail(invalidRequest("cursor"))
        const request = client.recon({
          pagination: { limit: pageSize, cursor: at },
          filters: { start_date: timeText(Math.floor(since / 1000)), end_date: timeText(Math.ceil(until / 1000)) }
        })
        const page = yield* Effect.catchTag(read(Wire.ReconPage, request), "Refused", ({ answer }) =>
          // What is unknown is read again later.
          Effect.andThen(errorOutcome(answer), Effect.fail(rateLimited(null)))
        )
        const next = page.cursor ?? ""
        // The same page for ever would look like a statement without an end.
        if (next !== "" && next === at) return yield* Effect.fail(invalidRequest("the next page is the same page"))
        const movements = yield* Effect.forEach(page.data, (row) => movementOf(Wire.eventOf(row)))
        return {
          movements: movements
            .filter((each) => each !== null)
            .filter(({ bookedAt }) => bookedAt >= since && bookedAt < until),
          next: next === "" ? null : written(next, query)
        }
      })
    )

/** Cashfree returns 1000 at most. A row may have ten tags of 255 characters, and an answer has 1 MiB at most. */
const pageSize = 100

/** `seconds`: UTC. */
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")

/** With the range, and with its own length: a part of Cashfree's cursor could be another cursor. */
const written = (cursor: string, { since, until }: StatementQuery): string =>
  `${since} ${until} ${cursor.length} ${cursor}`

/** Cashfree's cursor; `undefined`: it is not one of this range. */
const readCursor = (text: string, query: StatementQuery): string | undefined => {
  const cursor = /^\d+ \d+ \d+ (.+)$/.exec(text)?.[1]
  return cursor !== undefined && written(cursor, query) === text ? cursor : undefined
}
