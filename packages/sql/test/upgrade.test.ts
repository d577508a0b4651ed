import { assert, describe, it } from "@effect/vitest"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { Entry, MigrationSet, Review } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { inspect } from "node:util"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"
import { refunds } from "../src/migrations/refunds.ts"
import { pendingIndexes } from "../src/postgres/pendingIndexes.ts"
import { insertRows, oldAttempt, oldEvent, oldOperation, oldPayment } from "./oldRows.ts"

const { aCard, anEntry, aRecord, aResolution, currency, eventId, nextVersion, operationId, paymentId, tenant } =
  PaymentRecords

const upTo = (id: number): MigrationSet => ({ ...coreMigrations, migrations: coreMigrations.migrations.slice(0, id) })

const upgraded = Effect.gen(function* () {
  yield* runMigrations([coreMigrations])
  const store = yield* PaymentStore
  const fresh = aRecord(1, { amount: { minorUnits: 10_000, currency: currency("INR") } })
  const review: Review = {
    id: paymentId(1).replace("pay_", "rev_"),
    reason: "late_success",
    attemptSeq: 1,
    operationId: operationId(1),
    provider: "acme",
    reference: null,
    minorUnits: 10_000,
    currency: "INR",
    since: 1_001
  }
  const before = {
    ...fresh,
    payment: { ...fresh.payment, reviews: [review] },
    attempts: fresh.attempts.map((attempt) => ({ ...attempt, late: true }))
  }
  const found = yield* store.get(paymentId(1))
  assert.deepStrictEqual(found, before)
  assert.strictEqual(JSON.stringify(found?.payment.reviews), JSON.stringify([review]), "in the order of its fields")
  assert.deepStrictEqual((yield* store.list(tenant, { ...everyPayment, inReview: true })).records, [before])
  assert.strictEqual((yield* store.backlog(0)).inReview, 1)
  const after = {
    ...nextVersion(before, { reviews: [], resolutions: [aResolution(1)], disputedAt: 9_000 }),
    entries: [anEntry(1)]
  }
  yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
  assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
  assert.strictEqual((yield* store.backlog(0)).inReview, 0)
})

/** A payment in review, its attempt and its operation, as the first version of the tables had them. */
const asFirstVersion = Effect.gen(function* () {
  yield* runMigrations([upTo(1)])
  yield* insertRows("payments", [oldPayment(1, { review: "late_success_after_cancel" })])
  yield* insertRows("attempts", [oldAttempt(1, 1, { late: true })])
  yield* insertRows("operations", [oldOperation(1, 1)])
})

describe("a payment that the first version of the tables holds is read and written by this one", () => {
  it.effect("on SQLite", () =>
    Effect.andThen(asFirstVersion, upgraded).pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const client = PostgresClient.layer({ url: Redacted.make(url) })
      yield* Effect.andThen(asFirstVersion, upgraded).pipe(
        Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client)))
      )
    })
  )
})

describe("the card of a payment that the third version of the tables holds is found by this one", () => {
  it.effect("on SQLite", () =>
    paidByCard.pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const client = PostgresClient.layer({ url: Redacted.make(yield* temporaryDatabase([])) })
      yield* paidByCard.pipe(Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client))))
    })
  )
})

const paidByCard = Effect.gen(function* () {
  yield* runMigrations([upTo(3)])
  const store = yield* PaymentStore
  const fingerprint = 'quo"te \\u0000 \u0000'
  const methods = [
    aCard({ fingerprint, tokens: { acme: { odd: "\ud800" } } }),
    aCard({ fingerprint: "fp_1" }),
    aCard(),
    { rail: "upi", flow: "intent", vpa: null } as const
  ]
  yield* insertRows(
    "payments",
    methods.map((method, index) => oldPayment(index + 1, { rail: method.rail, method: JSON.stringify(method) }))
  )
  yield* insertRows(
    "attempts",
    methods.map((_, index) => oldAttempt(index + 1, 1, { status: "declined", code: "do_not_honor", ended_at: 9_000 }))
  )
  const applied = yield* runMigrations([coreMigrations])
  assert.deepStrictEqual(
    applied.map(({ migration }) => migration.id),
    coreMigrations.migrations.slice(3).map(({ id }) => id)
  )
  for (const known of [fingerprint, "fp_1"]) {
    assert.deepStrictEqual(yield* store.cardDeclines(tenant, { fingerprint: known, since: 0, limit: 9 }), [
      { code: "do_not_honor", isFinal: false, endedAt: 9_000 }
    ])
  }
})

describe("the payments of the seventh version of the tables get entries for what was captured, authorized and refunded", () => {
  it.effect("on SQLite", () =>
    withEntries.pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const client = PostgresClient.layer({ url: Redacted.make(yield* temporaryDatabase([])) })
      yield* withEntries.pipe(Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client))))
    })
  )
})

/** Paid and refunded, authorized, paid twice, paid with an amount of zero, and still open. */
const asSeventhVersion = Effect.gen(function* () {
  yield* runMigrations([upTo(7)])
  const done = { status: "succeeded", ended_at: 5_000, next_check_at: null }
  const succeeded = { status: "succeeded", state: '{"status":"succeeded","late":false}', updated_at: 8_000 }
  yield* insertRows("payments", [
    oldPayment(1, { ...succeeded, amount_captured: 9_000, amount_refunded: 3_000 }),
    oldPayment(2, { status: "authorized", state: '{"status":"authorized"}', currency: "USD", updated_at: 8_000 }),
    oldPayment(3, { ...succeeded, amount_captured: 10_000 }),
    oldPayment(4, { ...succeeded, minor_units: 0 }),
    oldPayment(5)
  ])
  yield* insertRows("attempts", [
    oldAttempt(1, 1, { status: "declined" }),
    oldAttempt(1, 2, { status: "succeeded", provider: "other" }),
    oldAttempt(2, 1, { status: "authorized" }),
    oldAttempt(3, 1, { status: "succeeded", surplus: true }),
    oldAttempt(3, 2, { status: "succeeded" }),
    oldAttempt(4, 1, { status: "succeeded" }),
    oldAttempt(4, 2, { status: "succeeded", surplus: true }),
    oldAttempt(5, 1, { status: "unknown" })
  ])
  yield* insertRows("operations", [
    oldOperation(1, 1, { ...done, status: "declined", reference: "declined" }),
    oldOperation(1, 2, { ...done, provider: "other", reference: odd }),
    oldOperation(1, 3, {
      ...done,
      attempt_seq: 2,
      kind: "refund",
      minor_units: 3_000,
      provider: "other",
      reference: "re_1"
    }),
    oldOperation(1, 4, { attempt_seq: 2, kind: "refund", minor_units: 10, status: "pending" }),
    oldOperation(2, 1, { ...done, status: "authorized", ended_at: null }),
    oldOperation(2, 2, { ...done, attempt_seq: 1, kind: "cancel", status: "declined" }),
    oldOperation(3, 1, { ...done, minor_units: 10_500, reference: "charge_1" }),
    oldOperation(3, 2, { ...done, attempt_seq: 1, kind: "refund", purpose: "reversal", minor_units: 10_500 }),
    oldOperation(3, 3, { ...done, attempt_seq: 2, reference: "charge_2", ended_at: 6_000 }),
    oldOperation(4, 1, { ...done }),
    oldOperation(4, 2, { ...done, minor_units: 0 }),
    oldOperation(5, 1, { status: "unknown" })
  ])
})

/** The escape character of stored text, and a text that looks like an escape sequence. */
const odd = "charge \u001a0000 \u001a"

const withEntries = Effect.gen(function* () {
  yield* asSeventhVersion
  yield* runMigrations([coreMigrations])
  const store = yield* PaymentStore
  const entry = (n: number, seq: number, change: Partial<Entry>) =>
    anEntry(n, { operationId: operationId(n, seq), attemptSeq: seq, reference: null, recordedAt: 5_000, ...change })
  const refunded = { kind: "refunded", basis: "movement" } as const
  const expected: ReadonlyArray<ReadonlyArray<Entry>> = [
    [
      entry(1, 2, { minorUnits: 9_000, provider: "other", reference: odd }),
      entry(1, 3, { ...refunded, attemptSeq: 2, minorUnits: 3_000, provider: "other", reference: "re_1" })
    ],
    [entry(2, 1, { kind: "authorized", currency: "USD", recordedAt: 8_000 })],
    [
      entry(3, 1, { minorUnits: 10_500, reference: "charge_1" }),
      entry(3, 3, { attemptSeq: 2, reference: "charge_2", recordedAt: 6_000 }),
      entry(3, 2, { ...refunded, attemptSeq: 1, minorUnits: 10_500 })
    ],
    [],
    []
  ]
  for (const [index, entries] of expected.entries()) {
    const found = yield* store.get(paymentId(index + 1))
    assert.deepStrictEqual(found?.entries, entries)
    assert.deepStrictEqual([found?.payment.reviews, found?.payment.resolutions], [[], []])
    assert.isFalse(found?.operations.some(({ isOverpayment }) => isOverpayment))
  }
})

describe("of the eighth version of the tables, events are read, and payments that share a reference keep it", () => {
  it.effect("on SQLite", () =>
    withSharedReference.pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const client = PostgresClient.layer({ url: Redacted.make(yield* temporaryDatabase([])) })
      yield* withSharedReference.pipe(Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client))))
    })
  )
})

const withSharedReference = Effect.gen(function* () {
  yield* runMigrations([upTo(8)])
  const numbers = [1, 2, 3]
  yield* insertRows(
    "payments",
    numbers.map((n) => oldPayment(n, { event_sequence: 1 }))
  )
  yield* insertRows(
    "attempts",
    numbers.map((n) => oldAttempt(n, 1))
  )
  yield* insertRows(
    "operations",
    numbers.map((n) => oldOperation(n, 1, n === 3 ? {} : { reference: "charge" }))
  )
  yield* insertRows("payment_events", [oldEvent(1, { refund: "{}" })])
  yield* runMigrations([coreMigrations])
  const store = yield* PaymentStore
  const [event] = yield* store.undispatchedEvents(9)
  assert.deepInclude(event, { id: eventId(1), refund: "{}", review: null })
  for (const n of [1, 2]) {
    const before = yield* store.get(paymentId(n))
    assert.isNotNull(before)
    const after = {
      ...nextVersion(before),
      operations: before.operations.map((operation) => ({ ...operation, checks: 1 }))
    }
    const result = yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
    assert.strictEqual(result._tag, "Advanced")
    assert.strictEqual((yield* store.get(paymentId(n)))?.operations[0]?.reference, "charge")
  }
  assert.isFalse(yield* store.checkpoint(operationId(3), null, "charge"))
})

describe("on PostgreSQL an index of a table that is there", () => {
  const indexes = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`SELECT indexname AS name, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
  })
  const at = (url: string) => PostgresClient.layer({ url: Redacted.make(url) })

  it.live("is built before the step that asks for it, while others write, and is the one that a new database has", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      // The next step builds an index that replaces one of its name.
      const before = upTo(7)
      const fresh = yield* Effect.provide(indexes, at(yield* temporaryDatabase([before])))
      const latest = yield* Effect.provide(indexes, at(yield* temporaryDatabase([coreMigrations])))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* runMigrations([upTo(2)])
        // The steps themselves fail here: what is there afterwards was built before them.
        yield* sql`CREATE TABLE stop (id integer)`
        const stop = { id: 8, name: "stop", sqlite: [], pg: ["CREATE TABLE stop (id integer)"] }
        const stopped = { ...before, migrations: [...before.migrations, stop] }
        assert.strictEqual((yield* Effect.flip(runMigrations([stopped])))._tag, "MigrationError")
        const built = yield* indexes
        yield* sql`DROP TABLE stop`
        yield* runMigrations([before])
        assert.deepStrictEqual(
          built.filter(({ name }) => name !== "stop"),
          yield* indexes
        )
        assert.deepStrictEqual(yield* indexes, fresh)
        yield* runMigrations([coreMigrations])
        assert.deepStrictEqual(yield* indexes, latest)
      }).pipe(Effect.provide(at(url)))
    })
  )

  it.live("and whose building failed is built again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* runMigrations([upTo(4)])
      // What is left behind on the way.
      yield* sql`CREATE INDEX payments_out_of_order ON payments (account)`
      yield* sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'payments_out_of_order'::regclass`
      yield* runMigrations([coreMigrations])
      const found = yield* sql`SELECT indisvalid, pg_get_indexdef(indexrelid) LIKE '%WHERE%' AS partial FROM pg_index
        WHERE indexrelid = 'payments_out_of_order'::regclass`
      assert.deepStrictEqual(found, [{ indisvalid: true, partial: true }])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(temporaryDatabase([]), at))))
  )

  it("is not built before a step that makes its table or its columns, or drops its former namesake", () => {
    const index = (name: string, table: string, column = "id") =>
      `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${column}) WHERE id > 1`
    const statements = [
      index("a", "old"),
      "ALTER TABLE changed ADD COLUMN added integer, ADD COLUMN IF NOT EXISTS further integer",
      "ALTER TABLE other ALTER COLUMN id TYPE bigint",
      "CREATE TRIGGER t AFTER INSERT ON changed FOR EACH ROW EXECUTE FUNCTION f()",
      "DROP INDEX g",
      index("b", "changed"),
      index("c", "changed", "(added + 1)"),
      index("d", "changed", "further"),
      index("e", "other"),
      "CREATE TABLE made (id integer)",
      index("f", "made"),
      index("g", "old"),
      "CREATE INDEX h ON old (id)",
      "CREATE UNIQUE INDEX IF NOT EXISTS i ON old (id)"
    ]
    assert.deepStrictEqual(
      pendingIndexes(statements).map(({ name }) => name),
      ["a", "b"]
    )
  })

  const inPostgres = (from: number) => coreMigrations.migrations.slice(from).flatMap(({ pg = [] }) => pg)

  it.live("is built before from every version, wherever its table and its columns are there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = new Set<string>()
      for (const from of coreMigrations.migrations.keys()) {
        yield* runMigrations([upTo(from)])
        const statements = inPostgres(from)
        const buildable = yield* Effect.filter(
          // Replaces one of its name, in steps that stop the servers of before.
          statements.filter((statement) => /^CREATE INDEX (?!payments_in_review)/.test(statement)),
          // Everything is undone: the failure of the last statement undoes what was built.
          (statement) =>
            Effect.map(
              Effect.flip(sql.withTransaction(Effect.andThen(sql.unsafe(statement), sql.unsafe("SELECT 1 / 0")))),
              (error) => /division by zero/.test(inspect(error, { depth: 9 }))
            )
        )
        for (const statement of buildable) all.add(statement)
        const built = pendingIndexes(statements).map(({ definition }) => `CREATE INDEX IF NOT EXISTS ${definition}`)
        // Those of tables that are not there are left out when the database is asked.
        assert.includeMembers(built, buildable, `from version ${from}`)
      }
      const expected = inPostgres(0).filter((statement) => statement.startsWith("CREATE INDEX IF NOT EXISTS"))
      assert.sameMembers([...all], expected, "each is there to be built from some version")
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(temporaryDatabase([]), at))))
  )

  it("is never dropped, and its table never altered or rewritten, in a step beside which servers go on working", () => {
    const stopping = /^(?:DROP INDEX|ALTER TABLE (?:payments|operations|attempts)|UPDATE|DELETE|INSERT INTO refunds)\b/
    const beside = coreMigrations.migrations.filter(({ compatibleWith }) => compatibleWith !== undefined)
    assert.deepStrictEqual(
      beside.flatMap(({ pg = [] }) => pg).filter((statement) => stopping.test(statement.trim())),
      []
    )
  })

  it.live("a step that does not get its lock gives way, and is tried again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* runMigrations([upTo(refunds.id - 1)])
      // Otherwise building it would wait for the writer, and the writer would not wait for it.
      yield* Effect.forEach(pendingIndexes(inPostgres(refunds.id - 1)), ({ definition }) =>
        sql.unsafe(`CREATE INDEX ${definition}`)
      )
      const waiting = sql<{
        waits: boolean
      }>`SELECT count(*) > 0 AS waits FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE datname = current_database() AND NOT granted AND relation = 'operations'::regclass`
      const until = (expected: boolean) =>
        Effect.repeat(waiting, { schedule: Schedule.spaced("50 millis"), until: ([row]) => row?.waits === expected })
      const writer = sql`LOCK TABLE operations IN ROW EXCLUSIVE MODE`.pipe(
        Effect.andThen(until(true)),
        Effect.andThen(until(false)),
        sql.withTransaction
      )
      const held = yield* Effect.forkChild(writer)
      yield* Effect.repeat(
        sql<{ held: boolean }>`SELECT count(*) > 0 AS held FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE datname = current_database() AND relation = 'operations'::regclass AND mode = 'RowExclusiveLock'`,
        { until: ([row]) => row?.held === true }
      )
      const applied = yield* runMigrations([coreMigrations])
      yield* Fiber.join(held)
      assert.deepStrictEqual(
        applied.map(({ migration }) => migration.id),
        coreMigrations.migrations.slice(refunds.id - 1).map(({ id }) => id)
      )
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(temporaryDatabase([]), at))))
  )
})
