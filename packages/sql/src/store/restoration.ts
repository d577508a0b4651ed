/** The row of `RestorationStore`, as both databases keep it. */
import type { Restoration, RestoredMark } from "@paymux/core/store"
import { randomUUID } from "node:crypto"
import type { Fragments, StatementText } from "../dialect/Fragments.ts"
import { json, numeral, numeralOrNull, text, unreadable } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

export const selectRestoration = "SELECT * FROM restoration"

export const replaceRestoration =
  (version: string, mark: RestoredMark): StatementText =>
  (statement) =>
    `UPDATE restoration SET ${markAssignments(statement, mark)}
    WHERE version = ${statement.bind(version)} RETURNING 1`

/**
 * The version of the mark is drawn at random: the database may go back, and a counter would then give the same version to another
 * mark.
 */
export const markAssignments = ({ bind }: Fragments, mark: RestoredMark): string =>
  `version = ${bind(randomUUID())}, went_back_to = ${bind(mark.wentBackTo)},
    marked_at = ${bind(mark.markedAt)}, holds_until = ${bind(mark.until)},
    accepted_doubles = ${bind(JSON.stringify(mark.acceptedDoubles))}`

export const readRestoration = (row: Row | undefined): Restoration => {
  if (row === undefined) throw new Error("The table restoration has no row: it was changed by another program")
  return {
    version: text(row, "version"),
    mark: row["went_back_to"] === null ? null : readMark(row),
    formerNamesUntil: numeralOrNull(row, "former_names_until")
  }
}

const readMark = (row: Row): RestoredMark => {
  const accepted = json(row, "accepted_doubles")
  if (!Array.isArray(accepted)) return unreadable(row, "accepted_doubles")
  return {
    wentBackTo: numeral(row, "went_back_to"),
    markedAt: numeral(row, "marked_at"),
    until: numeral(row, "holds_until"),
    acceptedDoubles: accepted.map(String)
  }
}
