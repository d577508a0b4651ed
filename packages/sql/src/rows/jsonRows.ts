/**
 * Rows of commits as JSON, which PostgreSQL reads as a set: the text of a statement is the same for any number of rows.
 */
import type { Column, ColumnKind, Columns } from "./Column.ts"
import { fromStorable, toStorable } from "./storableText.ts"

/** Values by field name. An absent field is stored as `NULL`. */
export interface JsonRow {
  [field: string]: unknown
}

/** Adds the value of each column to the row. */
export const addColumns = <A>(row: JsonRow, { all, parts }: Columns<A>, value: A): JsonRow => {
  const given = parts(value)
  let place = 0
  for (const column of all) {
    const part = given[place++]
    if (part !== null) row[column.name] = jsonPart(column, part)
  }
  return row
}

/**
 * Adds the values of the changed columns to the row, and `changed`: the sum of their bits. Returns no row if nothing
 * changed. The bit of a column is two to the power of its index.
 */
export const addChanges = <A>(row: JsonRow, { all, parts }: Columns<A>, before: A, after: A): [] | [JsonRow] => {
  const [former, given] = [parts(before), parts(after)]
  let changed = 0
  for (const [place, column] of all.entries()) {
    const part = given[place]
    if (part === former[place]) continue
    changed += 2 ** place
    row[column.name] = jsonPart(column, part)
  }
  if (changed === 0) return []
  row["changed"] = changed
  return [row]
}

const jsonPart = ({ kind, name }: Column, part: unknown): unknown => {
  // A number that is not finite is rejected, because JSON would turn it into `null`.
  if (kind === "number" && part !== null && !Number.isFinite(part)) throw new Error(`${name} is no finite number`)
  return kind === "string[]" ? storableStrings(part) : part
}

/** The assignments that write the columns which a row of `addChanges` names, and leave the others as they are. */
export const assignments = (
  table: string,
  row: string,
  columns: ReadonlyArray<Column>,
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
 * Encodes a row as JSON that PostgreSQL can read. Nested objects stay JSON, which PostgreSQL copies verbatim into a
 * column of text. Its parser refuses a NUL and an unpaired surrogate, so if the row may contain one of these, its
 * objects are converted to text first.
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

/** The column definitions for the SQL function `json_to_recordset`. */
export const definitions = (columns: ReadonlyArray<Column>): string =>
  columns.map(({ kind, name }) => `${name} ${types[kind]}`).join(", ")

const types: { readonly [kind in ColumnKind]: string } = {
  text: "text",
  json: "text",
  "string[]": "text",
  exact: "text",
  number: "bigint",
  flag: "boolean"
}

/** Encodes strings for PostgreSQL, whose JSON cannot contain a NUL, not even an escaped one. */
export const storableStrings = (strings: unknown): unknown => {
  if (typeof strings !== "object" || strings === null) return strings
  const entries = Object.entries(strings)
  const storable = entries.map(([key, value]) => [toStorable(key), toStorable(String(value))] as const)
  const isStored = storable.every(([key, value], index) => key === entries[index]?.[0] && value === entries[index][1])
  return isStored ? strings : Object.fromEntries(storable)
}

/** The reverse of `storableStrings`, on JSON text. */
export const storedStrings = (json: string): string => {
  // The escape character, escaped once more by JSON.
  if (!json.includes(String.raw`\u001a`)) return json
  const stored: unknown = JSON.parse(json)
  return typeof stored !== "object" || stored === null
    ? json
    : JSON.stringify(
        Object.fromEntries(
          Object.entries(stored).map(([key, value]) => [fromStorable(key), fromStorable(String(value))])
        )
      )
}
