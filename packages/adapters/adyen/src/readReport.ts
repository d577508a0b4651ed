/** A settlement detail report in CSV, as a page of movements. */
import type { StatementMovement } from "@paymux/core/statement"
import { type Info, parse } from "csv-parse"
import { parse as parseWhole } from "csv-parse/sync"
import { Predicate } from "effect"
import { Readable } from "node:stream"
import { type Columns, columnsOf, lineReader } from "./reportLine.ts"

/** How far a report was read. */
export interface ReportPosition {
  /** Lines after that of the columns. */
  readonly lines: number
  /** Where the next line begins. */
  readonly bytes: number
  /** ms UTC; the newest time in these lines. */
  readonly newest: number
}

export const beginning: ReportPosition = { lines: 0, bytes: 0, newest: 0 }

export interface ReportPage {
  readonly movements: ReadonlyArray<StatementMovement>
  readonly position: ReportPosition
  readonly isLast: boolean
}

/** Text: what is wrong with it. */
export const readReport = async (
  file: Uint8Array,
  report: { readonly merchantAccount: string; readonly batch: number; readonly from: ReportPosition }
): Promise<ReportPage | string> => {
  const head = headOf(file)
  if (typeof head === "string") return head
  const start = Math.max(head.bytes, report.from.bytes)
  const readLine = lineReader(head.columns, report)
  const movements: Array<StatementMovement> = []
  let { lines, newest } = report.from
  let bytes = start
  try {
    for await (const record of Readable.from(chunksOf(file.subarray(start))).pipe(parse(format))) {
      // Boundary: by its options, the parser returns the cells of each line and where it ends.
      const { info, record: cells } = record as { readonly info: Info; readonly record: ReadonlyArray<string> }
      if (lines >= report.from.lines + pageSize) return { movements, position: { lines, bytes, newest }, isLast: false }
      lines += 1
      bytes = start + info.bytes
      if (cells.length !== head.width) return `line ${lines + 1} has another number of columns than the first one`
      const found = readLine(cells, lines)
      if (typeof found === "string") return `line ${lines + 1} ${found}`
      newest = Math.max(newest, found.bookedAt)
      if (found.movement !== null) movements.push(found.movement)
    }
  } catch (error) {
    return `line ${lines + 2} cannot be read (${codeOf(error)})`
  }
  return { movements, position: { lines, bytes, newest }, isLast: true }
}

const pageSize = 1000

const format = {
  info: true,
  /** Characters of a line. */
  max_record_size: 100_000,
  record_delimiter: ["\n", "\r\n"],
  relax_column_count: true,
  skip_empty_lines: true
}

/** The names of the columns, and where the line after them begins. */
const headOf = (
  file: Uint8Array
): { readonly columns: Columns; readonly width: number; readonly bytes: number } | string => {
  const hasMark = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf
  const end = file.indexOf(newline)
  const first = file.subarray(hasMark ? 3 : 0, end < 0 ? file.length : end)
  if (first.length > format.max_record_size) return "its first line is too long"
  try {
    // Boundary: without options for columns, the parser returns the cells of each line.
    const [names = []] = parseWhole(Buffer.from(first)) as ReadonlyArray<ReadonlyArray<string>>
    const columns = names.length === 0 ? "it is empty" : columnsOf(names)
    return typeof columns === "string" ? columns : { columns, width: names.length, bytes: end + 1 }
  } catch (error) {
    return `line 1 cannot be read (${codeOf(error)})`
  }
}

const newline = 0x0a

/** The parser is given no more than it can take. */
function* chunksOf(file: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < file.length; at += chunkSize) yield file.subarray(at, at + chunkSize)
}

const chunkSize = 64 * 1024

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown error"
