/** How PostgreSQL counts attempts. */
import { longestOpen } from "@paymux/core/store"
import type { AttemptCountQuery } from "@paymux/core/store"
import { endedWithin, inFlight, openBefore } from "../attemptCounts.ts"
import type { CountedAttempts } from "../attemptCounts.ts"
import { withoutUnicodeEscapes } from "../migrations/cards.ts"
import { statementOf } from "./Fragments.ts"
import type { Fragments, PgStatement } from "./Fragments.ts"

export const countEnded = (query: AttemptCountQuery): PgStatement =>
  statementOf((statement) => countingBy(statement, query)(endedWithin(timesOf(statement, query))))

export const countOpen = (query: AttemptCountQuery): PgStatement =>
  statementOf((statement) => {
    const countBy = countingBy(statement, query)
    const times = timesOf(statement, query)
    const open = countBy(inFlight(times))
    if (query.before === undefined) return open
    const latest = statement.bind(query.before + longestOpen, "bigint")
    return `${open} UNION ALL ${countBy(openBefore({ ...times, latest }))}`
  })

const timesOf = ({ bind }: Fragments, { before = Number.MAX_SAFE_INTEGER, since }: AttemptCountQuery) => ({
  since: bind(since, "bigint"),
  before: bind(before, "bigint")
})

/**
 * PostgreSQL refuses JSON with an escape of a character that it cannot hold, wherever in it that is, and one such method
 * must not keep all others from being counted: it is taken apart without its escapes, and the parts get theirs back.
 */
const apart = (column: string): string => `${withoutUnicodeEscapes(column)}::json AS ${column}`

/** The reverse of `withoutUnicodeEscapes`. `JSON.stringify` never writes `\/`, so it begins where a backslash was. */
const escaped = (json: string): string => String.raw`replace(replace((${json})::text, '\/\/', '\\'), '\/u', '\u')`

const instrument = `CASE WHEN p.rail = 'card' THEN json_build_object(
      'flow', CASE WHEN p.method ->> 'token' IS NULL AND coalesce((p.method -> 'tokens')::text, '{}') = '{}'
        THEN 'hosted' ELSE 'token' END,
      'network', p.method -> 'network', 'country', p.method -> 'country', 'funding', p.method -> 'funding',
      'bin', p.method -> 'bin')
    WHEN p.rail = 'upi' THEN json_build_object('flow', p.method -> 'flow',
      'vpa', ('"' || substring((p.method -> 'vpa')::text FROM '@.*'))::json)
    ELSE json_build_object('network', p.method -> 'network') END`

/** `OFFSET 0` keeps the planner from reading all payments ever made to join them with the attempts of half an hour. */
const countingBy = ({ bind }: Fragments, { by, slotMs }: AttemptCountQuery) => {
  const slot = bind(slotMs, "bigint")
  const metadata = metadataOf(bind, by.metadata)
  const read = [
    "rail",
    "currency",
    apart("method"),
    ...(by.account ? ["account"] : []),
    ...(by.rule ? [apart("routing")] : []),
    ...(by.amount ? ["minor_units"] : []),
    ...(metadata === null ? [] : ["metadata::json AS metadata"])
  ]
  return ({ code, duration, status, where }: CountedAttempts): string => {
    const groups = [
      `a.started_at - a.started_at % ${slot} AS slot`,
      `(${duration})::bigint AS duration`,
      "a.provider",
      "p.rail",
      "p.currency",
      `${escaped(instrument)} AS instrument`,
      `${status}::text AS status`,
      `${code}::text AS code`,
      ...(by.account ? ["p.account"] : []),
      ...(by.rule ? [`${escaped("p.routing -> 'rule'")} AS rule`] : []),
      ...(by.amount ? ["length(p.minor_units::text)::bigint AS digits"] : []),
      ...(metadata === null ? [] : [`${metadata} AS metadata`])
    ]
    return `SELECT ${groups.join(", ")}, count(*) AS count
      FROM attempts a CROSS JOIN LATERAL (
        SELECT ${read.join(", ")} FROM payments WHERE id = a.payment_id OFFSET 0
      ) p
      WHERE a.seq = 1 AND ${where} GROUP BY ${groups.map((_, place) => place + 1).join(", ")}`
  }
}

/** Its keys and values are storable as they are written. */
const metadataOf = (bind: Fragments["bind"], keys: ReadonlyArray<string>): string | null => {
  const values = keys.map((key) => `p.metadata -> ${bind(key, "text")}`)
  return values.length === 0 ? null : `json_build_array(${values.join(", ")})::text`
}
