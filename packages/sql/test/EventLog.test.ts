/** The events of an account and mode on both databases, against a plain filter of all of them. */
import { assert, describe, it } from "@effect/vitest"
import type { Tenant } from "@paymux/core"
import { eventTypes, PaymentStore } from "@paymux/core/store"
import type { EventType, PaymentEvent } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { eventsStatement } from "../src/queries/EventLog.ts"
import type { EventQuery, LoggedEvent } from "../src/queries/EventLog.ts"
import { listEvents } from "../src/index.ts"
import { postgres, sqlite } from "./databases.ts"

const mine = { account: "shop", livemode: true }
const others: ReadonlyArray<Tenant> = [
  { account: "shop", livemode: false },
  { account: "other", livemode: true }
]

const happens = Effect.fnUntraced(function* (n: number, tenant: Tenant, type: EventType, createdAt: number) {
  const store = yield* PaymentStore
  const first = PaymentRecords.aRecord(n)
  const record = { ...first, payment: { ...first.payment, ...tenant } }
  yield* store.begin({ record, binding: null })
  const after = PaymentRecords.succeeded(record)
  const event: PaymentEvent = { ...PaymentRecords.anEvent(after, type), ...tenant, createdAt }
  yield* store.advance({ before: record, after, events: [event], evidence: null, binding: null, answer: null })
  return event
})

/** 60 events, several in one millisecond, and not in the order of their times. */
const history = Effect.gen(function* () {
  const events: Array<PaymentEvent> = []
  for (let n = 1; n <= 60; n++) {
    const tenant = n % 4 === 0 ? (others[n % 8 === 0 ? 0 : 1] ?? mine) : mine
    const type = eventTypes[(n * 7) % eventTypes.length] ?? "payment.failed"
    events.push(yield* happens(n, tenant, type, 1_700_000_000_000 + ((n * 37) % 20)))
  }
  return events
})

const read = Effect.fnUntraced(function* (tenant: Tenant, query: Omit<EventQuery, "limit">, limit: number) {
  const found: Array<LoggedEvent> = []
  let page = yield* listEvents(tenant, { ...query, limit })
  for (; page.next !== null; page = yield* listEvents(tenant, { ...query, limit, after: page.next })) {
    assert.strictEqual(page.data.length, limit)
    found.push(...page.data)
  }
  return [...found, ...page.data].map(({ id }) => id)
})

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("the event log on %s", (_, database) => {
  it.live("has each event of its account and mode once, newest first, under every filter and page size", () =>
    Effect.gen(function* () {
      const events = yield* history
      const start = 1_700_000_000_000
      const queries: ReadonlyArray<Omit<EventQuery, "limit">> = [
        {},
        { types: ["payment.failed"] },
        { types: ["payment.failed", "refund.failed", "payment.failed"] },
        { from: start + 5, until: start + 11 },
        { types: ["payment.succeeded", "payment.pending"], from: start + 3 },
        { paymentId: events[4]?.paymentId ?? "" },
        { paymentId: events[4]?.paymentId ?? "", types: [events[4]?.type ?? "payment.failed"] },
        { paymentId: events[4]?.paymentId ?? "", types: ["refund.failed"] },
        { paymentId: "pay_none" }
      ]
      for (const tenant of [mine, ...others]) {
        for (const query of queries) {
          const { from = 0, paymentId, types = eventTypes, until = Infinity } = query
          const expected = events
            .map((event, position) => ({ event, position }))
            .filter(({ event }) => event.account === tenant.account && event.livemode === tenant.livemode)
            .filter(({ event }) => types.includes(event.type) && event.createdAt >= from && event.createdAt < until)
            .filter(({ event }) => paymentId === undefined || event.paymentId === paymentId)
            .toSorted((a, b) => b.event.createdAt - a.event.createdAt || b.position - a.position)
            .map(({ event }) => event.id)
          for (const limit of [1, 7, 1000]) assert.deepStrictEqual(yield* read(tenant, query, limit), expected)
        }
      }
      const [newest] = (yield* listEvents(mine, { limit: 1 })).data
      const event = events.find(({ id }) => id === newest?.id)
      assert.deepStrictEqual(newest, {
        id: event?.id,
        type: event?.type,
        paymentId: event?.paymentId,
        sequence: event?.sequence,
        createdAt: event?.createdAt
      })
    }).pipe(Effect.provide(database))
  )

  it.live("refuses a cursor of another kind", () =>
    Effect.gen(function* () {
      for (const after of ["", "x", "1", "1.99999999999999999", "-1.1", "1.1.1"]) {
        assert.strictEqual((yield* Effect.flip(listEvents(mine, { limit: 1, after })))._tag, "EventCursorInvalid")
      }
    }).pipe(Effect.provide(database))
  )
})

it.effect("walks the index alone, on SQLite", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [text, parameters] = eventsStatement(sql, mine, { limit: 20 }, { at: 5, row: 5 }).compile()
    const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
    const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes("payment_events"))
    assert.strictEqual(steps.length, eventTypes.length)
    for (const step of steps)
      assert.match(step, /USING INDEX payment_events_by_type \(account=\? AND livemode=\? AND type=\?/)
  }).pipe(Effect.provide(sqlite))
)
