/** The sequence of events on SQLite: commits become visible in the order of the positions. */
import { Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { firstOf, numeral } from "../rows/ReadRow.ts"
import { eventsAfter } from "../store/eventSequence.ts"

export const sqliteEventsAfter = (runner: StatementRunner) =>
  eventsAfter(runner, mostScanned, (id) =>
    Effect.map(
      runner.read(({ bind }) => `SELECT position FROM payment_events WHERE id = ${bind(id)}`),
      (rows) => ({ after: firstOf((row) => numeral(row, "position"))(rows), until: Number.MAX_SAFE_INTEGER })
    )
  )

/** The maximum number of events that one statement scans. The scan blocks the event loop for some milliseconds. */
const mostScanned = 1_000
