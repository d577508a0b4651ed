/** How SQLite counts attempts. */
import { longestOpen } from "@paymux/core/store"
import type { AttemptCountBy, AttemptCountQuery } from "@paymux/core/store"
import { endedWithin, inFlight, openBefore } from "../attemptCounts.ts"
import type { CountedAttempts } from "../attemptCounts.ts"
import type { SqlValue } from "../columns.ts"

/** Its parameters have names. */
export interface CountStatement {
  readonly sql: string
  readonly values: { readonly [name: string]: SqlValue }
}

const times = { since: ":since", before: ":before" } as const

export const countEnded = (query: AttemptCountQuery): CountStatement => ({
  sql: countBy(query.by, endedWithin(times)),
  values: valuesOf(query)
})

export const countOpen = (query: AttemptCountQuery): CountStatement => {
  const open = countBy(query.by, inFlight(times))
  if (query.before === undefined) return { sql: open, values: valuesOf(query) }
  return {
    sql: `${open} UNION ALL ${countBy(query.by, openBefore({ ...times, latest: ":latest" }))}`,
    values: { ...valuesOf(query), latest: query.before + longestOpen }
  }
}

/** A path of JSON has keys as JSON has them. SQLite ends a key at a NUL: the API refuses such a key. */
const valuesOf = ({ before = Number.MAX_SAFE_INTEGER, by, since, slotMs }: AttemptCountQuery) => ({
  slotMs,
  since,
  before,
  ...Object.fromEntries(by.metadata.map((key, index) => [`path${index}`, `$.${JSON.stringify(key)}`]))
})

/**
 * The parts of a method stay JSON text: every character in it comes through as it was written. SQLite takes no JSON apart
 * that is nested too deep, and one such method must not keep all others from being counted: of it nothing is known.
 */
const instrument = `CASE WHEN NOT json_valid(method) THEN NULL
    WHEN rail = 'card' THEN json_object(
      'flow', iif(method ->> '$.token' IS NULL AND coalesce(method -> '$.tokens', '{}') = '{}', 'hosted', 'token'),
      'network', method -> '$.network', 'country', method -> '$.country', 'funding', method -> '$.funding',
      'bin', method -> '$.bin')
    WHEN rail = 'upi' THEN json_object('flow', method -> '$.flow',
      'vpa', json('"' || substr(method -> '$.vpa', nullif(instr(method -> '$.vpa', '@'), 0))))
    ELSE json_object('network', method -> '$.network') END`

/** From the index to the attempts and on to their payments, row by row. */
const countBy = (by: AttemptCountBy, { code, duration, index, status, where }: CountedAttempts): string => {
  const groups = [
    "a.started_at - a.started_at % :slotMs AS slot",
    `${duration} AS duration`,
    "a.provider AS provider",
    "rail",
    "currency",
    `${instrument} AS instrument`,
    `${status} AS status`,
    `${code} AS code`,
    ...(by.account ? ["account"] : []),
    ...(by.rule ? ["CASE WHEN json_valid(routing) THEN routing -> '$.rule' END AS rule"] : []),
    ...(by.amount ? ["length(minor_units) AS digits"] : []),
    ...(by.metadata.length > 0 ? [`${metadataOf(by.metadata)} AS metadata`] : [])
  ]
  return `SELECT ${groups.join(", ")}, count(*) AS count
    FROM attempts AS a INDEXED BY ${index} CROSS JOIN payments AS p ON p.id = a.payment_id
    WHERE a.seq = 1 AND ${where} GROUP BY ${groups.map((_, place) => place + 1).join(", ")}`
}

const metadataOf = (keys: ReadonlyArray<string>): string =>
  `CASE WHEN json_valid(metadata) THEN json_array(${keys.map((_, index) => `metadata -> :path${index}`).join(", ")}) END`
