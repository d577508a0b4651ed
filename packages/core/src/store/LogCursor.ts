/**
 * The position of a row in a log that is read newest first: by time, then by the order in which the rows were written.
 * The cursor of a page is the position of its last row.
 */
export interface LogPlace {
  /** The time of the row, ms UTC. */
  readonly at: number
  /** The number of the row. */
  readonly row: number
}

export const logCursor = ({ at, row }: LogPlace): string => `${at}.${row}`

/** Decodes a cursor; `null`: the text is not a cursor. */
export const readLogCursor = (cursor: string): LogPlace | null => {
  const [, at, row] = /^(\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? []
  const place = { at: Number(at), row: Number(row) }
  return Number.isSafeInteger(place.at) && Number.isSafeInteger(place.row) ? place : null
}
