/**
 * What the thread that writes is sent, and what it answers.
 *
 * A batch is one text of JSON: to make it, and to read it, costs a fraction of what a copy of the same objects would.
 */
import type { SqlValue } from "../../columns.ts"
import type { RunnableStep, Statement, Stop } from "../steps.ts"

/** What the thread starts with. */
export interface WriterData {
  readonly filename: string
  readonly busyTimeoutMs: number
}

export type ToWriter =
  | {
      readonly _tag: "Batch"
      readonly id: number
      /** The texts that it is sent for the first time: each has the next number. */
      readonly texts: ReadonlyArray<string>
      /** See `encodeCommits`. */
      readonly commits: string
    }
  | { readonly _tag: "Close" }

export type FromWriter =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Written"; readonly id: number; readonly ends: ReadonlyArray<CommitEnd> }

/** How one commit of a batch ended; `null`: every need was met. */
export type CommitEnd = null | (Stop & { readonly _tag: "Stopped" }) | WriteFailure

/** What was thrown in the thread; `errcode` and `code` as `node:sqlite` has them. */
export interface WriteFailure {
  readonly _tag: "Failed"
  readonly message: string
  readonly code: string | null
  readonly errcode: number | null
}

type Steps = ReadonlyArray<RunnableStep>

const needs = [null, "change", "no_row"] as const
const nothing = -1

/** `numberOf`: of a text. */
export const encodeCommits = (commits: ReadonlyArray<Steps>, numberOf: (sql: string) => number): string => {
  const flat: Array<SqlValue> = [commits.length]
  const push = ({ sql, values }: Statement) => {
    flat.push(numberOf(sql), values.length)
    for (const value of values) flat.push(value)
  }
  for (const steps of commits) {
    flat.push(steps.length)
    for (const step of steps) {
      push(step)
      flat.push(needs.indexOf(step.need?.of ?? null))
      const otherwise = step.need?.otherwise ?? null
      if (otherwise === null) flat.push(nothing)
      else push(otherwise)
    }
  }
  return JSON.stringify(flat)
}

export const decodeCommits = (commits: string, texts: ReadonlyArray<string>): ReadonlyArray<Steps> => {
  // Boundary: `encodeCommits` wrote it.
  const flat = JSON.parse(commits) as ReadonlyArray<SqlValue>
  let at = 0
  const number = () => Number(flat[at++])
  const many = <A>(count: number, one: () => A) => Array.from({ length: count }, one)
  const statement = (): Statement | null => {
    const text = number()
    if (text === nothing) return null
    const sql = texts[text]
    if (sql === undefined) throw new Error(`There is no text ${text}`)
    const count = number()
    at += count
    return { sql, values: flat.slice(at - count, at) }
  }
  const step = (): RunnableStep => {
    const run = statement()
    if (run === null) throw new Error("A step without a statement")
    const of = needs[number()] ?? null
    const otherwise = statement()
    return { ...run, need: of === null ? null : { of, otherwise } }
  }
  return many(number(), () => many(number(), step))
}
