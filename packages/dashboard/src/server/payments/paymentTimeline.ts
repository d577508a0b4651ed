/**
 * The timeline of a payment: its request, routing, attempts, operations, evidence, books, events and webhook deliveries, as one
 * list in the order of time. Pure: it merges what the stores have recorded.
 *
 * Several things happen within one millisecond, so each kind has a rank: a report comes before what it changed, and a change
 * before its entries, its events and their deliveries. A place (time, rank, row) belongs to one item, so pages have no gaps.
 */
import type { PaymentRecord } from "@paymux/core"
import type { Attempt, Entry, LogPlace, Operation } from "@paymux/core/store"
import type { RecordedEvent, RecordedEvidence } from "@paymux/sql"
import type { PaymentDelivery, PaymentDeliveryAttempt } from "@paymux/webhooks"
import { Data } from "effect"
import type { TimelineItem, TimelineReview } from "./TimelineItem.ts"

export interface TimelineQuery {
  /** The `next` of the page before. */
  readonly after?: string
  readonly limit: number
}

export interface TimelinePage {
  /** Oldest first. */
  readonly items: ReadonlyArray<TimelineItem>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** The cursor is not one that a timeline returned. */
export class TimelineCursorInvalid extends Data.TaggedError("TimelineCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of a timeline."
  }
}

const ranks = { created: 0, routed: 1, evidence: 2, record: 3, entry: 4, event: 5, delivery: 6, delivery_attempt: 7 }
type Rank = keyof typeof ranks

export interface TimelinePlace extends LogPlace {
  readonly rank: number
}

export const beginning: TimelinePlace = { at: -1, rank: 0, row: -1 }

/** `null`: the text is not a cursor. */
export const readTimelineCursor = (cursor: string): TimelinePlace | null => {
  const [, at, rank, row] = /^(\d{1,16})\.(\d)\.(\d{1,16})$/.exec(cursor) ?? []
  const place = { at: Number(at), rank: Number(rank), row: Number(row) }
  return Object.values(place).every(Number.isSafeInteger) ? place : null
}

/** Where a log continues, whose rows all have this rank. */
export const placeIn = (log: Rank, { at, rank, row }: TimelinePlace): LogPlace =>
  ranks[log] === rank ? { at, row } : { at, row: ranks[log] < rank ? Number.MAX_SAFE_INTEGER : -1 }

/** What was read of a payment: of each log the rows after the place, one more than fits on the page. */
export interface TimelineParts {
  readonly record: PaymentRecord
  readonly evidence: ReadonlyArray<RecordedEvidence>
  readonly events: ReadonlyArray<RecordedEvent>
  readonly deliveries: ReadonlyArray<PaymentDelivery>
  readonly attempts: ReadonlyArray<PaymentDeliveryAttempt>
}

export const timelinePage = (parts: TimelineParts, after: TimelinePlace, limit: number): TimelinePage => {
  const rest = itemsOf(parts)
    .filter(({ place }) => inOrder(place, after) > 0)
    .toSorted((one, other) => inOrder(one.place, other.place))
  const last = rest.length > limit ? rest[limit - 1] : undefined
  return {
    items: rest.slice(0, limit).map(({ item }) => item),
    next: last === undefined ? null : `${last.place.at}.${last.place.rank}.${last.place.row}`
  }
}

const inOrder = (one: TimelinePlace, other: TimelinePlace): number =>
  one.at - other.at || one.rank - other.rank || one.row - other.row

interface Placed {
  readonly place: TimelinePlace
  readonly item: TimelineItem
}

const placed = (rank: Rank, row: number, item: TimelineItem): Placed => ({
  place: { at: item.at, rank: ranks[rank], row },
  item
})

const itemsOf = ({ attempts, deliveries, events, evidence, record }: TimelineParts): ReadonlyArray<Placed> => [
  ...requestItems(record),
  ...record.attempts.flatMap(attemptItems),
  ...record.operations.flatMap((operation, index) => operationItems(operation, index, record.payment.amount.currency)),
  ...record.entries.map((entry, row) => placed("entry", row, entryItem(entry))),
  ...evidence.map((each) => placed("evidence", each.row, evidenceItem(each))),
  ...events.map((event) => placed("event", event.sequence, eventItem(event))),
  ...deliveries.map((delivery) => placed("delivery", delivery.row, deliveryItem(delivery))),
  ...attempts.map((attempt) => placed("delivery_attempt", attempt.row, deliveryAttemptItem(attempt)))
]

const requestItems = ({ payment }: PaymentRecord): ReadonlyArray<Placed> => {
  const { amount, captureMethod, createdAt: at, method, routing } = payment
  const created = { at, kind: "created", amount: amount.minorUnits, currency: amount.currency } as const
  const { candidates, dropped, reason, rule, ruleset } = routing
  return [
    placed("created", 0, { ...created, paymentMethod: method.rail, captureMethod }),
    placed("routed", 0, { at, kind: "routed", rule, ruleset, reason, candidates, dropped })
  ]
}

/** Of an attempt: its start, each operation in order, its end. The next attempt may start in the same millisecond. */
const rowIn = (attempt: number, step: number): number => attempt * (lastStep + 1) + step
const lastStep = 9_999_999

const attemptItems = (attempt: Attempt): ReadonlyArray<Placed> => {
  const { code, endedAt, provider, reason, seq, startedAt, status, vendorCode } = attempt
  const about = { attempt: seq, provider }
  const started = placed("record", rowIn(seq, 0), { at: startedAt, kind: "attempt_started", ...about, reason })
  if (endedAt === null) return [started]
  const ended = { at: endedAt, kind: "attempt_ended", ...about, status, code, vendorCode } as const
  return [started, placed("record", rowIn(seq, lastStep), ended)]
}

const operationItems = (operation: Operation, index: number, currency: string): ReadonlyArray<Placed> => {
  const { attemptSeq, code, createdAt, endedAt, id, kind, minorUnits, provider, purpose, reference } = operation
  const { status, vendorCode } = operation
  const about = {
    operation: id,
    operationKind: kind,
    purpose,
    attempt: attemptSeq,
    provider,
    amount: minorUnits,
    currency,
    status,
    code,
    vendorCode,
    reference
  }
  const step = 2 * index + 1
  const started = placed("record", rowIn(attemptSeq, step), { at: createdAt, kind: "operation_started", ...about })
  if (endedAt === null) return [started]
  return [started, placed("record", rowIn(attemptSeq, step + 1), { at: endedAt, kind: "operation_ended", ...about })]
}

const entryItem = (entry: Entry): TimelineItem => {
  const { attemptSeq, basis, currency, kind, minorUnits, operationId, provider, recordedAt, reference, source } = entry
  return {
    at: recordedAt,
    kind: "entry",
    entry: kind,
    basis,
    amount: minorUnits,
    currency,
    attempt: attemptSeq,
    operation: operationId,
    provider,
    reference,
    source
  }
}

const evidenceItem = (evidence: RecordedEvidence): TimelineItem => {
  const { document, eventId, kind, occurredAt, operationId, recordedAt, source, vendorCode } = evidence
  const about = { operation: operationId, source, outcome: kind, vendorCode }
  return { at: recordedAt, kind: "evidence", ...about, eventId, document, occurredAt }
}

const eventItem = ({ createdAt, id, review, sequence, type }: RecordedEvent): TimelineItem => ({
  at: createdAt,
  kind: "event",
  event: id,
  type,
  sequence,
  review: review === null ? null : reviewOf(review)
})

const reviewOf = (json: string): TimelineReview => {
  // Boundary: the bytes that `reviewBody` wrote with the event; an opened review has no resolution.
  const written = JSON.parse(json) as Omit<TimelineReview, "resolution"> & Partial<TimelineReview>
  const { amount, currency, id, reason, resolution = null } = written
  return { id, reason, amount, currency, resolution }
}

const deliveryItem = (delivery: PaymentDelivery): TimelineItem => {
  const { attempts, endpointId, eventId, happenedAt, nextTryAt, status } = delivery
  return { at: happenedAt, kind: "delivery", event: eventId, endpoint: endpointId, status, attempts, nextTryAt }
}

/** Without the beginning of the response, which `attempts` of a delivery returns: a receiver may echo what it was sent. */
const deliveryAttemptItem = (tried: PaymentDeliveryAttempt): TimelineItem => {
  const { attempt, duration, endedAt, endpointId, error, eventId, status } = tried
  return {
    at: endedAt,
    kind: "delivery_attempt",
    event: eventId,
    endpoint: endpointId,
    attempt,
    duration,
    status,
    error
  }
}
