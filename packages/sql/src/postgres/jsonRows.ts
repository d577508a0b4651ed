/**
 * Rows of commits as JSON, which PostgreSQL reads as a set: the text of a statement is the same for any number of rows.
 */
import type { Column, ColumnKind } from "../columns.ts"
import { toStorable } from "../storableText.ts"

/** Values by the names of their fields. Without a field, the value is `NULL`. */
export interface JsonRow {
  [field: string]: unknown
}

/** Adds the value of each column. */
export const addColumns = <A>(row: JsonRow, columns: ReadonlyArray<Column<A>>, value: A): JsonRow => {
  for (const column of columns) {
    const part = partOf(column, value)
    if (part !== null) row[column.name] = part
  }
  return row
}

/**
 * Adds the values of the columns that differ, and `changed`: the sum of their bits. `null`: nothing differs.
 * The bit of a column is two to the power of its place.
 */
export const addChanges = <A>(row: JsonRow, columns: ReadonlyArray<Column<A>>, before: A, after: A): JsonRow | null => {
  let changed = 0
  for (const [place, column] of columns.entries()) {
    if (column.part(before) === column.part(after)) continue
    changed += 2 ** place
    row[column.name] = partOf(column, after)
  }
  if (changed === 0) return null
  row["changed"] = changed
  return row
}

const partOf = <A>({ kind, name, part }: Column<A>, value: A): unknown => {
  const given = part(value)
  // JSON would turn it into `null`.
  if (kind === "number" && given !== null && !Number.isFinite(given)) throw new Error(`${name} is no finite number`)
  return kind === "words" ? storableWords(given) : given
}

/** The assignments that write the columns which a row of `addChanges` names, and leave the others as they are. */
export const assignments = (
  table: string,
  row: string,
  columns: ReadonlyArray<Pick<Column<never>, "name">>,
  fixed: ReadonlyArray<string>
): string =>
  columns
    .map(({ name }, place) => ({ name, bit: 2 ** place }))
    .filter(({ name }) => !fixed.includes(name))
    .map(
      ({ bit, name }) =>
        `${name} = CASE WHEN ${row}.changed & ${bit} <> 0 THEN ${row}.${name} ELSE ${table}.${name} END`
    )
    .join(", ")

/**
 * The row as PostgreSQL can read it. A structure stays JSON, which PostgreSQL copies verbatim into a column of text. Its parser
 * refuses a NUL and an unpaired surrogate, so where there may be one, structures become text before.
 */
export const jsonOf = (row: JsonRow): string => {
  const json = JSON.stringify(row)
  if (!json.includes("\\u")) return json
  const storable = Object.entries(row).map(([field, value]) => [field, storableValue(value)])
  return JSON.stringify(Object.fromEntries(storable))
}

const storableValue = (value: unknown): unknown => {
  if (typeof value === "string") return toStorable(value)
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value
}

/** What `json_to_recordset` needs to know of the columns. */
export const definitions = (columns: ReadonlyArray<Pick<Column<never>, "kind" | "name">>): string =>
  columns.map(({ kind, name }) => `${name} ${types[kind]}`).join(", ")

const types: { readonly [kind in ColumnKind]: string } = {
  text: "text",
  json: "text",
  words: "text",
  number: "bigint",
  flag: "boolean"
}

/** Words that PostgreSQL can take apart: its own JSON knows no NUL, not even an escaped one. */
export const storableWords = (words: unknown): unknown => {
  if (typeof words !== "object" || words === null) return words
  const entries = Object.entries(words)
  const storable = entries.map(([word, value]) => [toStorable(word), toStorable(String(value))] as const)
  const isStored = storable.every(([word, value], index) => word === entries[index]?.[0] && value === entries[index][1])
  return isStored ? words : Object.fromEntries(storable)
}
