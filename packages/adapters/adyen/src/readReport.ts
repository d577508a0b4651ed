/** A settlement detail report in CSV, as a page of movements. */
import type { StatementMovement } from "@paymux/core/statement"
import { type Info, parse } from "csv-parse"
import { parse as parseWhole } from "csv-parse/sync"
import { Predicate } from "effect"
import { Readable } from "node:stream"
import { type BatchName, closingReader, type Columns, columnsOf, lineReader } from "./reportLine.ts"
import type { ReadTime } from "./reportTime.ts"

/** How far a report was read. */
export interface ReportPosition {
  /** Lines after that of the columns. */
  readonly lines: number
  /** Where the next line begins. */
  readonly bytes: number
}

export const beginning: ReportPosition = { lines: 0, bytes: 0 }

export interface ReportPage {
  readonly movements: ReadonlyArray<StatementMovement>
  /** `null`: this page is the last one of the report. */
  readonly rest: ReportPosition | null
}

/** When a batch was closed. All of its lines are booked then. */
export interface Closing {
  /** ms UTC; of its newest payout, and without one of its newest line. 0 if it has no lines. */
  readonly bookedAt: number
  readonly isPaidOut: boolean
}

/** Reads the whole file. Text: what is wrong with it. */
export const readClosing = async (
  file: Uint8Array,
  report: BatchName,
  readTime: ReadTime
): Promise<Closing | string> => {
  const head = headOf(file)
  if (typeof head === "string") return head
  const readLine = closingReader(head.columns, report, readTime)
  let payout: number | null = null
  let newest = 0
  const fault = await scan(file, head, { lines: 0, bytes: head.bytes }, ({ cells, lines }) => {
    const found = readLine(cells)
    if (typeof found === "string") return `line ${lines + 1} ${found}`
    newest = Math.max(newest, found.createdAt)
    if (found.isPayout) payout = Math.max(payout ?? 0, found.createdAt)
    return null
  })
  return fault ?? { bookedAt: payout ?? newest, isPaidOut: payout !== null }
}

/** A page of a report whose closing was read. Text: what is wrong with it. */
export const readReport = async (
  file: Uint8Array,
  report: BatchName & { readonly bookedAt: number; readonly from: ReportPosition }
): Promise<ReportPage | string> => {
  const head = headOf(file)
  if (typeof head === "string") return head
  const { from } = report
  const readLine = lineReader(head.columns, report)
  const movements: Array<StatementMovement> = []
  let rest = { lines: from.lines, bytes: Math.max(head.bytes, from.bytes) }
  const end = await scan<ReportPage>(file, head, rest, ({ bytes, cells, lines }) => {
    if (lines > from.lines + pageSize) return { movements, rest }
    const movement = readLine(cells, lines)
    if (typeof movement === "string") return `line ${lines + 1} ${movement}`
    rest = { lines, bytes }
    if (movement !== null) movements.push(movement)
    return null
  })
  return end ?? { movements, rest: null }
}

/** A line, and the position after it. */
interface Line extends ReportPosition {
  readonly cells: ReadonlyArray<string>
}

/** Reads lines until `read` returns something; `null`: it returned nothing until the end. Text: what is wrong. */
const scan = async <A = never>(
  file: Uint8Array,
  { width }: Pick<Head, "width">,
  from: ReportPosition,
  read: (line: Line) => A | string | null
): Promise<A | string | null> => {
  let { lines } = from
  try {
    for await (const record of Readable.from(chunksOf(file.subarray(from.bytes))).pipe(parse(format))) {
      // Boundary: by its options, the parser returns the cells of each line and where it ends.
      const { info, record: cells } = record as { readonly info: Info; readonly record: ReadonlyArray<string> }
      lines += 1
      if (cells.length !== width) return `line ${lines + 1} has another number of columns than the first one`
      const found = read({ bytes: from.bytes + info.bytes, cells, lines })
      if (found !== null) return found
    }
  } catch (error) {
    return `line ${lines + 2} cannot be read (${codeOf(error)})`
  }
  return null
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

interface Head {
  readonly columns: Columns
  /** How many columns there are, with those that are not known. */
  readonly width: number
  /** Where the line after them begins. */
  readonly bytes: number
}

const headOf = (file: Uint8Array): Head | string => {
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
