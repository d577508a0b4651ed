/** Counts payments' first attempts by the time slot in which they started, and by provider, method and outcome. */
import { rails } from "@paymux/core"
import type { Flow, Rail } from "@paymux/core"
import { failureCodes, longestOpen, upiHandle } from "@paymux/core/store"
import type { AttemptCount, AttemptCountBy, AttemptCountQuery, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import type { Dialect } from "../dialect/Dialect.ts"
import type { Fragments, StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { eachOf, json, numeral, numeralOrNull, object, oneOf, text, unreadable } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { every, outcomeStatuses } from "../rows/words.ts"

export const attemptCounts = ({
  read,
  sql
}: StatementRunner): Pick<PaymentStore["Service"], "attemptCounts" | "openAttemptCounts"> => {
  const counted = (text: StatementText, { by }: AttemptCountQuery) =>
    Effect.map(read(text), eachOf(readAttemptCount(by, sql)))
  return {
    attemptCounts: (query) => counted(countEnded(query), query),
    openAttemptCounts: (query) => counted(countOpen(query), query)
  }
}

/**
 * The condition for attempts in flight, repeated verbatim from the index `attempts_in_flight`, so that the index is
 * used.
 */
const isInFlight = "a.status IN ('sending', 'pending', 'unknown')"

/** The SQL of `roundedDuration`, over the attempt `a`. */
const duration = `CASE WHEN a.ended_at <= a.started_at THEN 0
    WHEN a.ended_at - a.started_at < 60000 THEN (a.ended_at - a.started_at) / 1000 * 1000
    WHEN a.ended_at - a.started_at < 600000 THEN (a.ended_at - a.started_at) / 10000 * 10000
    ELSE (a.ended_at - a.started_at) / 60000 * 60000 END`

/**
 * The parts of a query that counts the first attempts `a` of payments: the index to scan, its condition, and SQL
 * expressions for counted values.
 */
interface CountedAttempts {
  readonly index: "attempts_ended" | "attempts_in_flight"
  readonly where: string
  readonly duration?: string
  readonly status?: string
  readonly code?: string
}

/** @internal Exported for the test of its query plan. */
export const countEnded =
  (query: AttemptCountQuery): StatementText =>
  (statement) => {
    const { before, since } = timesOf(statement, query)
    const where = `a.ended_at >= ${since} AND a.ended_at < ${before} AND NOT ${isInFlight}`
    return counting(statement, query)({ index: "attempts_ended", where, duration })
  }

/**
 * Counts attempts that started in the period and had not ended at its end: attempts that are still in flight, and
 * attempts that ended after the period.
 *
 * @internal Exported for the test of its query plan.
 */
export const countOpen =
  (query: AttemptCountQuery): StatementText =>
  (statement) => {
    const { before, since } = timesOf(statement, query)
    const isStarted = `a.started_at >= ${since} AND a.started_at < ${before}`
    const count = counting(statement, query)
    const inFlight = count({ index: "attempts_in_flight", where: `${isInFlight} AND ${isStarted}` })
    if (query.before === undefined) return inFlight
    const latest = statement.bind(query.before + longestOpen)
    return `${inFlight} UNION ALL ${count({
      index: "attempts_ended",
      where: `a.ended_at >= ${before} AND a.ended_at < ${latest} AND NOT ${isInFlight} AND ${isStarted}`,
      status: "'pending'",
      code: "NULL"
    })}`
  }

const timesOf = ({ bind }: Fragments, { before = Number.MAX_SAFE_INTEGER, since }: AttemptCountQuery) => ({
  since: bind(since),
  before: bind(before)
})

/** The SQL that reads the attempts from the index, joins their payments row by row, and counts them. */
const counting = ({ bind, sql: { attempts } }: Fragments, { by, slotMs }: AttemptCountQuery) => {
  const slot = bind(slotMs)
  const keys = by.metadata.map((key) => bind(attempts.metadataKey(key)))
  const parts: ReadonlyArray<readonly [isWanted: boolean, column: string, group: string]> = [
    [by.account, "account", "p.account AS account"],
    [by.rule, "routing", `${attempts.rule} AS rule`],
    [by.amount, "minor_units", "CAST(length(CAST(p.minor_units AS text)) AS bigint) AS digits"],
    [keys.length > 0, "metadata", `${attempts.metadata(keys)} AS metadata`]
  ]
  const wanted = parts.filter(([isWanted]) => isWanted)
  const columns = ["rail", "currency", "method", ...wanted.map(([, column]) => column)]
  return ({ code = "a.code", duration = "NULL", index, status = "a.status", where }: CountedAttempts): string => {
    const groups = [
      `a.started_at - a.started_at % ${slot} AS slot`,
      `CAST(${duration} AS bigint) AS duration`,
      "a.provider AS provider",
      "p.rail AS rail",
      "p.currency AS currency",
      `${attempts.instrument} AS instrument`,
      `CAST(${status} AS text) AS status`,
      `CAST(${code} AS text) AS code`,
      ...wanted.map(([, , group]) => group)
    ]
    return `SELECT ${groups.join(", ")}, count(*) AS count FROM ${attempts.withPayment(index, columns)}
      WHERE a.seq = 1 AND ${where} GROUP BY ${groups.map((_, place) => place + 1).join(", ")}`
  }
}

const readAttemptCount =
  (by: AttemptCountBy, sql: Dialect) =>
  (row: Row): AttemptCount => ({
    slot: numeral(row, "slot"),
    durationMs: numeralOrNull(row, "duration"),
    provider: text(row, "provider"),
    currency: text(row, "currency"),
    ...readInstrument(row),
    account: by.account ? text(row, "account") : null,
    rule: by.rule ? readRule(row) : null,
    amountDigits: by.amount ? numeral(row, "digits") : null,
    metadata: by.metadata.length === 0 ? {} : readMetadata(row, by.metadata, sql),
    status: oneOf(row, "status", outcomeStatuses),
    code: row["code"] === null ? null : oneOf(row, "code", failureCodes),
    count: numeral(row, "count")
  })

type Instrument = Pick<AttemptCount, "rail" | "flow" | "network" | "country" | "funding" | "issuer">

/** Reads the instrument from JSON, by the names of the method's fields; `NULL`: the JSON cannot be read. */
const readInstrument = (row: Row): Instrument => {
  const rail = oneOf(row, "rail", rails)
  const parts = new Map(Object.entries(row["instrument"] === null ? {} : object(row, "instrument")))
  const part = (name: string): string | null => {
    const value = parts.get(name) ?? null
    return value === null || typeof value === "string" ? value : unreadable(row, "instrument")
  }
  const given = part("flow")
  const vpa = part("vpa")
  return {
    rail,
    flow: flows.find((flow) => flow === given) ?? unknownFlow[rail],
    network: part("network"),
    country: part("country"),
    funding: part("funding"),
    issuer: vpa === null ? part("bin") : upiHandle(vpa)
  }
}

const flows = every<Flow>({ intent: true, qr: true, collect: true, hosted: true, token: true, transfer: true })
/**
 * The flow, by rail, that is counted for a payment whose method cannot be read. The flow of a stablecoin payment is not
 * stored.
 */
const unknownFlow: { readonly [rail in Rail]: Flow } = { upi: "intent", card: "hosted", stablecoin: "transfer" }

const readRule = (row: Row): string | null => {
  const rule = row["rule"] === null ? null : json(row, "rule")
  return rule === null || typeof rule === "string" ? rule : unreadable(row, "rule")
}

/** Reads metadata from a JSON array of the values, in the order of the keys. */
const readMetadata = (row: Row, keys: ReadonlyArray<string>, sql: Dialect): AttemptCount["metadata"] => {
  const found = row["metadata"] === null ? [] : json(row, "metadata")
  if (!Array.isArray(found)) return unreadable(row, "metadata")
  const values: ReadonlyArray<unknown> = found
  return Object.fromEntries(
    keys.flatMap((key, index) => {
      const value = values[index]
      return typeof value === "string" ? [[key, sql.decoded("text", value)]] : []
    })
  )
}
