/** The expressions and the row reader of attempt counts, common to both databases. */
import { rails } from "@paymux/core"
import type { Flow, Rail } from "@paymux/core"
import { failureCodes, upiHandle } from "@paymux/core/store"
import type { AttemptCount, AttemptCountBy } from "@paymux/core/store"
import { json, numeral, numeralOrNull, object, oneOf, text, unreadable } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"
import { every, outcomeStatuses } from "./words.ts"

/** The condition of the index `attempts_in_flight`: a query names it to use the index. */
const isInFlight = "a.status IN ('sending', 'pending', 'unknown')"

/** As `roundedDuration`, over the attempt `a`. */
const duration = `CASE WHEN a.ended_at <= a.started_at THEN 0
    WHEN a.ended_at - a.started_at < 60000 THEN (a.ended_at - a.started_at) / 1000 * 1000
    WHEN a.ended_at - a.started_at < 600000 THEN (a.ended_at - a.started_at) / 10000 * 10000
    ELSE (a.ended_at - a.started_at) / 60000 * 60000 END`

/** Expressions over the first attempt `a` of a payment, and the index by which it is found. */
export interface CountedAttempts {
  readonly index: "attempts_ended" | "attempts_in_flight"
  readonly where: string
  readonly duration: string
  readonly status: string
  readonly code: string
}

/** The expressions of parameters: times in ms UTC. */
interface CountedTimes {
  readonly since: string
  readonly before: string
}

export const endedWithin = ({ before, since }: CountedTimes): CountedAttempts => ({
  index: "attempts_ended",
  where: `a.ended_at >= ${since} AND a.ended_at < ${before} AND NOT ${isInFlight}`,
  duration,
  status: "a.status",
  code: "a.code"
})

const startedWithin = ({ before, since }: CountedTimes): string =>
  `a.started_at >= ${since} AND a.started_at < ${before}`

export const inFlight = (times: CountedTimes): CountedAttempts => ({
  index: "attempts_in_flight",
  where: `${isInFlight} AND ${startedWithin(times)}`,
  duration: "NULL",
  status: "a.status",
  code: "a.code"
})

export const openBefore = (times: CountedTimes & { readonly latest: string }): CountedAttempts => ({
  index: "attempts_ended",
  where: `a.ended_at >= ${times.before} AND a.ended_at < ${times.latest} AND NOT ${isInFlight}
    AND ${startedWithin(times)}`,
  duration: "NULL",
  status: "'pending'",
  code: "NULL"
})

/** `wordOf`: text within JSON as the database keeps it, as it was given. */
export const readAttemptCount =
  (by: AttemptCountBy, wordOf: (stored: string) => string) =>
  (row: Row): AttemptCount => ({
    slot: numeral(row, "slot"),
    durationMs: numeralOrNull(row, "duration"),
    provider: text(row, "provider"),
    currency: text(row, "currency"),
    ...readInstrument(row),
    account: by.account ? text(row, "account") : null,
    rule: by.rule ? readRule(row) : null,
    amountDigits: by.amount ? numeral(row, "digits") : null,
    metadata: by.metadata.length === 0 ? {} : readMetadata(row, by.metadata, wordOf),
    status: oneOf(row, "status", outcomeStatuses),
    code: row["code"] === null ? null : oneOf(row, "code", failureCodes),
    count: numeral(row, "count")
  })

type Instrument = Pick<AttemptCount, "rail" | "flow" | "network" | "country" | "funding" | "issuer">

/** From JSON, by the names of the method's fields; `NULL`: it cannot be read. */
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
/** Of a method that cannot be read; that of a stablecoin is not stored. */
const unknownFlow: { readonly [rail in Rail]: Flow } = { upi: "intent", card: "hosted", stablecoin: "transfer" }

const readRule = (row: Row): string | null => {
  const rule = row["rule"] === null ? null : json(row, "rule")
  return rule === null || typeof rule === "string" ? rule : unreadable(row, "rule")
}

/** From a JSON array of the values, in the order of the keys. */
const readMetadata = (
  row: Row,
  keys: ReadonlyArray<string>,
  wordOf: (stored: string) => string
): AttemptCount["metadata"] => {
  const found = row["metadata"] === null ? [] : json(row, "metadata")
  if (!Array.isArray(found)) return unreadable(row, "metadata")
  const values: ReadonlyArray<unknown> = found
  return Object.fromEntries(
    keys.flatMap((key, index) => {
      const value = values[index]
      return typeof value === "string" ? [[key, wordOf(value)]] : []
    })
  )
}
