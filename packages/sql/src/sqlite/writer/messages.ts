/**
 * The messages to the thread that writes, and its replies.
 *
 * A batch is encoded as one list of numbers and one text, which are copied at a fraction of the cost of the same values
 * as objects.
 */
import type { BoundText, SqlValue } from "../../rows/Column.ts"
import type { FileIdentity } from "../fileIdentity.ts"
import type { RunnableStep, Stop } from "../steps.ts"

/** The data with which the thread starts. */
export interface WriterData {
  readonly filename: string
  /** The identity of the file that the event loop has open: by now another file may have its name. */
  readonly file: FileIdentity
  readonly busyTimeoutMs: number
}

export type ToWriter =
  | {
      readonly _tag: "Batch"
      readonly id: number
      /** The SQL texts that are sent to the thread for the first time: each has the next number. */
      readonly texts: ReadonlyArray<string>
      readonly commits: EncodedCommits
    }
  | { readonly _tag: "Close" }

export type FromWriter =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Written"; readonly id: number; readonly ends: ReadonlyArray<CommitEnd> }

/** The reason for which a commit of a batch ended early; `null`: every need was met. */
export type CommitEnd = null | (Stop & { readonly _tag: "Stopped" }) | WriteFailure

/**
 * The end of a commit that failed: the exception in the thread, with `errcode` and `code` as `node:sqlite` sets them.
 */
export interface WriteFailure {
  readonly _tag: "Failed"
  readonly message: string
  readonly code: string | null
  readonly errcode: number | null
}

/**
 * Commits encoded for the thread. `numbers`: counts, needs, numeric values and the lengths of texts. `text`: all texts,
 * concatenated.
 */
export interface EncodedCommits {
  readonly numbers: Float64Array
  readonly text: string
}

type Steps = ReadonlyArray<RunnableStep>

const needs = [null, "change", "no_row"] as const

/** The codes of values that are not text; a text is encoded as its length. */
const marks = { null: -1, number: -2, noStatement: -3 } as const

/** Encodes commits. `numberOf`: the number of a statement's SQL text. */
export const encodeCommits = (commits: ReadonlyArray<Steps>, numberOf: (sql: string) => number): EncodedCommits => {
  const numbers = [commits.length]
  const texts: Array<string> = []
  const pushValue = (value: SqlValue) => {
    if (value === null) numbers.push(marks.null)
    else if (typeof value === "number") numbers.push(marks.number, value)
    else if (typeof value === "string") {
      numbers.push(value.length)
      texts.push(value)
    } else throw new TypeError(`A value of type ${typeof value} cannot be stored`)
  }
  const push = ({ sql, values }: BoundText) => {
    numbers.push(numberOf(sql), values.length)
    for (const value of values) pushValue(value)
  }
  for (const steps of commits) {
    numbers.push(steps.length)
    for (const step of steps) {
      push(step)
      const otherwise = step.need?.otherwise ?? null
      numbers.push(needs.indexOf(step.need?.of ?? null))
      if (otherwise === null) numbers.push(marks.noStatement)
      else push(otherwise)
    }
  }
  return { numbers: new Float64Array(numbers), text: texts.join("") }
}

export const decodeCommits = (
  { numbers, text }: EncodedCommits,
  statements: ReadonlyArray<string>
): ReadonlyArray<Steps> => {
  const at = { number: 0, text: 0 }
  const number = (): number => {
    const next = numbers[at.number++]
    if (next === undefined) throw new Error("The batch ends too early")
    return next
  }
  const many = <A>(count: number, one: () => A): Array<A> => {
    const all: Array<A> = []
    for (let index = 0; index < count; index++) all.push(one())
    return all
  }
  const value = (): SqlValue => {
    const mark = number()
    if (mark === marks.null) return null
    if (mark === marks.number) return number()
    at.text += mark
    return text.slice(at.text - mark, at.text)
  }
  const statement = (): BoundText | null => {
    const which = number()
    if (which === marks.noStatement) return null
    const sql = statements[which]
    if (sql === undefined) throw new Error(`There is no statement ${which}`)
    return { sql, values: many(number(), value) }
  }
  const step = (): RunnableStep => {
    const run = statement()
    if (run === null) throw new Error("A step without a statement")
    const of = needs[number()]
    if (of === undefined) throw new Error("There is no such need")
    const otherwise = statement()
    return { ...run, need: of === null ? null : { of, otherwise } }
  }
  const commits = many(number(), () => many(number(), step))
  // A value that was decoded wrongly would shift all values that follow.
  if (at.number !== numbers.length || at.text !== text.length) throw new Error("The batch is longer than its commits")
  return commits
}
