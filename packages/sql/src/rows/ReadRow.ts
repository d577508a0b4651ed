/** Reads the columns of a row as the types they were written from. Another value throws `RowUnreadable`. */
import { fromStorable } from "./storableText.ts"

export interface Row {
  readonly [column: string]: unknown
}

/** Reads a column of a row. */
export type ReadColumn<A> = (row: Row, column: string) => A

/**
 * Makes a reader that reads each field with its function, from the column of the same name in snake case: `startedAt`
 * from `started_at`.
 */
export const reading = <A>(fields: { readonly [field in keyof A]-?: ReadColumn<A[field]> }) => {
  const all = Object.entries<ReadColumn<unknown>>(fields).map(([field, read]) => ({
    field,
    column: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    read
  }))
  // A template with all the fields. V8 keeps copies of it in fast mode; an object that grows by computed property names changes to
  // dictionary mode, which is slow to read.
  const blank: { readonly [field: string]: unknown } = JSON.parse(
    JSON.stringify(Object.fromEntries(all.map(({ field }) => [field, null])))
  )
  return (row: Row): A => {
    const value = { ...blank }
    for (const { column, field, read } of all) value[field] = read(row, column)
    // Boundary: the loop sets each field of `A` with the function that reads its type.
    return value as A
  }
}

/** Reads a field from a column with another name. */
export const inColumn =
  <A>(column: string, read: ReadColumn<A>): ReadColumn<A> =>
  (row) =>
    read(row, column)

/** Reads the first row; `null`: no row. */
export const firstOf =
  <A>(read: (row: Row) => A) =>
  ([row]: ReadonlyArray<Row>): A | null =>
    row === undefined ? null : read(row)

/** Reads every row. */
export const eachOf =
  <A>(read: (row: Row) => A) =>
  (rows: ReadonlyArray<Row>): ReadonlyArray<A> =>
    rows.map(read)

/**
 * Error: a stored row is malformed, because another program wrote it or the file is damaged. Names the row, never its
 * contents.
 */
export class RowUnreadable extends Error {
  override readonly name = "RowUnreadable"
}

export const unreadable = (row: Row, column: string): never => {
  const name = row["id"] ?? row["payment_id"] ?? row["key"] ?? row["event_key"]
  throw new RowUnreadable(`The stored row ${String(name)} cannot be read: its ${column} is not as it was written`)
}

export const text = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === "string" ? value : unreadable(row, column)
}

/** Reads a column that may be `NULL`. */
export const orNull =
  <A>(read: ReadColumn<A>): ReadColumn<A | null> =>
  (row, column) =>
    row[column] === null ? null : read(row, column)

export const textOrNull = orNull(text)

/**
 * Reads text as a narrower type, such as an id. Boundary: only this package writes the column, from values of that
 * type.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the field that is read chooses the type
export const word = <A extends string>(row: Row, column: string): A => text(row, column) as A

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the field that is read chooses the type
export const wordOrNull = <A extends string>(row: Row, column: string): A | null => textOrNull(row, column) as A | null

/** Reads text that was encoded with `toStorable`. */
export const exactOrNull = orNull((row, column) => fromStorable(text(row, column)))

export const numeral = (row: Row, column: string): number => {
  const value = row[column]
  // A larger integer would have been rounded when it was read.
  return typeof value === "number" && Number.isSafeInteger(value) ? value : unreadable(row, column)
}

export const numeralOrNull = orNull(numeral)

export const flag = (row: Row, column: string): boolean => {
  const value = row[column]
  if (value === 1 || value === true) return true
  return value === 0 || value === false ? false : unreadable(row, column)
}

export const oneOf = <A extends string>(row: Row, column: string, words: ReadonlyArray<A>): A => {
  const value = row[column]
  return words.find((word) => word === value) ?? unreadable(row, column)
}

/** Reads a column that contains one of these words. */
export const wordOf =
  <A extends string>(words: ReadonlyArray<A>): ReadColumn<A> =>
  (row, column) =>
    oneOf(row, column, words)

/** Reads JSON text of an object. */
export const object = (row: Row, column: string): { readonly [key: string]: unknown } => {
  const value = json(row, column)
  // Boundary: parsed JSON has no type, so only the check shows that it is an object.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: unknown })
    : unreadable(row, column)
}

/** Reads JSON text of any value. */
export const json = (row: Row, column: string): unknown => {
  try {
    return JSON.parse(text(row, column))
  } catch {
    return unreadable(row, column)
  }
}

/**
 * Reads JSON text of a value of a known type. Boundary: only this package writes the column, from values of that type.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the field that is read chooses the type
export const parsed = <A>(row: Row, column: string): A => json(row, column) as A

/** Sorts rows by these columns, the first column first, because a statement returns changed rows in any order. */
export const inOrder = (rows: ReadonlyArray<Row>, ...columns: ReadonlyArray<string>): ReadonlyArray<Row> =>
  rows.toSorted((one, other) => {
    const column = columns.find((each) => one[each] !== other[each])
    return column === undefined ? 0 : numeral(one, column) - numeral(other, column)
  })
