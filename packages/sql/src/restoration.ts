/** The row of `RestorationStore`, as both databases keep it. */
import type { Restoration, RestoredMark } from "@paymux/core/store"
import { randomUUID } from "node:crypto"
import { json, numeral, numeralOrNull, text, unreadable } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"

export const selectRestoration = "SELECT * FROM restoration"

/** For SQLite: a row if the version is another one. */
export const selectOtherVersion = "SELECT 1 AS found FROM restoration WHERE version <> ?"

/** For SQLite: the values of `markValues`, then the version before. */
export const updateRestoration = `UPDATE restoration
  SET version = ?, went_back_to = ?, marked_at = ?, holds_until = ?, accepted_doubles = ? WHERE version = ?`

/** The version is drawn: the database may go back, and a counter would give it again to another mark. */
export const markValues = ({ acceptedDoubles, markedAt, until, wentBackTo }: RestoredMark) =>
  [randomUUID(), wentBackTo, markedAt, until, JSON.stringify(acceptedDoubles)] as const

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
