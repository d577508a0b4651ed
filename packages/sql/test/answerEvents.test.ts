/** The first response to a request as a reference to an event: its row, rows of earlier versions, and older servers beside it. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit, KeyBinding, MigrationSet } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Deferred, Effect, Fiber, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"
import { answerEvents } from "../src/migrations/answerEvents.ts"
import { postgresDialect } from "../src/postgres/postgresDialect.ts"
import type { Row } from "../src/rows/ReadRow.ts"
import { keys } from "../src/store/keys.ts"
import { postgres, sqlite } from "./databases.ts"

const { aBinding, anEvent, aRecord, eventId, nextVersion, paymentId, tenant } = PaymentRecords

const databases = [
  { name: "on SQLite", layer: sqlite, run: it.effect },
  { name: "on PostgreSQL", layer: postgres, run: it.live }
] as const

const odd = '{ "name": "a \\u0000 \u0000 \u001a \ud83e\uded6" }'

/** The first commit of a payment, and the second with an event and the response. */
const answering = (n: number, payment: string, body: string) => {
  const before = aRecord(n)
  const binding = aBinding(n)
  const after = nextVersion(before, { eventSequence: 7 })
  const event = anEvent(after, "payment.succeeded", { id: eventId(n), payment })
  const advance: AdvanceCommit = {
    before,
    after,
    events: [event],
    evidence: null,
    binding: null,
    answer: { ...binding, body }
  }
  return { binding, event, begin: { record: before, binding }, advance }
}

const written = Effect.fnUntraced(function* (n: number, payment: string, body: string) {
  const store = yield* PaymentStore
  const commits = answering(n, payment, body)
  yield* store.begin(commits.begin)
  yield* store.advance(commits.advance)
  return commits
})

const columnsOf = Effect.fnUntraced(function* (n: number) {
  const sql = yield* SqlClient.SqlClient
  const [row = { answer: null, event: null }] = yield* sql<{ answer: string | null; event: number | string | null }>`
    SELECT answer, answer_event AS event FROM idempotency_keys WHERE payment_id = ${paymentId(n)}`
  return { answer: row.answer, event: row.event === null ? null : Number(row.event) }
})

const keptOf = ({ endpoint, key }: KeyBinding) =>
  PaymentStore.use((store) => Effect.map(store.findKey(tenant, endpoint, key), (kept) => kept?.answer ?? null))

const later = (n: number, before: AdvanceCommit["after"]): AdvanceCommit => {
  const after = nextVersion(before, { eventSequence: 8 })
  const event = anEvent(after, "payment.canceled", { id: eventId(n + 1_000), payment: "later" })
  return { before, after, events: [event], evidence: null, binding: null, answer: null }
}

for (const { layer, name, run } of databases) {
  describe(`the row of a key ${name}`, () => {
    run("has the sequence number of the event with the same bytes, and otherwise the text", () =>
      Effect.gen(function* () {
        yield* written(1, odd, odd)
        yield* written(2, odd, `${odd} `)
        assert.deepStrictEqual(yield* columnsOf(1), { answer: null, event: 7 })
        assert.deepStrictEqual([(yield* columnsOf(2)).event, yield* keptOf(aBinding(2))], [null, `${odd} `])
      }).pipe(Effect.provide(layer))
    )

    run("has neither after an erasure or the end of the retention", () =>
      Effect.gen(function* () {
        const { erasure, retention } = yield* PaymentStore
        const { advance, event } = yield* written(1, odd, odd)
        const { after } = advance
        yield* erasure.erase({ before: after, after: nextVersion(after), events: [{ ...event, payment: "erased" }] })
        yield* written(2, odd, odd)
        yield* erasure.forgetAnswers(paymentId(2))
        yield* written(3, odd, odd)
        yield* retention.pruneAnswers({ before: 60_000, after: null, limit: 9 })
        for (const n of [1, 2, 3]) assert.deepStrictEqual(yield* columnsOf(n), { answer: null, event: null })
      }).pipe(Effect.provide(layer))
    )

    run("gets the text of the next response if an operator has deleted the event", () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        const sql = yield* SqlClient.SqlClient
        const { binding } = yield* written(1, odd, odd)
        yield* sql`DELETE FROM payment_events WHERE id = ${eventId(1)}`
        assert.isNull(yield* keptOf(binding))
        assert.strictEqual(yield* store.keepAnswer({ ...binding, body: "as it is now" }), "as it is now")
        assert.strictEqual(yield* store.keepAnswer({ ...binding, body: "later" }), "as it is now")
        assert.strictEqual(yield* keptOf(binding), "as it is now")
        assert.strictEqual((yield* columnsOf(1)).event, null)
      }).pipe(Effect.provide(layer))
    )

    run("refers to no event if the key belongs to another payment", () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        yield* store.begin({ record: aRecord(1), binding: aBinding(1) })
        const { advance } = answering(2, odd, odd)
        yield* store.begin({ record: aRecord(2), binding: null })
        yield* store.advance({ ...advance, answer: { ...aBinding(1), body: odd } })
        assert.deepStrictEqual(yield* columnsOf(1), { answer: null, event: null })
      }).pipe(Effect.provide(layer))
    )
  })
}

const before: MigrationSet = {
  ...coreMigrations,
  migrations: coreMigrations.migrations.slice(0, answerEvents.id - 1)
}

/** A key with the text of its response, as the version before the migration wrote it. */
const asBefore = Effect.gen(function* () {
  yield* runMigrations([before])
  const sql = yield* SqlClient.SqlClient
  const { account, createdAt, endpoint, fingerprint, key, paymentId: id } = aBinding(1)
  const livemode = sql.onDialectOrElse({ pg: () => sql`false`, orElse: () => sql`0` })
  yield* sql`INSERT INTO idempotency_keys
    (account, livemode, endpoint, key, fingerprint, payment_id, answer, created_at)
    VALUES (${account}, ${livemode}, ${endpoint}, ${key}, ${fingerprint}, ${id}, ${"text"}, ${createdAt})`
})

const readNow = Effect.gen(function* () {
  yield* runMigrations([coreMigrations])
  const store = yield* PaymentStore
  const binding = aBinding(1)
  assert.strictEqual(yield* keptOf(binding), "text")
  const again = yield* store.begin({ record: aRecord(2), binding: { ...binding, paymentId: paymentId(2) } })
  assert.deepStrictEqual(again, { _tag: "KeyTaken", kept: { ...binding, answer: "text" } })
  assert.strictEqual(yield* store.keepAnswer({ ...binding, body: "later" }), "text")
  yield* store.retention.pruneAnswers({ before: 60_000, after: null, limit: 9 })
  assert.isNull(yield* keptOf(binding))
})

describe("a response that the version before the migration stored is replayed byte for byte", () => {
  it.effect("on SQLite", () =>
    Effect.andThen(asBefore, readNow).pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const client = PostgresClient.layer({ url: Redacted.make(yield* temporaryDatabase([])) })
      yield* Effect.andThen(asBefore, readNow).pipe(
        Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client)))
      )
    })
  )
})

/** The statements of the version before the migration, as it sends them to PostgreSQL. */
const olderServer = (sql: SqlClient.SqlClient) => ({
  answerOf: (n: number) => sql<{ answer: string | null }>`SELECT answer FROM idempotency_keys
    WHERE payment_id = ${paymentId(n)} FOR KEY SHARE`,
  keepAnswer: (n: number, body: string) => sql<{ answer: string }>`UPDATE idempotency_keys
    SET answer = coalesce(answer, ${body}) WHERE payment_id = ${paymentId(n)} RETURNING answer`,
  eraseEvent: (n: number) => sql`UPDATE payment_events SET payment = ${"erased"}, refund = NULL
    WHERE id = ${eventId(n)}`
})

describe("an older server beside this one on PostgreSQL", () => {
  const run = it.live

  run("returns the bytes of the first response, and so does this one afterwards", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const older = olderServer(yield* SqlClient.SqlClient)
      const { advance, binding } = yield* written(1, odd, odd)
      yield* store.advance(later(1, advance.after))
      assert.deepStrictEqual(yield* older.answerOf(1), [{ answer: null }], "to it, a key without a response")
      const kept = yield* older.keepAnswer(1, "the current payment")
      assert.strictEqual(yield* keptOf(binding), odd)
      assert.deepStrictEqual(yield* columnsOf(1), { answer: kept[0]?.answer ?? null, event: null })
      assert.deepStrictEqual(yield* older.answerOf(1), kept)
      assert.deepStrictEqual(yield* older.keepAnswer(1, "the current payment"), kept)
      assert.strictEqual(yield* store.keepAnswer({ ...binding, body: "the current payment" }), odd)
    }).pipe(Effect.provide(postgres))
  )

  run("stores a response that this one returns", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const older = olderServer(yield* SqlClient.SqlClient)
      const { advance, begin, binding } = answering(1, odd, odd)
      yield* store.begin(begin)
      yield* older.keepAnswer(1, "first")
      assert.deepStrictEqual(yield* store.advance(advance), { _tag: "Advanced", answer: "first" })
      assert.strictEqual(yield* keptOf(binding), "first")
    }).pipe(Effect.provide(postgres))
  )

  run("erases a customer, and no reference to the events is left", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const older = olderServer(yield* SqlClient.SqlClient)
      const { binding } = yield* written(1, odd, odd)
      const other = yield* written(2, odd, odd)
      yield* older.eraseEvent(1)
      assert.deepStrictEqual(yield* columnsOf(1), { answer: null, event: null })
      assert.strictEqual(yield* keptOf(other.binding), odd)
      assert.deepStrictEqual(yield* older.keepAnswer(1, "as it is now"), [{ answer: "as it is now" }])
      assert.strictEqual(yield* store.keepAnswer({ ...binding, body: "later" }), "as it is now")
    }).pipe(Effect.provide(postgres))
  )

  run("stores the current payment if an operator has deleted the event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { binding } = yield* written(1, odd, odd)
      yield* sql`DELETE FROM payment_events WHERE id = ${eventId(1)}`
      assert.deepStrictEqual(yield* olderServer(sql).keepAnswer(1, "as it is now"), [{ answer: "as it is now" }])
      assert.strictEqual(yield* keptOf(binding), "as it is now")
    }).pipe(Effect.provide(postgres))
  )

  run("starts on the tables of this one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* runMigrations([before]), [])
    }).pipe(Effect.provide(postgres))
  )
})

describe("the index of references on PostgreSQL", () => {
  const isValid = Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'answers_referred'::regclass`
    ),
    ([row]) => row?.["valid"]
  )

  it.live("is built again by the next migration if its build failed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.isTrue(yield* isValid)
      yield* sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'answers_referred'::regclass`
      assert.deepStrictEqual(yield* runMigrations([coreMigrations]), [])
      assert.isTrue(yield* isValid)
    }).pipe(Effect.provide(postgres))
  )

  it.live("is not waited for by a later migration, although another session holds the table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [isHeld, isMigrated] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = Effect.gen(function* () {
        yield* sql`LOCK TABLE idempotency_keys IN SHARE UPDATE EXCLUSIVE MODE`
        yield* Deferred.succeed(isHeld, undefined)
        yield* Deferred.await(isMigrated)
      })
      const held = yield* Effect.forkChild(sql.withTransaction(holding))
      yield* Deferred.await(isHeld)
      const lines: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      assert.deepStrictEqual(yield* runMigrations([coreMigrations]).pipe(Effect.provide(logger)), [])
      assert.deepStrictEqual(lines, [])
      yield* Deferred.succeed(isMigrated, undefined)
      yield* Fiber.join(held)
    }).pipe(Effect.provide(postgres))
  )
})

describe("a reference that is removed between the statements of `keepAnswer`", () => {
  it.effect("is followed by the text of the response", () =>
    Effect.gen(function* () {
      const bound = { ...aBinding(1), answer: null, answer_event: null }
      // The rows that PostgreSQL returns if the first statement waited for a commit, and an erasure follows that commit.
      const written: Array<Row> = [
        { answer: null, answer_event: 7 },
        { answer: "text", answer_event: null }
      ]
      const { keepAnswer } = keys({
        sql: postgresDialect,
        read: () => Effect.succeed([bound]),
        write: () => Effect.succeed(written.splice(0, 1)),
        together: () => Effect.die(new Error("no statements belong together"))
      })
      assert.strictEqual(yield* keepAnswer({ ...aBinding(1), body: "text" }), "text")
    })
  )
})

describe("a statement on PostgreSQL that waits while a commit stores a reference", () => {
  const statements = {
    "of this server": (store: PaymentStore["Service"]) => store.keepAnswer({ ...aBinding(1), body: "later" }),
    "of an older server": (_: PaymentStore["Service"], sql: SqlClient.SqlClient) =>
      Effect.map(olderServer(sql).keepAnswer(1, "later"), ([row]) => row?.answer)
  }
  for (const [name, statement] of Object.entries(statements)) {
    it.live(`returns the bytes of the event, ${name}`, () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        const sql = yield* SqlClient.SqlClient
        const { begin, event } = answering(1, "{}", "{}")
        yield* store.begin(begin)
        const isWritten = yield* Deferred.make<void>()
        const commit = Effect.gen(function* () {
          yield* sql`INSERT INTO payment_events
            (id, payment_id, sequence, type, account, livemode, payment, created_at)
            VALUES (${event.id}, ${event.paymentId}, 7, ${event.type}, ${event.account}, false, ${event.payment}, 1)`
          yield* sql`UPDATE idempotency_keys SET answer_event = 7 WHERE payment_id = ${event.paymentId}`
          yield* Deferred.succeed(isWritten, undefined)
          // Within one transaction, `pg_stat_activity` would stay the same.
          yield* Effect.repeat(
            sql`SELECT pid FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`,
            {
              schedule: Schedule.spaced("20 millis"),
              until: (rows) => rows.length > 0
            }
          )
        })
        const committing = yield* Effect.forkChild(sql.withTransaction(commit))
        yield* Deferred.await(isWritten)
        assert.strictEqual(yield* statement(store, sql), "{}")
        yield* Fiber.join(committing)
        assert.strictEqual(yield* keptOf(aBinding(1)), "{}")
      }).pipe(Effect.provide(postgres))
    )
  }
})
