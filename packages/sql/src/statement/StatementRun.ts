/** A run that reads a part of a provider's statement. Plain data, and its row. */
import type { DifferenceKind, MatchedPage } from "@paymux/core/engine"
import { flag, numeral, numeralOrNull, parsed, reading, text, textOrNull, word } from "../rows/ReadRow.ts"

/**
 * The statuses of a run.
 *
 * - `reading`: pages are read. `comparing`: all pages are read, and the run searches them for our operations of the
 *   period.
 * - `complete`: reading and comparing are done. `canceled`, `failed`: entries that were read before are kept.
 */
export const statementRunStates = ["reading", "comparing", "complete", "canceled", "failed"] as const
export type StatementRunState = (typeof statementRunStates)[number]

/**
 * The numbers of movements that a run has entered, by result. A movement that an earlier run has entered counts only as
 * repeated.
 */
export interface StatementCounts {
  readonly matched: number
  readonly differs: number
  readonly foreign: number
  readonly account: number
  readonly repeated: number
  readonly differences: { readonly [kind in DifferenceKind]?: number }
}

export interface StatementRun {
  readonly id: number
  readonly provider: string
  readonly livemode: boolean
  /** The source of the statement: `provider`, or `file:` and the name of a file. */
  readonly source: string
  /** The start of the period, ms UTC, inclusive. */
  readonly since: number
  /** The end of the period, ms UTC, exclusive. */
  readonly until: number
  /** The cursor of the next page; while comparing, the id of the last compared operation, then the time of its request. */
  readonly cursor: string | null
  readonly pages: number
  readonly state: StatementRunState
  readonly counts: StatementCounts
  /** The reason why the run failed. */
  readonly problem: string | null
  /** The start of the run, ms UTC. */
  readonly startedAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
}

/** The rules by which the provider books payments in its statement: see `StatementCapability`. */
export interface StatementRules {
  /** The maximum time, in ms, after which the provider has booked a movement, so that it is in the statement. */
  readonly bookedWithin: number
  readonly paymentsInParts: boolean
}

export const noCounts: StatementCounts = {
  matched: 0,
  differs: 0,
  foreign: 0,
  account: 0,
  repeated: 0,
  differences: {}
}

export const withPage = (counts: StatementCounts, { changed, fresh, repeated }: MatchedPage): StatementCounts => {
  const of = (result: string) => fresh.filter((each) => each.result === result).length
  return {
    matched: counts.matched + of("matched"),
    differs: counts.differs + of("differs"),
    foreign: counts.foreign + of("foreign"),
    account: counts.account + of("account"),
    repeated: counts.repeated + repeated,
    differences: withKinds(
      counts.differences,
      [...fresh.flatMap(({ differences }) => differences), ...changed].map(({ kind }) => kind)
    )
  }
}

export const withKinds = (
  counted: StatementCounts["differences"],
  kinds: ReadonlyArray<DifferenceKind>
): StatementCounts["differences"] => {
  const all = { ...counted }
  for (const kind of kinds) all[kind] = (all[kind] ?? 0) + 1
  return all
}

export const readRun = reading<StatementRun>({
  id: numeral,
  provider: text,
  livemode: flag,
  source: text,
  since: numeral,
  until: numeral,
  cursor: textOrNull,
  pages: numeral,
  state: word,
  counts: parsed,
  problem: textOrNull,
  startedAt: numeral,
  updatedAt: numeral,
  endedAt: numeralOrNull
})
