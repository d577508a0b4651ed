/** Deliveries that stand in line, when very many of them wait. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Fiber, Latch, Result } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookDeliveries, WebhookDeliveryLog, WebhookEndpoints } from "../src/index.ts"
import type { ClaimedDelivery, OrderedTries } from "../src/index.ts"
import { deliveryRows, eventually, postgresEnvironment, settle, tenant, environment } from "./TestEnvironment.ts"

const hour = 3_600_000
const stuck = 1200

/** Payment `n` has two events, 2n and 2n + 1. */
const paymentOf = (event: number) => Math.floor(event / 2)
const ids = new Map(Array.from({ length: 2 * stuck + 2 }, (_, n) => [PaymentRecords.eventId(n), n] as const))
const numberOf = ({ eventId }: ClaimedDelivery) => ids.get(eventId) ?? -1

/** The events `from` to `before` that happened at `at`, in line of their payments. */
const add = Effect.fnUntraced(function* (from: number, before: number, at: number) {
  const { id: endpointId } = yield* WebhookEndpoints.use((endpoints) => endpoints.addProcess(tenant))
  const deliveries = yield* WebhookDeliveries
  const wanted = Array.from({ length: before - from }, (_, n) => ({
    ...tenant,
    eventId: PaymentRecords.eventId(from + n),
    endpointId,
    happenedAt: at,
    status: "pending" as const,
    order: { line: `pay_${paymentOf(from + n)}`, place: (from + n) % 2 }
  }))
  yield* deliveries.add(wanted, at)
  const claim = (now: number, tries: OrderedTries, limit = 8) =>
    deliveries.claimOrdered({ endpointId, owner: "one", now, until: now + 45_000, limit, tries })
  const end = (delivery: ClaimedDelivery, now: number, failsUntil: number | null) =>
    settle(delivery, {
      status: failsUntil === null ? "delivered" : "pending",
      attempts: delivery.attempts + 1,
      deliverAt: failsUntil ?? now,
      lastAt: now,
      duration: 5,
      lastStatus: null,
      lastError: null,
      lastAnswer: null
    })
  return { claim, end }
})

/** As a listener leaves them that failed the first event of each payment: the second waits behind it. */
const allStuck = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const line = yield* add(0, 2 * stuck, 1)
  for (let failed = 0; failed < stuck;) {
    for (const delivery of yield* line.claim(2, "first", 100)) {
      yield* line.end(delivery, 2, hour)
      failed++
    }
  }
  // They are due again when the first look finds them.
  yield* sql`UPDATE webhook_deliveries SET deliver_at = 1 WHERE status = 'pending' AND attempts = 0`
  return line
})

const dueAt = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM webhook_deliveries
    WHERE status = 'pending' AND deliver_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})`
  return Number(row?.count)
})

describe.each([
  ["SQLite", () => environment()],
  ["PostgreSQL", () => postgresEnvironment()]
] as const)("deliveries in line on %s", (_, layer) => {
  it.live("what stands behind events that failed is not walked past at each look, and keeps no other", () =>
    Effect.gen(function* () {
      const { claim } = yield* allStuck
      assert.strictEqual(yield* dueAt(3), stuck)
      yield* add(2 * stuck, 2 * stuck + 1, 3)
      assert.deepStrictEqual((yield* claim(4, "first")).map(numberOf), [2 * stuck])
      assert.isBelow(yield* dueAt(4), 500)
    }).pipe(Effect.provide(layer()))
  )

  it.live("however much stands there, a look ends before it was all walked past, and the next goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { claim } = yield* add(2 * stuck, 2 * stuck + 1, 3)
      // Digits name the payments; each has an event that failed, and one behind it.
      yield* sql`
        WITH digits (digit) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)),
          payments (name) AS (SELECT CAST(a.digit AS TEXT) || b.digit || c.digit || d.digit FROM digits AS a, digits AS b,
            digits AS c, digits AS d UNION ALL SELECT 'more' || a.digit || b.digit FROM digits AS a, digits AS b)
        INSERT INTO webhook_deliveries
          (event_id, endpoint_id, account, livemode, attempts, status, deliver_at, line, place)
        SELECT name || place.digit, endpoint_id, account, livemode, 1 - place.digit, 'pending',
          CASE place.digit WHEN 0 THEN ${hour} ELSE 1 END, name, place.digit
        FROM payments, digits AS place, webhook_deliveries WHERE place.digit < 2`
      assert.deepStrictEqual(yield* claim(4, "first"), [])
      assert.strictEqual(yield* dueAt(4), 101)
      assert.deepStrictEqual((yield* claim(5, "first")).map(numberOf), [2 * stuck])
    }).pipe(Effect.provide(layer()))
  )

  it.live("what stands behind calls that are under way keeps no other, either", () =>
    Effect.gen(function* () {
      const { claim } = yield* add(0, 2 * stuck, 1)
      const sql = yield* SqlClient.SqlClient
      // 64 payments with 37 events or 38.
      yield* sql`UPDATE webhook_deliveries SET line = CAST(id % 64 AS TEXT), place = id`
      assert.strictEqual((yield* claim(2, "first", 64)).length, 64)
      yield* add(2 * stuck, 2 * stuck + 1, 3)
      assert.deepStrictEqual((yield* claim(4, "first")).map(numberOf), [2 * stuck])
    }).pipe(Effect.provide(layer()))
  )

  it.live("a claim that fails in a later turn returns the deliveries of earlier turns", () =>
    Effect.gen(function* () {
      const { claim } = yield* allStuck
      const sql = yield* SqlClient.SqlClient
      yield* add(2 * stuck, 2 * stuck + 1, 0)
      // Deliveries cannot be postponed.
      yield* sql.unsafe(`CREATE UNIQUE INDEX broken ON webhook_deliveries (deliver_at) WHERE deliver_at > ${hour}`)
      assert.deepStrictEqual((yield* claim(4, "first")).map(numberOf), [2 * stuck])
      assert.isTrue(Result.isFailure(yield* Effect.result(claim(4, "first"))))
    }).pipe(Effect.provide(layer()))
  )

  it.live("and is sent as soon as the one before was taken", () =>
    Effect.gen(function* () {
      const { claim, end } = yield* allStuck
      yield* claim(4, "first")
      const heads = yield* claim(hour, "further", 3)
      assert.deepStrictEqual(yield* claim(hour, "first", 3), [])
      for (const head of heads) yield* end(head, hour + 5, null)
      const next = (yield* claim(hour + 5, "first", 10)).map(numberOf)
      assert.deepStrictEqual(
        next,
        heads.map((head) => numberOf(head) + 1)
      )
    }).pipe(Effect.provide(layer()))
  )

  it.live("all that are sent again at once are delivered, each payment in order", () =>
    Effect.gen(function* () {
      const { claim, end } = yield* allStuck
      const sql = yield* SqlClient.SqlClient
      const reported: Array<number> = []
      // As an operator's command leaves them, before any look has put off what waits: the first is due after its second.
      yield* sql`UPDATE webhook_deliveries SET tries_before = attempts, deliver_at = 10 WHERE attempts > 0`
      for (let now = 11; reported.length < 2 * stuck && now < 200; now++) {
        for (const delivery of yield* claim(now, "first", 100)) {
          reported.push(numberOf(delivery))
          yield* end(delivery, now, null)
        }
      }
      assert.strictEqual(new Set(reported).size, 2 * stuck)
      const seen = new Set<number>()
      for (const event of reported) {
        assert.strictEqual(seen.has(paymentOf(event)), event % 2 === 1)
        seen.add(paymentOf(event))
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("an event that is sent again by its id brings what waits behind it, too", () =>
    Effect.gen(function* () {
      const { claim, end } = yield* allStuck
      yield* claim(4, "first")
      const log = yield* WebhookDeliveryLog
      yield* log.resend(tenant, PaymentRecords.eventId(10), null)
      const now = 9e12
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_deliveries SET deliver_at = ${now + hour} WHERE deliver_at BETWEEN ${hour} AND ${2 * hour}`
      const [again] = yield* claim(now, "first")
      if (again === undefined) return assert.fail("nothing is sent again")
      assert.strictEqual(numberOf(again), 10)
      yield* end(again, now + 1, null)
      assert.deepStrictEqual((yield* claim(now + 1, "first")).map(numberOf), [11])
    }).pipe(Effect.provide(layer()))
  )

  it.live("a result and the release of the deliveries behind it are stored together or not at all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { claim, end } = yield* add(0, 3, 1)
      yield* sql`UPDATE webhook_deliveries SET line = 'pay', place = id`
      const [failed] = yield* claim(2, "first", 1)
      if (failed === undefined) return assert.fail("nothing was claimed")
      yield* end(failed, 2, 10)
      const [head] = yield* claim(10, "further", 1)
      if (head === undefined) return assert.fail("nothing was claimed")
      yield* sql`UPDATE webhook_deliveries SET deliver_at = ${hour} + id WHERE id <> ${head.id}`
      // Both behind it would be due at the same time.
      yield* sql`CREATE UNIQUE INDEX broken ON webhook_deliveries (deliver_at) WHERE attempts = 0`
      yield* Effect.flip(end(head, 11, null))
      assert.strictEqual(yield* dueAt(11), 0)
      assert.strictEqual((yield* deliveryRows)[0]?.status, "pending")
      yield* sql`DROP INDEX broken`
      assert.isTrue(yield* end(head, 11, null))
      assert.strictEqual((yield* deliveryRows)[0]?.status, "delivered")
      assert.strictEqual(yield* dueAt(11), 2)
    }).pipe(Effect.provide(layer()))
  )
})

describe("on PostgreSQL, a release of waiting deliveries", () => {
  it.live("locks rows by id like all others, so that it and another never wait for each other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { claim, end } = yield* add(0, 40, 1)
      // Against the order of ids, apart from the first.
      yield* sql`UPDATE webhook_deliveries SET line = 'pay', place = CASE WHEN id = (SELECT min(id) FROM webhook_deliveries)
        THEN -1000 ELSE -id END`
      const [failed] = yield* claim(2, "first", 1)
      if (failed === undefined) return assert.fail("nothing was claimed")
      yield* end(failed, 2, 10)
      const [head] = yield* claim(10, "further", 1)
      if (head === undefined) return assert.fail("nothing was claimed")
      yield* sql`UPDATE webhook_deliveries SET deliver_at = ${hour} WHERE id <> ${head.id}`
      const ids = (yield* sql<{
        id: string
      }>`SELECT id FROM webhook_deliveries WHERE id <> ${head.id} ORDER BY id`).map(({ id }) => Number(id))
      const lock = (id: number | undefined) => sql`SELECT id FROM webhook_deliveries WHERE id = ${id ?? 0} FOR UPDATE`
      // cspell:ignore pids
      const isWaitedFor = Effect.map(
        sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        (rows) => rows.length > 0
      )
      const holds = yield* Latch.make()
      const releasing = yield* Effect.forkChild(Effect.andThen(holds.await, end(head, 11, null)))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* lock(ids[0])
          yield* holds.open
          yield* eventually(isWaitedFor)
          yield* lock(ids.at(-1))
        })
      )
      assert.isTrue(yield* Fiber.join(releasing))
      assert.strictEqual(yield* dueAt(11), 39)
    }).pipe(Effect.provide(postgresEnvironment()))
  )
})
