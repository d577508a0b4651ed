/** The sequence of events: commits on PostgreSQL that become visible after later ones, and long stretches of other accounts. */
import { assert, describe, it } from "@effect/vitest"
import type { EventId, EventsQuery } from "@paymux/core/store"
import { PaymentStore } from "@paymux/core/store"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { postgres, sqlite } from "./databases.ts"

const tenant = { account: "own", livemode: false }
const everyEvent: EventsQuery = { after: null, types: [], paymentId: null, limit: 100 }

const insert = Effect.fnUntraced(function* (id: string, account = tenant.account) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO payment_events ${sql.insert({
    id,
    payment_id: `pay_${id}`,
    sequence: 1,
    type: "payment.succeeded",
    account,
    livemode: sql.onDialectOrElse({ pg: (): boolean | number => false, orElse: () => 0 }),
    payment: "{}",
    created_at: 1
  })}`
})

/** The ids of the next page, and where it ended. */
const read = Effect.fnUntraced(function* (after: EventId | null) {
  const store = yield* PaymentStore
  const page = yield* store.eventsAfter(tenant, { ...everyEvent, after })
  if (page._tag === "EventNotStored") return assert.fail("The event is not stored")
  return { ...page, ids: page.events.map(({ id }) => String(id)) }
})

/** An event in a transaction that stays open until it is ended. */
const open = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [written, end] = [yield* Deferred.make<void>(), yield* Deferred.make<"commit" | "rollback">()]
  const transaction = Effect.gen(function* () {
    yield* insert(id)
    yield* Deferred.succeed(written, undefined)
    if ((yield* Deferred.await(end)) === "rollback") return yield* Effect.fail("rollback" as const)
  }).pipe(sql.withTransaction, Effect.ignore)
  const fiber = yield* Effect.forkChild(transaction)
  yield* Deferred.await(written)
  return (how: "commit" | "rollback") => Effect.andThen(Deferred.succeed(end, how), Fiber.join(fiber))
})

describe("the sequence of events on PostgreSQL", () => {
  it.live("holds back what is younger than the oldest open commit, and shows what is older", () =>
    Effect.gen(function* () {
      yield* insert("a")
      yield* insert("b")
      const third = yield* open("c")
      yield* insert("d")
      const fifth = yield* open("e")
      yield* insert("f")
      const first = yield* read(null)
      assert.deepStrictEqual(first.ids, ["a", "b"])
      assert.isFalse(first.hasMore)
      assert.deepStrictEqual((yield* read(first.last)).ids, [])
      yield* third("commit")
      const second = yield* read(first.last)
      assert.deepStrictEqual(second.ids, ["c", "d"])
      yield* fifth("commit")
      assert.deepStrictEqual((yield* read(second.last)).ids, ["e", "f"])
    }).pipe(Effect.provide(postgres))
  )

  it.live("passes the place of a commit that was rolled back, also while another is open", () =>
    Effect.gen(function* () {
      const first = yield* open("a")
      yield* insert("b")
      yield* first("rollback")
      const page = yield* read(null)
      assert.deepStrictEqual(page.ids, ["b"])
      const second = yield* open("c")
      yield* insert("d")
      assert.deepStrictEqual((yield* read(page.last)).ids, [])
      yield* second("rollback")
      assert.deepStrictEqual((yield* read(page.last)).ids, ["d"])
    }).pipe(Effect.provide(postgres))
  )

  it.live("begins with nothing while the first event of the database is open", () =>
    Effect.gen(function* () {
      const first = yield* open("a")
      yield* insert("b")
      assert.deepStrictEqual(yield* read(null), { _tag: "EventsPage", events: [], ids: [], last: null, hasMore: false })
      yield* first("commit")
      assert.deepStrictEqual((yield* read(null)).ids, ["a", "b"])
    }).pipe(Effect.provide(postgres))
  )
})

describe("a page of events", () => {
  for (const [database, layer, most] of [
    ["SQLite", sqlite, 1_000],
    ["PostgreSQL", postgres, 5_000]
  ] as const) {
    it.live(
      `looks at a limited number of other accounts' events, and says that there may be more, on ${database}`,
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql.unsafe(`INSERT INTO payment_events (id, payment_id, sequence, type, account, livemode, payment, created_at)
          WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ${most})
          SELECT 'other' || n, 'pay_' || n, 1, 'payment.succeeded', 'other', ${database === "SQLite" ? "0" : "false"}, '{}', 1
          FROM numbers ORDER BY n`)
          yield* insert("own")
          const first = yield* read(null)
          assert.deepStrictEqual(first.ids, [])
          assert.strictEqual(first.last, `other${most}`)
          assert.isTrue(first.hasMore)
          const second = yield* read(first.last)
          assert.deepStrictEqual(second.ids, ["own"])
          assert.isFalse(second.hasMore)
        }).pipe(Effect.provide(layer))
    )
  }
})
