import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "@paymux/core"
import { everyPayment } from "@paymux/core/store"
import type { AdvanceCommit, AdvanceResult, KeptKey } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresDatabase, PostgresPaymentStore } from "../../src/index.ts"
import { proxy } from "./Proxy.ts"

const { aBinding, anEvent, aRecord, nextVersion, paymentId, succeeded, tenant } = PaymentRecords

const together = { concurrency: "unbounded" } as const

const database = temporaryDatabase([coreMigrations])

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n)

/** A statement with commits. */
interface Sent {
  readonly sql: string
  /** How many commits are in it. */
  readonly size: number
}

interface Watched {
  /** Comes before every statement with commits that is sent. */
  readonly before?: (sent: Sent) => Effect.Effect<void>
  readonly deadlineMs?: number
}

/** A store with a pool of its own, and the commits that it sent. */
const watchedStore = Effect.fnUntraced(function* (url: string, { before, ...options }: Watched = {}) {
  const context = yield* Layer.build(Layer.fresh(PostgresClient.layer({ url: Redacted.make(url), ...options })))
  const real = Context.get(context, PostgresDatabase)
  const sent: Array<Sent> = []
  const query: typeof real.query = (sql, params) => {
    if (!sql.includes("json_to_recordset")) return real.query(sql, params)
    return Effect.suspend(() => {
      const one = { sql, size: paymentsIn(params).size }
      sent.push(one)
      return Effect.andThen(before?.(one) ?? Effect.void, real.query(sql, params))
    })
  }
  return { ...PostgresPaymentStore.make({ ...real, query }, Clock.currentTimeMillis), sent, query: real.query }
})

const paymentsIn = (params: ReadonlyArray<unknown>): ReadonlySet<unknown> =>
  new Set(
    params
      .flatMap((rows): ReadonlyArray<{ readonly [field: string]: unknown }> => JSON.parse(String(rows)))
      .map((row) => row["payment_id"] ?? row["id"])
  )

const isJoined = ({ size }: Sent): boolean => size > 1

const succeeding = (before: PaymentRecord): AdvanceCommit => {
  const after = succeeded(before)
  return { ...toNext(before, after), events: [anEvent(after, "payment.succeeded")] }
}

const toNext = (before: PaymentRecord, after: PaymentRecord): AdvanceCommit => ({
  before,
  after,
  events: [],
  evidence: null,
  binding: null,
  answer: null
})

/** Its operation gets a reference. */
const giving = (before: PaymentRecord, reference: string): AdvanceCommit =>
  toNext(before, {
    ...nextVersion(before, {}),
    operations: before.operations.map((operation) => ({ ...operation, reference }))
  })

const withKey = (n: number) => ({ record: aRecord(n), binding: aBinding(n) })

describe("Commits that wait at the same time", () => {
  it.live("are all acknowledged and can be read, and took fewer statements than there were commits", () =>
    Effect.gen(function* () {
      const store = yield* watchedStore(yield* database)
      const begun = yield* Effect.forEach(numbers(64), (n) => store.begin(withKey(n)), together)
      assert.deepStrictEqual(
        begun.map(({ _tag }) => _tag),
        begun.map(() => "Begun")
      )
      assert.isBelow(store.sent.length, 32)
      const answer = (n: number) => ({ ...aBinding(n), body: `answer ${n}` })
      const advanced = yield* Effect.forEach(
        numbers(64),
        (n) => store.advance({ ...succeeding(aRecord(n)), answer: answer(n) }),
        together
      )
      assert.deepStrictEqual(
        advanced,
        numbers(64).map((n) => ({ _tag: "Advanced" as const, answer: `answer ${n}` }))
      )
      assert.isBelow(store.sent.length, 64)
      for (const n of numbers(64)) {
        assert.deepStrictEqual(yield* store.get(paymentId(n)), succeeded(aRecord(n)))
        const kept: KeptKey = { ...aBinding(n), answer: `answer ${n}` }
        assert.deepStrictEqual(yield* store.findKey(tenant, kept.endpoint, kept.key), kept)
      }
      assert.strictEqual((yield* store.undispatchedEvents(100)).length, 64)
    })
  )

  it.live("a payment alone is one statement of its own for each commit", () =>
    Effect.gen(function* () {
      const store = yield* watchedStore(yield* database)
      yield* store.begin(withKey(1))
      yield* store.advance(succeeding(aRecord(1)))
      assert.deepStrictEqual(store.sent.map(isJoined), [false, false])
    })
  )

  it.live("one that violates a constraint fails alone, and a key that is taken is KeyTaken alone", () =>
    Effect.gen(function* () {
      const store = yield* watchedStore(yield* database)
      yield* store.begin(withKey(7))
      yield* store.begin(withKey(107))
      const results = yield* Effect.forEach(
        numbers(24),
        (n) => {
          // The payment 7 is there already; the key of 9 is bound to payment 107.
          const binding =
            n === 7
              ? aBinding(507, { paymentId: paymentId(7) })
              : n === 9
                ? aBinding(107, { paymentId: paymentId(9) })
                : aBinding(n)
          return Effect.exit(store.begin({ record: aRecord(n), binding }))
        },
        together
      )
      assert.isTrue(store.sent.some(isJoined))
      for (const [index, exit] of results.entries()) {
        const n = index + 1
        if (n === 7) {
          assert.isTrue(Exit.isFailure(exit))
          assert.isNull(yield* store.findKey(tenant, aBinding(507).endpoint, aBinding(507).key))
        } else if (n === 9) {
          assert.deepStrictEqual(exit, Exit.succeed({ _tag: "KeyTaken", kept: { ...aBinding(107), answer: null } }))
          assert.isNull(yield* store.get(paymentId(9)))
        } else {
          assert.deepStrictEqual(exit, Exit.succeed({ _tag: "Begun" }))
          assert.deepStrictEqual(yield* store.get(paymentId(n)), aRecord(n))
        }
      }
    })
  )

  it.live("one of another version is a Conflict alone", () =>
    Effect.gen(function* () {
      const store = yield* watchedStore(yield* database)
      yield* Effect.forEach(numbers(24), (n) => store.begin(withKey(n)), together)
      yield* store.advance(toNext(aRecord(5), nextVersion(aRecord(5), { description: "first" })))
      store.sent.length = 0
      const results = yield* Effect.forEach(numbers(24), (n) => store.advance(succeeding(aRecord(n))), together)
      assert.isTrue(store.sent.some(isJoined))
      assert.deepStrictEqual(
        results.map(({ _tag }) => _tag),
        numbers(24).map((n) => (n === 5 ? "Conflict" : "Advanced"))
      )
      assert.strictEqual((yield* store.undispatchedEvents(100)).length, 23)
      assert.strictEqual((yield* store.get(paymentId(5)))?.payment.description, "first")
    })
  )

  it.live(
    "each has a result of its own in one statement: a conflict, a taken key, a taken reference, or none of them",
    () =>
      Effect.gen(function* () {
        const store = yield* watchedStore(yield* database)
        yield* Effect.forEach(numbers(40), (n) => store.begin(withKey(n)), together)
        const moved = nextVersion(aRecord(5), { description: "first" })
        yield* store.advance(toNext(aRecord(5), moved))
        yield* store.advance(giving(aRecord(39), "taken"))
        yield* store.advance(giving(aRecord(40), "taken too"))
        store.sent.length = 0
        // Of 8, the key is that of a create; 9 has a taken reference as well.
        const odd = new Map<number, AdvanceResult>([
          [5, { _tag: "Conflict" }],
          [8, { _tag: "KeyTaken", kept: { ...aBinding(30), answer: null } }],
          [9, { _tag: "KeyTaken", kept: { ...aBinding(31), answer: null } }],
          [12, { _tag: "ReferenceTaken" }]
        ])
        const keys = new Map([
          [8, aBinding(30, { paymentId: paymentId(8) })],
          [9, aBinding(31, { paymentId: paymentId(9) })]
        ])
        const bindingOf = (n: number) =>
          keys.get(n) ?? aBinding(100 + n, { paymentId: paymentId(n), endpoint: "refunds" })
        const advanced = (n: number): AdvanceResult => ({ _tag: "Advanced", answer: `answer ${n}` })
        const reference = (n: number) => (n === 9 ? "taken" : n === 12 ? "taken too" : `reference ${n}`)
        const results = yield* Effect.forEach(
          numbers(20),
          (n) => {
            const binding = bindingOf(n)
            return store.advance({
              ...giving(aRecord(n), reference(n)),
              events: [anEvent(aRecord(n), "payment.pending", { sequence: 1 })],
              binding,
              answer: { ...binding, body: `answer ${n}` }
            })
          },
          together
        )
        assert.deepStrictEqual(
          results,
          numbers(20).map((n) => odd.get(n) ?? advanced(n))
        )
        // None was made again.
        assert.isTrue(store.sent.some(({ size }) => size >= 19))
        assert.strictEqual(
          store.sent.reduce((sum, { size }) => sum + size, 0),
          20
        )
        for (const n of numbers(20)) {
          const record = yield* store.get(paymentId(n))
          const kept = yield* store.findKey(tenant, "refunds", bindingOf(n).key)
          if (odd.has(n)) {
            assert.deepStrictEqual(record, n === 5 ? moved : aRecord(n))
            assert.isNull(kept)
          } else {
            assert.deepStrictEqual(record, giving(aRecord(n), reference(n)).after)
            assert.deepStrictEqual(kept, { ...bindingOf(n), answer: `answer ${n}` })
          }
        }
        const announced = (yield* store.undispatchedEvents(100)).map(({ paymentId: id }) => id)
        assert.sameMembers(
          announced,
          numbers(20).flatMap((n) => (odd.has(n) ? [] : [paymentId(n)]))
        )
      })
  )

  it.live("are each made alone where another process waits for one of them and holds another", () =>
    Effect.gen(function* () {
      const url = yield* database
      const store = yield* watchedStore(url)
      yield* Effect.forEach(numbers(16), (n) => store.begin(withKey(n)), together)
      store.sent.length = 0
      const client = yield* Layer.build(Layer.fresh(PostgresClient.layer({ url: Redacted.make(url) })))
      const sql = Context.get(client, SqlClient.SqlClient)
      const lock = (n: number) => sql`SELECT 1 FROM payments WHERE id = ${paymentId(n)} FOR UPDATE`
      const waiting = (sessions: number) =>
        Effect.repeat(
          store.query(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
            []
          ),
          { until: (rows) => rows.length === sessions }
        )
      const held = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            // PostgreSQL undoes the session that finds the deadlock. This one never looks, however slow the machine is.
            yield* sql`SET LOCAL deadlock_timeout = '1h'`
            yield* lock(16)
            yield* Deferred.succeed(held, undefined)
            yield* waiting(1)
            yield* lock(2)
          })
        )
      )
      yield* Deferred.await(held)
      // The batch holds 2 and waits here until the other process waits for it. Then it closes the circle.
      const results = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* lock(8)
          const advancing = yield* Effect.forkDetach(
            Effect.forEach(numbers(16), (n) => store.advance(succeeding(aRecord(n))), together)
          )
          yield* waiting(2)
          return advancing
        })
      )
      yield* Fiber.join(other)
      assert.deepStrictEqual(
        yield* Fiber.join(results),
        numbers(16).map(() => ({ _tag: "Advanced" as const, answer: null }))
      )
      assert.isTrue(store.sent.some(isJoined))
      // One or none was sent alone before.
      assert.include([16, 17], store.sent.length)
      assert.strictEqual((yield* store.undispatchedEvents(100)).length, 16)
    })
  )

  it.live("of one payment, or under one key, exactly one wins on two machines, and none waits without end", () =>
    Effect.gen(function* () {
      const url = yield* database
      const stores = yield* Effect.all([watchedStore(url), watchedStore(url)])
      const [first, second] = stores
      const both = [
        ...numbers(40).map((n) => [first, n] as const),
        ...numbers(40).map((n) => [second, 41 - n] as const)
      ]
      const begun = yield* Effect.forEach(
        both,
        ([store, key], index) => {
          const own = 1_000 + index
          return store.begin({ record: aRecord(own), binding: aBinding(own, { key: `key-${key}` }) })
        },
        together
      )
      const winners = new Map<number, PaymentRecord>()
      for (const [index, [, key]] of both.entries()) {
        if (begun[index]?._tag !== "Begun") continue
        assert.isFalse(winners.has(key))
        winners.set(key, aRecord(1_000 + index))
      }
      assert.strictEqual(winners.size, 40)
      assert.strictEqual((yield* first.list(tenant, { ...everyPayment, limit: 999 })).records.length, 40)
      const advanced = yield* Effect.forEach(
        both,
        ([store, key]) => store.advance(succeeding(winners.get(key) ?? aRecord(0))),
        together
      )
      for (const key of numbers(40)) {
        const tags = both.flatMap(([, other], index) => (other === key ? [advanced[index]?._tag] : []))
        assert.deepStrictEqual(
          tags.toSorted((a, b) => ((a ?? "") < (b ?? "") ? -1 : 1)),
          ["Advanced", "Conflict"]
        )
      }
      assert.strictEqual((yield* second.undispatchedEvents(100)).length, 40)
      assert.isTrue(stores.every(({ sent }) => sent.some(isJoined)))
    })
  )

  it.live("one whose payment another holds on to fails alone", () =>
    Effect.gen(function* () {
      const url = yield* database
      const store = yield* watchedStore(url, { deadlineMs: 3_000 })
      yield* Effect.forEach(numbers(16), (n) => store.begin(withKey(n)), together)
      store.sent.length = 0
      const client = yield* Layer.build(Layer.fresh(PostgresClient.layer({ url: Redacted.make(url) })))
      const sql = Context.get(client, SqlClient.SqlClient)
      const results = yield* sql.withTransaction(
        Effect.andThen(
          sql`UPDATE payments SET description = 'held' WHERE id = ${paymentId(9)}`,
          Effect.forEach(numbers(16), (n) => Effect.exit(store.advance(succeeding(aRecord(n)))), together)
        )
      )
      assert.isTrue(store.sent.some(isJoined))
      assert.deepStrictEqual(
        results.map((exit) => (Exit.isSuccess(exit) ? exit.value._tag : "failed")),
        numbers(16).map((n) => (n === 9 ? "failed" : "Advanced"))
      )
    })
  )

  it.live("a caller that is interrupted withdraws its own waiting commit only", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const busy = yield* Deferred.make<void>()
      let held = 0
      const before = () =>
        Effect.andThen(
          Effect.suspend(() => (++held === 3 ? Deferred.succeed(busy, undefined) : Effect.void)),
          Deferred.await(gate)
        )
      const store = yield* watchedStore(yield* database, { before })
      const start = (n: number) => Effect.forkChild(store.begin(withKey(n)), { startImmediately: true })
      // One goes alone, then 32 and 7: every lane is taken.
      const running = yield* Effect.forEach(numbers(40), start)
      yield* Deferred.await(busy)
      const waiting = yield* Effect.forEach(numbers(3, 51), start)
      const interrupted = [running[2], waiting[1]].flatMap((fiber) => fiber ?? [])
      yield* Effect.forEach(interrupted, Fiber.interrupt)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [...running, ...waiting]) {
        if (interrupted.includes(fiber)) continue
        assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "Begun" })
      }
      // That which was under way is done, as a whole; that which waited is not.
      assert.deepStrictEqual(yield* store.get(paymentId(3)), aRecord(3))
      assert.isNull(yield* store.get(paymentId(52)))
      assert.isNull(yield* store.findKey(tenant, aBinding(52).endpoint, aBinding(52).key))
    })
  )

  it.live("all fail where the answer of their statement is lost, each is there or not, and the store goes on", () =>
    Effect.gen(function* () {
      const between = yield* proxy(yield* database)
      let isLost = false
      const before = (sent: Sent) =>
        Effect.sync(() => {
          if (isLost || !isJoined(sent)) return
          isLost = true
          between.loseNextAnswer()
        })
      const store = yield* watchedStore(between.url, { before })
      // So that there are sessions whose answers can be lost.
      yield* Effect.forEach(numbers(8), () => store.query("SELECT pg_sleep(0.01)", []), together)
      const exits = yield* Effect.forEach(numbers(32), (n) => Effect.exit(store.begin(withKey(n))), together)
      assert.isAtLeast(exits.filter(Exit.isFailure).length, 2)
      for (const [index, exit] of exits.entries()) {
        const n = index + 1
        const found = yield* Effect.retry(store.get(paymentId(n)), { times: 20 })
        if (Exit.isSuccess(exit)) assert.deepStrictEqual(exit.value, { _tag: "Begun" })
        else assert.include(String(exit.cause), "StoreUnavailable")
        if (Exit.isSuccess(exit) || found !== null) assert.deepStrictEqual(found, aRecord(n))
      }
      const again = yield* Effect.forEach(numbers(32), (n) => store.begin(withKey(n)), together)
      for (const [index, result] of again.entries()) {
        const exit = exits[index]
        if (exit !== undefined && Exit.isSuccess(exit)) assert.strictEqual(result._tag, "KeyTaken")
        assert.deepStrictEqual(yield* store.get(paymentId(index + 1)), aRecord(index + 1))
      }
    })
  )

  it.live("all fail within the deadline where the server is silent, those that wait for a lane too", () =>
    Effect.gen(function* () {
      const between = yield* proxy(yield* database)
      const store = yield* watchedStore(between.url, { deadlineMs: 300 })
      yield* store.begin(withKey(500))
      between.goSilent()
      const exits = yield* Effect.forEach(numbers(600), (n) => Effect.exit(store.begin(withKey(n))), together)
      for (const exit of exits) {
        assert.isTrue(Exit.isFailure(exit) && String(exit.cause).includes("StoreUnavailable"), String(exit))
      }
      // Only the running batches were sent before the deadline of all, which takes twenty statements.
      assert.isBelow(store.sent.length, 10)
      between.comeBack()
      yield* Effect.retry(store.get(paymentId(500)), { schedule: Schedule.spaced("50 millis"), times: 200 })
      const again = yield* Effect.forEach(numbers(40, 1_000), (n) => store.begin(withKey(n)), together)
      assert.isTrue(again.every(({ _tag }) => _tag === "Begun"))
    })
  )
})
