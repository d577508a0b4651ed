/** Reads and writes the only row of the restoration mark, in both databases: see `RestorationStore`. */
import type { Restoration, RestorationStore, RestoredMark } from "@paymux/core/store"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Fragments, StatementRunner } from "../dialect/Fragments.ts"
import { inColumn, json, numeral, numeralOrNull, reading, text, unreadable } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

export const selectRestoration = "SELECT * FROM restoration"

export const replaceMark =
  ({ write }: StatementRunner): RestorationStore["replace"] =>
  ({ version }, mark) =>
    Effect.map(
      write(
        (statement) => `UPDATE restoration SET ${markAssignments(statement, mark)}
          WHERE version = ${statement.bind(version)} RETURNING 1`
      ),
      (rows) => rows.length === 1
    )

/**
 * The version of the mark is random: the database may go back in time, and a counter would then give the same version
 * to another mark.
 */
export const markAssignments = ({ bind }: Fragments, mark: RestoredMark): string =>
  `version = ${bind(randomUUID())}, went_back_to = ${bind(mark.wentBackTo)},
    marked_at = ${bind(mark.markedAt)}, holds_until = ${bind(mark.until)},
    accepted_doubles = ${bind(JSON.stringify(mark.acceptedDoubles))}`

export const readRestoration = (row: Row | undefined): Restoration => {
  if (row === undefined) throw new Error("The table restoration has no row: it was changed by another program")
  return readStored(row)
}

const readMark = reading<RestoredMark>({
  wentBackTo: numeral,
  markedAt: numeral,
  until: inColumn("holds_until", numeral),
  acceptedDoubles: (row, column) => {
    const accepted = json(row, column)
    return Array.isArray(accepted) ? accepted.map(String) : unreadable(row, column)
  }
})

const readStored = reading<Restoration>({
  version: text,
  mark: (row) => (row["went_back_to"] === null ? null : readMark(row)),
  formerNamesUntil: numeralOrNull
})
