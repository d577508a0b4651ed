/** The merge of a payment's timeline: whatever the times, pages of any size are the whole, and each part is in it once. */
import { assert, describe, it } from "@effect/vitest"
import type { Attempt, EventId, LogPlace, Operation } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import * as fc from "fast-check"
import { beginning, placeIn, readTimelineCursor, timelinePage } from "../src/server/payments/paymentTimeline.ts"
import type { TimelineParts, TimelinePlace } from "../src/server/payments/paymentTimeline.ts"
import type { TimelineItem } from "../src/index.ts"

const { attempts, operations, payment } = PaymentRecords.aRecord(1)
const [attempt, operation] = [attempts[0], operations[0]]
if (attempt === undefined || operation === undefined) throw new Error("a record has an attempt and its operation")

/** Few, so that much happens in one millisecond, and not in the order in which it was written. */
const time = fc.integer({ min: 0, max: 6 })
const times = fc.array(time, { maxLength: 12 })
const stretches = fc.array(fc.tuple(time, fc.option(time)), { maxLength: 6 })

const parts = fc
  .record({
    created: time,
    attempts: stretches,
    operations: stretches,
    logs: fc.tuple(times, times, times, times, times)
  })
  .map(({ attempts, created, logs: [entries, evidence, events, deliveries, tries], operations }): TimelineParts => {
    const id = payment.id
    const about = { operationId: operation.id, source: "webhook" as const, kind: "captured" as const }
    return {
      record: {
        payment: { ...payment, createdAt: created },
        attempts: attempts.map(([startedAt, endedAt], n): Attempt => ({ ...attempt, seq: n + 1, startedAt, endedAt })),
        operations: operations.map(([createdAt, endedAt], n): Operation => {
          const attemptSeq = (n % 3) + 1
          return { ...operation, id: `op_${n}` as Operation["id"], attemptSeq, createdAt, endedAt }
        }),
        entries: entries.map((recordedAt, n) => ({
          ...about,
          attemptSeq: 1,
          basis: "movement",
          minorUnits: n + 1,
          currency: "EUR",
          provider: "a",
          reference: null,
          recordedAt
        }))
      },
      evidence: evidence.map((recordedAt, n) => {
        const none = { vendorCode: null, document: null, occurredAt: null }
        return { ...about, ...none, paymentId: id, eventId: `e${n}`, recordedAt, row: n * 3 }
      }),
      events: events.map((createdAt, n) => {
        return { id: `evt_${n}` as EventId, type: "payment.pending", sequence: n + 1, createdAt, review: null }
      }),
      deliveries: deliveries.map((happenedAt, n) => {
        const last = { lastAt: null, lastStatus: null, lastError: null, lastAnswer: null }
        const eventId = `evt_${n}` as EventId
        return {
          eventId,
          endpointId: "we_1",
          status: "dead",
          happenedAt,
          attempts: 1,
          nextTryAt: null,
          ...last,
          row: n
        }
      }),
      attempts: tries.map((endedAt, n) => {
        const result = { duration: 1, status: null, error: null, answer: "echo of a customer's name" }
        return { attempt: n + 1, endedAt, ...result, row: n + 7, eventId: "evt_1", endpointId: "we_1" }
      })
    }
  })

/** As the database returns the rows of a log. */
const rowsAfter = <A>(rows: ReadonlyArray<A>, place: (row: A) => LogPlace, after: LogPlace, limit: number) =>
  rows
    .filter((row) => place(row).at > after.at || (place(row).at === after.at && place(row).row > after.row))
    .toSorted((a, b) => place(a).at - place(b).at || place(a).row - place(b).row)
    .slice(0, limit + 1)

const read = (all: TimelineParts, after: TimelinePlace, limit: number) =>
  timelinePage(
    {
      record: all.record,
      evidence: rowsAfter(
        all.evidence,
        (each) => ({ ...each, at: each.recordedAt }),
        placeIn("evidence", after),
        limit
      ),
      events: rowsAfter(
        all.events,
        ({ createdAt, sequence }) => ({ at: createdAt, row: sequence }),
        placeIn("event", after),
        limit
      ),
      deliveries: rowsAfter(
        all.deliveries,
        ({ happenedAt, row }) => ({ at: happenedAt, row }),
        placeIn("delivery", after),
        limit
      ),
      attempts: rowsAfter(
        all.attempts,
        ({ endedAt, row }) => ({ at: endedAt, row }),
        placeIn("delivery_attempt", after),
        limit
      )
    },
    after,
    limit
  )

const inPages = (all: TimelineParts, limit: number): ReadonlyArray<TimelineItem> => {
  const items: Array<TimelineItem> = []
  let page = read(all, beginning, limit)
  while (page.next !== null) {
    assert.lengthOf(page.items, limit)
    items.push(...page.items)
    page = read(all, readTimelineCursor(page.next) ?? assert.fail(page.next), limit)
  }
  return [...items, ...page.items]
}

/** What an item is about, as text: each is in a timeline once. */
const nameOf = (item: TimelineItem): string => {
  switch (item.kind) {
    case "attempt_started":
    case "attempt_ended":
      return `${item.kind} ${item.attempt}`
    case "operation_started":
    case "operation_ended":
      return `${item.kind} ${item.operation}`
    case "entry":
      return `entry ${item.amount}`
    case "evidence":
      return `evidence ${item.eventId}`
    case "event":
    case "delivery":
      return `${item.kind} ${item.event}`
    case "delivery_attempt":
      return `delivery_attempt ${item.attempt}`
    default:
      return item.kind
  }
}

const expected = ({ attempts, deliveries, events, evidence, record }: TimelineParts): ReadonlyArray<string> => [
  "created",
  "routed",
  ...record.attempts.map(({ seq }) => `attempt_started ${seq}`),
  ...record.attempts.filter(({ endedAt }) => endedAt !== null).map(({ seq }) => `attempt_ended ${seq}`),
  ...record.operations.map(({ id }) => `operation_started ${id}`),
  ...record.operations.filter(({ endedAt }) => endedAt !== null).map(({ id }) => `operation_ended ${id}`),
  ...record.entries.map(({ minorUnits }) => `entry ${minorUnits}`),
  ...evidence.map(({ eventId }) => `evidence ${eventId}`),
  ...events.map(({ id }) => `event ${id}`),
  ...deliveries.map(({ eventId }) => `delivery ${eventId}`),
  ...attempts.map(({ attempt }) => `delivery_attempt ${attempt}`)
]

describe("the timeline of a payment", () => {
  it("has each attempt, operation, entry, report, event and delivery once, in the order of time", () => {
    fc.assert(
      fc.property(parts, (all) => {
        const { items, next } = read(all, beginning, 1_000)
        assert.isNull(next)
        assert.deepStrictEqual(items.map(nameOf).toSorted(), expected(all).toSorted())
        for (const [n, { at }] of items.entries()) assert.isAtLeast(at, items[n - 1]?.at ?? 0)
      })
    )
  })

  it("is the same in pages of any size", () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 7 }), (all, limit) => {
        assert.deepStrictEqual(inPages(all, limit), read(all, beginning, 1_000).items)
      })
    )
  })

  it("within a millisecond shows a report before what it changed, and an attempt's end before the next one's start", () => {
    const at = 5
    const [first, second] = [1, 2].map((seq): Attempt => ({ ...attempt, seq, startedAt: at, endedAt: at }))
    const about = { operationId: operation.id, source: "webhook" as const, kind: "captured" as const }
    const reported = { vendorCode: null, document: null, occurredAt: null, eventId: "e1", recordedAt: at, row: 9 }
    const money = { basis: "movement" as const, minorUnits: 1, currency: "EUR", provider: "a", reference: null }
    const announced = { id: "evt_1" as EventId, type: "payment.pending" as const, sequence: 1, createdAt: at }
    const shown = read(
      {
        record: {
          payment: { ...payment, createdAt: at },
          attempts: [first, second].filter((each) => each !== undefined),
          operations: [{ ...operation, attemptSeq: 1, createdAt: at, endedAt: at }],
          entries: [{ ...about, ...money, attemptSeq: 1, recordedAt: at }]
        },
        evidence: [{ ...about, ...reported, paymentId: payment.id }],
        events: [{ ...announced, review: null }],
        deliveries: [],
        attempts: []
      },
      beginning,
      100
    )
    assert.deepStrictEqual(
      shown.items.map(({ kind }) => kind),
      [
        "created",
        "routed",
        "evidence",
        "attempt_started",
        "operation_started",
        "operation_ended",
        "attempt_ended",
        "attempt_started",
        "attempt_ended",
        "entry",
        "event"
      ]
    )
  })

  it("takes no other text for a cursor", () => {
    for (const text of [
      "",
      "x",
      "1.2",
      "1.2.3.4",
      "-1.2.3",
      "1.10.3",
      "99999999999999999.1.1",
      "1.1.9999999999999999"
    ]) {
      assert.isNull(readTimelineCursor(text), text)
    }
  })
})
