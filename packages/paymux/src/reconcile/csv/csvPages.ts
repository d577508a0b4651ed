/**
 * A file in CSV as pages of movements, in constant memory however large it is. The first line that cannot be read ends it,
 * after a page with all lines before.
 */
import type { StatementMovement } from "@paymux/core/statement"
import { parse } from "csv-parse"
import type { Parser } from "csv-parse"
import { Predicate } from "effect"
import { decodedText, Undecodable } from "./decodedText.ts"
import { lineReader, readHeader } from "./csvMovement.ts"
import type { ReadLine } from "./csvMovement.ts"
import type { CsvStatement } from "./CsvStatement.ts"

/** Characters of a line at most. */
const longestLine = 1_000_000
const pageSize = 1000

export interface CsvPage {
  readonly movements: ReadonlyArray<StatementMovement>
  /** Bytes that were read so far. */
  readonly bytes: number
  /** Why nothing follows this page; `null`: more follows, or the file has ended. */
  readonly fault: string | null
}

interface Line {
  readonly cells: ReadonlyArray<string>
  readonly line: number
}

export async function* csvPages(file: string, mapping: CsvStatement): AsyncGenerator<CsvPage, void> {
  const read = { bytes: 0 }
  const pages = pagesOf(linesOf(file, mapping, read), mapping)
  for await (const page of pages) yield { ...page, bytes: read.bytes }
}

/** The fault of the file comes last. */
async function* pagesOf(
  lines: AsyncIterable<ReadonlyArray<Line> | string>,
  mapping: CsvStatement
): AsyncGenerator<Omit<CsvPage, "bytes">, void> {
  let movements: Array<StatementMovement> = []
  let readLine: ReadLine | null = null
  for await (const given of lines) {
    if (typeof given === "string") return yield { movements, fault: given }
    for (const { cells, line } of given) {
      if (readLine === null) {
        const header = readHeader(cells, mapping)
        if (typeof header === "string") return yield { movements, fault: `Line ${line} ${header}.` }
        readLine = lineReader(header, mapping)
        continue
      }
      const movement = readLine(cells)
      if (typeof movement === "string") return yield { movements, fault: `Line ${line} ${movement}.` }
      if (movement !== null) movements.push(movement)
      if (movements.length < pageSize) continue
      yield { movements, fault: null }
      movements = []
    }
  }
  const isEmpty = readLine === null
  yield { movements, fault: isEmpty ? "The file is empty: it has no line with the names of the columns." : null }
}

/**
 * The lines of each chunk, then the fault. They are collected as they are parsed: a stream drops what it has not passed on
 * when it fails.
 */
async function* linesOf(
  file: string,
  mapping: CsvStatement,
  read: { bytes: number }
): AsyncGenerator<ReadonlyArray<Line> | string, void> {
  const lines: Array<Line> = []
  const parser = parse({
    bom: true,
    delimiter: mapping.delimiter ?? ",",
    max_record_size: longestLine,
    record_delimiter: ["\n", "\r\n"],
    skip_empty_lines: true,
    on_record: (cells: ReadonlyArray<string>, { lines: line }) => {
      lines.push({ cells, line })
      return null
    }
  })
  // Each failure is passed to the write that has caused it.
  parser.on("error", () => {})
  parser.resume()
  try {
    for await (const text of decodedText(file, read)) {
      await written(parser, text)
      yield lines.splice(0)
    }
    await written(parser, null)
    yield lines.splice(0)
  } catch (error) {
    // The parser keeps the last line until it knows what follows.
    if (error instanceof Undecodable) await written(parser, null).catch(() => {})
    yield lines.splice(0)
    yield faultOf(error)
  }
}

const written = (parser: Parser, text: string | null): Promise<void> =>
  new Promise((resolve, reject) => {
    if (text !== null) return void parser.write(text, (error) => (error ? reject(error) : resolve()))
    parser.once("error", reject)
    parser.end(() => resolve())
  })

const faultOf = (error: unknown): string => {
  if (error instanceof Undecodable) return error.message
  const code = Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown error"
  const line =
    Predicate.hasProperty(error, "lines") && typeof error.lines === "number" ? `Line ${error.lines}` : "The file"
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return `${line} begins a quote that is not closed: the file may be truncated.`
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH":
      return `${line} has another number of columns than the first line: the file may be truncated.`
    case "CSV_MAX_RECORD_SIZE":
      return `${line} is longer than ${longestLine} characters.`
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return `${line} has a quote within a cell that is not doubled.`
    case "ENOENT":
      return "The file was not found."
    default:
      return `${line} cannot be read (${code}).`
  }
}
