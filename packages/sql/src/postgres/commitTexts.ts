/**
 * Makes the SQL texts of the two commits of a payment: a begin and an advance. Each is one statement for any number of
 * payments, whose parts are done together or not at all, in one round trip.
 *
 * Each parameter is a set of rows, and the text has a part for each set that is not empty. Each combination of sets has
 * one text, so there are few, and a session prepares each once.
 *
 * All parts see the snapshot from before the statement, and they run in no defined order unless one reads from another.
 * So each part reads from `written`: the payments that may be written.
 */
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../rows/columns.ts"
import type { Column } from "../rows/Column.ts"
import { storedAnswer } from "../store/answerReference.ts"
import { remember } from "../store/operations.ts"
import { assignments, definitions } from "../rows/jsonRows.ts"
import { isReferenceTaken } from "./postgresDialect.ts"
import { currentVersion } from "./restoration.ts"

const text = (name: string): Column => ({ name, kind: "text" })
const number = (name: string): Column => ({ name, kind: "number" })
const flag = (name: string): Column => ({ name, kind: "flag" })

/** The response to store under an idempotency key: its text, or the sequence number of the event with the same bytes. */
const answers = [text("answer"), number("answer_event")]

const changeColumns = [...paymentColumns.all, number("changed"), number("read_version"), number("read_updated_at")]

/** The fields of each set's rows. All rows except those of `payments` name their payment as `payment_id`. */
const fields = {
  keys: [...keyColumns.all, ...answers, text("restoration")],
  payments: [...paymentColumns.all, text("restoration")],
  changes: changeColumns,
  rareChanges: changeColumns,
  references: [text("payment_id"), text("provider"), text("reference")],
  changedAttempts: [text("payment_id"), ...attemptColumns.all, number("changed")],
  attempts: [text("payment_id"), ...attemptColumns.all],
  replaced: [text("payment_id"), text("id"), text("reference")],
  changedOperations: [...operationColumns.all, number("changed")],
  operations: [number("position"), ...operationColumns.all],
  entries: [text("payment_id"), number("position"), ...entryColumns.all],
  events: eventColumns.all,
  evidence: evidenceColumns.all,
  answers: [text("payment_id"), text("account"), flag("livemode"), text("endpoint"), text("key"), ...answers]
} as const satisfies { readonly [name: string]: ReadonlyArray<Column> }

export type SetName = keyof typeof fields

/**
 * The names of the sets, in the order of their parameters. Boundary: the type of `Object.keys` does not show that
 * `fields` has no other keys.
 */
export const setNames = Object.keys(fields) as ReadonlyArray<SetName>

/**
 * The sets among the parameters of a statement. `of`: the SQL that reads the rows of one set as a table `given`, in the
 * order of `ordinality`.
 */
interface Sets {
  readonly has: (name: SetName) => boolean
  readonly of: (name: SetName) => string
  /**
   * Makes the part of a statement for one set, as a common table expression `name`; an empty list if the set is empty.
   */
  readonly part: (set: SetName, name: string, text: (given: string) => string) => ReadonlyArray<string>
}

const setsOf = (present: ReadonlyArray<SetName>): Sets => {
  const has: Sets["has"] = (name) => present.includes(name)
  const of: Sets["of"] = (name) =>
    `ROWS FROM (json_to_recordset($${present.indexOf(name) + 1}::json) AS (${definitions(fields[name])})) WITH ORDINALITY AS given`
  return { has, of, part: (set, name, text) => (has(set) ? [`${name} AS (${text(of(set))})`] : []) }
}

/** The text of a begin whose rows are in these sets. It returns a row for each payment that was begun. */
export const beginText = (present: ReadonlyArray<SetName>): string => {
  const sets = setsOf(present)
  const { has, of, part } = sets
  const parts = [
    ...part("keys", "bound", (keys) => insertKeys(`${keys} WHERE ${isNotRestored}`)),
    `written AS (INSERT INTO payments (${paymentColumns.names}) SELECT ${paymentColumns.names}
      FROM ${of("payments")}${has("keys") ? " JOIN bound ON bound.payment_id = given.id" : ` WHERE ${isNotRestored}`}
      RETURNING id AS payment_id)`,
    ...insertParts(sets)
  ]
  return `WITH ${parts.join(", ")} SELECT payment_id, 1 AS done, NULL::text AS kept FROM written`
}

/**
 * The condition that the database was not restored since the process that begins the payment read the restoration mark.
 */
const isNotRestored = `(given.restoration IS NULL OR given.restoration = ${currentVersion})`

/**
 * The text of an advance, which is a later change of a payment. The result has a row with the stored response for each
 * payment that was written, and a row with `done` -1 for each payment whose reference is taken. If a payment has no
 * row, its version has changed, or its idempotency key is taken.
 *
 * Gotchas: the parts of one statement do not see each other's writes, so two commits that give the same reference never
 * run in one statement: see `locks` of a `Commit`.
 */
export const advanceText = (present: ReadonlyArray<SetName>): string => {
  const sets = setsOf(present)
  const { has, of, part } = sets
  const fence = has("references") ? `${isVersionRead} AND ${isFree}` : isVersionRead
  const isRare = has("rareChanges")
  const fixed = isRare ? ["id"] : ["id", ...rarelyChanged]
  const update = `UPDATE payments SET ${assignments("payments", "change", paymentColumns.all, fixed)} FROM change`
  const updated = `WHERE ${fence} RETURNING payments.id AS payment_id`
  const parts = [
    `change AS (SELECT * FROM ${of(isRare ? "rareChanges" : "changes")} WHERE ${estimateOneRow})`,
    ...part("references", "taken", selectTaken),
    ...(has("keys")
      ? [
          // Locks the payment before its idempotency key is bound, so that no key is bound for a change that cannot be
          // made.
          `fenced AS (SELECT payments.id AS payment_id FROM change JOIN payments ON ${fence} FOR UPDATE OF payments)`,
          `bound AS (${insertKeys(`${of("keys")} JOIN fenced USING (payment_id)`)})`,
          `written AS (${update} JOIN bound ON bound.payment_id = change.id ${updated})`
        ]
      : [`written AS (${update} ${updated})`]),
    ...part("changedAttempts", "updated_attempts", updateAttempts),
    ...part("replaced", "remembered", insertReplaced),
    ...part("changedOperations", "updated_operations", (changes) => updateOperations(sets, changes)),
    ...insertParts(sets),
    ...part("events", "inserted_events", (rows) => `${insert("payment_events", "events", rows)} ORDER BY ordinality`),
    ...part("evidence", "inserted_evidence", (rows) => insert("evidence", "evidence", rows)),
    ...part("answers", "kept_answers", keepAnswers)
  ]
  return `WITH ${parts.join(", ")} ${selectResults(sets)}`
}

/**
 * The columns that indexes contain and hardly any commit changes. PostgreSQL keeps an index smaller if none of its
 * columns is assigned.
 */
export const rarelyChanged = [
  "account",
  "livemode",
  "rail",
  "method",
  "minor_units",
  "currency",
  "customer_email",
  "metadata",
  "order_ref",
  "order_held",
  "created_at"
]

/**
 * The condition that the payment has not changed since it was read. It also compares `updated_at`: after the database
 * was restored, the same version number may stand for another change.
 */
const isVersionRead = `payments.id = change.id AND payments.version = change.read_version
  AND payments.updated_at = change.read_updated_at`

const isFree = "NOT EXISTS (SELECT FROM taken WHERE taken.payment_id = change.id)"

/**
 * A condition that is always true. Without it, PostgreSQL estimates 100 rows for a function, and for so many rows it
 * may read a whole table that was small when the statement was prepared. With it, PostgreSQL estimates one row, as for
 * every equality without statistics, and uses the index of the ids.
 */
const estimateOneRow = "changed % 1 = 0"

/** The SQL for the payments that have not changed since they were read, but whose new reference is already taken. */
const selectTaken = (references: string): string =>
  `SELECT DISTINCT change.id AS payment_id FROM ${references} JOIN change ON change.id = given.payment_id
    JOIN payments ON ${isVersionRead} WHERE ${isReferenceTaken("given.provider", "given.reference", "payments.id")}`

/** Waits for another transaction that is binding the same idempotency key. */
const insertKeys = (from: string): string => {
  const names = `${keyColumns.names}, answer, answer_event`
  return `INSERT INTO idempotency_keys (${names}) SELECT ${names} FROM ${from}
    ON CONFLICT DO NOTHING RETURNING payment_id, answer, answer_event`
}

const updateAttempts = (changes: string): string =>
  `UPDATE attempts SET ${assignments("attempts", "given", attemptColumns.all, ["seq"])} FROM ${changes} JOIN written USING (payment_id)
    WHERE attempts.payment_id = given.payment_id AND attempts.seq = given.seq RETURNING 1`

/**
 * Stores the references that the update of the operations is about to replace. It locks the operations and reads the
 * stored references, because a checkpoint may have changed them after `before` was read. The update reads from this
 * part, so that it runs later.
 */
const insertReplaced = (replaced: string): string =>
  `${remember} SELECT operations.provider, operations.reference, operations.payment_id
    FROM ${replaced} JOIN written USING (payment_id)
      JOIN operations ON operations.id = given.id AND operations.reference <> given.reference
    FOR UPDATE OF operations ON CONFLICT DO NOTHING RETURNING 1`

/** Updates operations and ends the claims on them, because the next check of a changed operation was scheduled anew. */
const updateOperations = ({ has }: Sets, changes: string): string =>
  `UPDATE operations SET ${assignments("operations", "given", operationColumns.all, ["payment_id", "id"])},
      claimed_by = NULL, claimed_until = NULL
    FROM ${changes} JOIN written USING (payment_id)${has("replaced") ? after("remembered") : ""}
    WHERE operations.id = given.id`

/**
 * The parts that insert attempts, operations and entries. The part that inserts attempts reads from the part that
 * updates attempts, so it runs later. Otherwise, for a moment, two attempts could be in flight, which the database
 * refuses.
 */
const insertParts = ({ has, part }: Sets): ReadonlyArray<string> => [
  ...part("attempts", "inserted_attempts", (rows) =>
    insert("attempts", "attempts", `${rows}${has("changedAttempts") ? after("updated_attempts") : ""}`)
  ),
  ...part("operations", "inserted_operations", (rows) => insert("operations", "operations", rows)),
  ...part("entries", "inserted_entries", (rows) => insert("entries", "entries", rows))
]

const after = (part: string): string => ` CROSS JOIN (SELECT count(*) FROM ${part}) AS ${part}`

const insert = (table: string, set: SetName, from: string): string => {
  const names = fields[set].map(({ name }) => name).join(", ")
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${from} JOIN written USING (payment_id)`
}

/** A response is stored only with a key of its payment: after a restore, another payment may have the key. */
const keepAnswers = (answers: string): string =>
  `UPDATE idempotency_keys AS kept
    SET (answer, answer_event) = ROW (
      CASE WHEN ${isUnanswered} THEN given.answer ELSE kept.answer END,
      CASE WHEN ${isUnanswered} THEN given.answer_event ELSE kept.answer_event END)
    FROM ${answers} JOIN written USING (payment_id)
    WHERE kept.account = given.account AND kept.livemode = given.livemode
      AND kept.endpoint = given.endpoint AND kept.key = given.key
    RETURNING given.payment_id, ${storedAnswer("kept")} AS answer, kept.answer_event`

const isUnanswered = "kept.answer IS NULL AND kept.answer_event IS NULL AND kept.payment_id = given.payment_id"

const selectResults = ({ has }: Sets): string => {
  const holders = [...(has("answers") ? ["kept_answers"] : []), ...(has("keys") ? ["bound"] : [])]
  const first = (type: string, column: string) =>
    `coalesce(${[`NULL::${type}`, ...holders.map((holder) => `${holder}.${column}`)].toReversed().join(", ")})`
  const joins = holders.map((holder) => ` LEFT JOIN ${holder} USING (payment_id)`).join("")
  const written = `SELECT payment_id, 1 AS done, ${first("text", "answer")} AS kept,
    ${first("bigint", "answer_event")} AS kept_event FROM written${joins}`
  return has("references") ? `${written} UNION ALL SELECT payment_id, -1, NULL, NULL FROM taken` : written
}
