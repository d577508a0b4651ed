import { assert, describe, it } from "@effect/vitest"
import type { PaymentId, PaymentRecord } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit, EvidenceRow, ListTimedOut, StoreUnavailable } from "@paymux/core/store"
import { PaymentRecords, paymentStoreSuite } from "@paymux/test-suites"
import { Cause, Effect, Layer } from "effect"
import { DatabaseSync } from "node:sqlite"
import { inTurn } from "../../../test/support/amount.ts"
import {
  buildMetadataIndexes,
  coreMigrations,
  GroupCommit,
  runMigrations,
  SqliteClient,
  SqliteDatabase,
  SqlitePaymentStore
} from "../src/index.ts"
import type { StatementText } from "../src/dialect/Fragments.ts"
import { walksOf } from "../src/lists/listFilters.ts"
import type { ResolvedQuery } from "../src/lists/listFilters.ts"
import { horizonStatement, pageStatement } from "../src/lists/listStatement.ts"
import { selectRouted } from "../src/store/records.ts"
import { sqliteStatement } from "../src/sqlite/sqliteDialect.ts"
import { countEnded, countOpen } from "../src/store/attemptCounts.ts"
import { selectCardDeclines } from "../src/store/payments.ts"
import { moduleUrl, otherProcess, temporaryFile } from "./OnDisk.ts"

const { aBinding, aCard, anEntry, anEvent, aRecord, operationId, paymentId, succeeded, tenant } = PaymentRecords

const migrated = Layer.effectDiscard(runMigrations([coreMigrations]))

/** The store on a file with its tables, and the connection below it. */
const open = (filename: string, options: Partial<SqliteClient.SqliteClientOptions> = { busyTimeoutMs: 0 }) =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(migrated),
    Layer.provideMerge(SqliteClient.layer({ filename, ...options }))
  )

paymentStoreSuite(
  "SqlitePaymentStore in a file, with its thread",
  Layer.unwrap(Effect.map(temporaryFile, (filename) => open(filename, { writerThreadFrom: 1 })))
)

/** One of them at each commit. */
const others = {
  "in memory": open(":memory:"),
  "in a file": Layer.unwrap(Effect.map(temporaryFile, (filename) => open(filename)))
}

for (const [place, layer] of inTurn(Object.entries(others))) paymentStoreSuite(`SqlitePaymentStore ${place}`, layer)

const evidence: EvidenceRow = {
  paymentId: paymentId(1),
  operationId: operationId(1),
  source: "webhook",
  kind: "succeeded",
  vendorCode: "00",
  eventId: "e1",
  document: "sha256:ab",
  occurredAt: 6_000,
  recordedAt: 7_000
}

const advancing = (before: PaymentRecord, after: PaymentRecord): AdvanceCommit => ({
  before,
  after,
  events: [anEvent(after, "payment.succeeded")],
  evidence,
  binding: null,
  answer: null
})

const rows = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }))

describe("SqlitePaymentStore", () => {
  it.effect("evidence is kept with the change it caused, and not with a Conflict", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { db } = yield* SqliteDatabase
      const before = aRecord(1)
      yield* store.begin({ record: before, binding: null })
      const commit = advancing(before, succeeded(before))
      yield* store.advance(commit)
      assert.deepStrictEqual(yield* store.advance(commit), { _tag: "Conflict" })
      assert.deepStrictEqual(rows(db, "SELECT * FROM evidence"), [
        {
          position: 1,
          payment_id: evidence.paymentId,
          operation_id: evidence.operationId,
          source: "webhook",
          kind: "succeeded",
          vendor_code: "00",
          event_id: "e1",
          recorded_at: 7_000,
          document: "sha256:ab",
          occurred_at: 6_000
        }
      ])
    }).pipe(Effect.provide(open(":memory:")))
  )

  it.effect("all that was committed is there after closing and opening again", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const before = aRecord(1)
      const after = succeeded(before)
      const binding = aBinding(1)
      yield* Effect.gen(function* () {
        const store = yield* PaymentStore
        yield* store.begin({ record: before, binding })
        yield* store.advance({ ...advancing(before, after), answer: { ...binding, body: "bytes" } })
        yield* store.providerState.compareAndSet("acme", "cursor", null, "5", null)
        yield* store.providerState.next("acme", "address")
      }).pipe(Effect.provide(open(filename), { local: true }))
      yield* Effect.gen(function* () {
        const store = yield* PaymentStore
        assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
        assert.deepStrictEqual(yield* store.undispatchedEvents(9), [anEvent(after, "payment.succeeded")])
        assert.deepStrictEqual(yield* store.findKey(tenant, binding.endpoint, binding.key), {
          ...binding,
          answer: "bytes"
        })
        assert.strictEqual(yield* store.providerState.get("acme", "cursor"), "5")
        assert.strictEqual(yield* store.providerState.next("acme", "address"), 2)
      }).pipe(Effect.provide(open(filename), { local: true }))
    })
  )

  it.live("no acknowledged begin or advance is lost to kill -9, and no payment is there by halves", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const other = yield* otherProcess(payForever(filename))
      const versions = new Map<PaymentId, number>()
      for (let acknowledged = 0; acknowledged < 600; acknowledged++) {
        const [id, version] = JSON.parse((yield* other.nextLine) ?? "") as [PaymentId, number]
        versions.set(id, version)
      }
      yield* other.kill
      yield* Effect.gen(function* () {
        const store = yield* PaymentStore
        const { db } = yield* SqliteDatabase
        for (const [id, version] of versions) {
          const found = yield* store.get(id)
          assert.isAtLeast(found?.payment.version ?? 0, version)
        }
        const halves = `SELECT p.id FROM payments p
          LEFT JOIN attempts a ON a.payment_id = p.id
          LEFT JOIN operations o ON o.payment_id = p.id
          LEFT JOIN idempotency_keys k ON k.payment_id = p.id
          LEFT JOIN payment_events e ON e.payment_id = p.id
          LEFT JOIN entries b ON b.payment_id = p.id
          WHERE a.status IS NULL OR o.status IS NULL OR k.key IS NULL
            OR a.status <> o.status OR (p.status = 'succeeded') <> (a.status = 'succeeded')
            OR (p.version = 2) <> (e.id IS NOT NULL) OR (p.version = 2) <> (b.kind IS NOT NULL) OR (p.version = 2) <> (k.answer_event IS NOT NULL)`
        assert.deepStrictEqual(rows(db, halves), [])
        assert.isAtLeast(rows(db, "SELECT id FROM payments").length, versions.size)
      }).pipe(Effect.provide(open(filename)))
    })
  )

  it.effect("a payment is read as of one moment, though another process commits between its rows", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const database = yield* SqliteDatabase
        const other = new DatabaseSync(filename)
        let commits = 0
        const commitBetweenReads = (sql: string) => {
          if (sql.includes("FROM attempts")) {
            commits++
            other.exec("BEGIN; UPDATE payments SET version = version + 1; UPDATE attempts SET seq = seq + 1; COMMIT")
          }
          return database.prepare(sql)
        }
        const store = SqlitePaymentStore.make(
          { ...database, prepare: commitBetweenReads },
          GroupCommit.make({ database })
        )
        yield* store.begin({ record: aRecord(1), binding: null })
        const reads: ReadonlyArray<Effect.Effect<PaymentRecord | null | undefined, StoreUnavailable | ListTimedOut>> = [
          store.get(paymentId(1)),
          Effect.map(store.list(tenant, everyPayment), ({ records }) => records[0])
        ]
        const versions = []
        for (const read of reads) {
          const found = yield* read
          versions.push([found?.payment.version, found?.attempts[0]?.seq])
        }
        other.close()
        assert.strictEqual(commits, 2)
        // The rows are read by one statement, so that the other process commits before it, or after it.
        assert.deepStrictEqual(versions, [
          [2, 2],
          [3, 3]
        ])
      }).pipe(Effect.provide(open(filename)))
    })
  )

  it.effect("a row that is not as it was written is a defect that names it, not an outage and not a payment", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { db } = yield* SqliteDatabase
      const damages = [
        "UPDATE payments SET state = '{'",
        `UPDATE payments SET state = '{"status":"succeeded","late":true}'`,
        `UPDATE payments SET status = 'failed', state = '{"status":"failed","failure":{"code":"do_not_honor"}}'`,
        "UPDATE payments SET status = 'paid'",
        'UPDATE payments SET method = \'{"rail":"cash"}\'',
        "UPDATE payments SET customer = '[]'",
        "UPDATE payments SET reviews = 'whim'",
        "UPDATE payments SET reviews = '{}'",
        `UPDATE payments SET reviews = '[{"reason":"whim"}]'`,
        "UPDATE payments SET resolutions = '[null]'",
        "UPDATE attempts SET status = 'maybe'",
        "UPDATE operations SET kind = 'gift'",
        "UPDATE entries SET kind = 'gift'",
        "UPDATE entries SET basis = 'guess'",
        "UPDATE entries SET source = 'rumour'"
      ]
      for (const damage of damages) {
        db.exec("DELETE FROM payments; DELETE FROM attempts; DELETE FROM operations; DELETE FROM entries")
        yield* store.begin({ record: { ...aRecord(1), entries: [anEntry(1)] }, binding: null })
        db.exec(damage)
        const reads: ReadonlyArray<Effect.Effect<unknown, StoreUnavailable | ListTimedOut>> = [
          store.get(paymentId(1)),
          store.list(tenant, everyPayment)
        ]
        for (const read of reads) {
          const exit = yield* Effect.exit(read)
          assert.isTrue(exit._tag === "Failure" && Cause.hasDies(exit.cause), damage)
          assert.match(
            exit._tag === "Failure" ? Cause.pretty(exit.cause) : "",
            /RowUnreadable: .*pay_0+1|op_0+11/,
            damage
          )
        }
      }
    }).pipe(Effect.provide(open(":memory:")))
  )

  it.effect("a database that is gone is StoreUnavailable, for reads and for writes", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { db } = yield* SqliteDatabase
      db.close()
      const calls: ReadonlyArray<Effect.Effect<unknown, StoreUnavailable | ListTimedOut>> = [
        store.begin({ record: aRecord(1), binding: null }),
        store.get(paymentId(1)),
        store.list(tenant, everyPayment),
        store.dueProviders(0),
        store.claimDue({ provider: "acme", owner: "a", now: 0, until: 1, limit: 1 }),
        store.providerState.next("acme", "address")
      ]
      for (const call of calls) assert.strictEqual((yield* Effect.flip(call))._tag, "StoreUnavailable")
      db.open()
    }).pipe(Effect.provide(open(":memory:")))
  )

  it.effect(
    "a page is read off an index in its order: with no filter and with any, nothing is sorted before the limit",
    () =>
      Effect.gen(function* () {
        const { db } = yield* SqliteDatabase
        yield* buildMetadataIndexes(["order_id"])
        const kinds = ["upi", "card"].map((rail) => ({ provider: "acme", rail, currency: "INR" }))
        const filters: ReadonlyArray<readonly [string, Partial<ResolvedQuery>]> = [
          ["payments_by_tenant", {}],
          ["payments_not_succeeded", { status: ["failed"] }],
          ["payments_not_succeeded", { status: ["failed", "canceled"], currency: ["INR"], createdBefore: 5 }],
          ["payments_in_review", { inReview: true }],
          ["payments_in_review", { inReview: true, status: ["failed"], customerEmail: ["a@b.example"] }],
          ["payments_by_kind", { rail: ["upi", "card"], kinds }],
          ["payments_by_kind", { currency: ["INR"], createdAfter: 5, kinds }],
          ["payments_by_kind", { provider: ["acme", "other"], metadata: { channel: ["1"] }, kinds }],
          ["payments_by_customer_email", { customerEmail: ["a@b.example"], status: ["failed"] }],
          ["payments_by_failure", { failureCode: ["expired_card", "do_not_honor"], status: ["failed"] }],
          ["payments_by_card", { cardFingerprint: ["fp_1"], failureCode: ["expired_card"], amountMin: 5 }],
          ["payments_by_order", { order: ["1001", "1002"], status: ["failed"], cardFingerprint: ["fp_1"] }],
          ["payments_by_kind", { currency: ["INR"], amountMax: 5, kinds }],
          ["payments_by_tenant", { createdBefore: 90_000, createdAfter: 80_000 }],
          ["payments_out_of_order", { createdBefore: 90_000 }],
          ["payments_out_of_order", { createdAfter: 90_000, status: ["failed"] }],
          ["payments_by_metadata_order_id", { metadata: { order_id: ["1", "2"] }, status: ["failed"] }]
        ]
        for (const side of ["after", "before", null] as const) {
          for (const [index, filter] of filters) {
            const position = side === null ? null : { side, id: paymentId(5) }
            const query = { ...everyPayment, ids: null, kinds: null, ...filter, position }
            const [walk] = walksOf(query, new Set(["order_id"]))
            for (const text of [
              pageStatement(tenant, query, walk, paymentId(9)),
              horizonStatement(tenant, query, walk, 500)
            ]) {
              const { sql, values } = sqliteStatement(text)
              const plan = db
                .prepare(`EXPLAIN QUERY PLAN ${sql}`)
                .all(values)
                .map((row) => String(row["detail"]))
              const walks = plan.filter((step) => step.includes(`INDEX ${index} (`))
              assert.isNotEmpty(walks, plan.join("\n"))
              assert.deepStrictEqual(
                plan.filter((step) => /SCAN payments|TEMP B-TREE/.test(step)),
                [],
                plan.join("\n")
              )
            }
          }
        }
      }).pipe(Effect.provide(open(":memory:")))
  )

  it.effect("what routing reads goes by an index: by the end of attempts, and by the ids of a tenant's payments", () =>
    Effect.gen(function* () {
      const { db } = yield* SqliteDatabase
      const explained = (sql: string) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      const details = (rows: ReadonlyArray<{ readonly [column: string]: unknown }>) =>
        rows.map((row) => String(row["detail"]))
      const by = { account: true, rule: true, amount: true, metadata: ["shop"] }
      const planOf = (text: StatementText) => {
        const { sql, values } = sqliteStatement(text)
        return details(explained(sql).all(values))
      }
      const ended = [
        "SEARCH a USING INDEX attempts_ended (ended_at>? AND ended_at<?)",
        "SEARCH p USING INDEX sqlite_autoindex_payments_1 (id=?)",
        "USE TEMP B-TREE FOR GROUP BY"
      ]
      const open = ["SCAN a USING INDEX attempts_in_flight", ...ended.slice(1)]
      assert.deepStrictEqual(planOf(countEnded({ slotMs: 30_000, since: 0, before: 60_000, by })), ended)
      assert.deepStrictEqual(planOf(countOpen({ slotMs: 30_000, since: 0, by })), open)
      assert.deepStrictEqual(planOf(countOpen({ slotMs: 30_000, since: 0, before: 60_000, by })), [
        "COMPOUND QUERY",
        "LEFT-MOST SUBQUERY",
        ...open,
        "UNION ALL",
        ...ended
      ])
      assert.deepStrictEqual(
        planOf(selectRouted(tenant, { after: null, createdFrom: 0, createdBefore: 1, limit: 10 })),
        [
          "SEARCH p USING INDEX sqlite_autoindex_payments_1 (id=?)",
          "LIST SUBQUERY 2",
          "SEARCH payments USING COVERING INDEX payments_by_tenant (account=? AND livemode=? AND id>?)",
          "CORRELATED SCALAR SUBQUERY 1",
          "SEARCH attempts USING PRIMARY KEY (payment_id=?)"
        ]
      )
      assert.deepStrictEqual(planOf(selectCardDeclines(tenant, { fingerprint: "fp_1", since: 0, limit: 10 })), [
        "SEARCH p USING INDEX payments_by_card (account=? AND livemode=? AND <expr>=?)",
        "SEARCH a USING PRIMARY KEY (payment_id=?)",
        "USE TEMP B-TREE FOR ORDER BY"
      ])
    }).pipe(Effect.provide(open(":memory:")))
  )

  it.effect("of a card whose tokens are nested too deep for SQLite, nothing is counted but that it was tried", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      let token: { readonly [key: string]: unknown } = {}
      for (let depth = 0; depth < 2_000; depth++) token = { nested: token }
      const card = { network: "visa", country: "IN", funding: "debit", bin: "411111" }
      yield* Effect.forEach([{ acme: token }, { acme: "tok_1" }], (tokens, index) =>
        store.begin({ record: aRecord(index + 1, { method: aCard({ ...card, tokens }) }), binding: null })
      )
      const by = { account: true, rule: true, amount: true, metadata: ["shop"] }
      const counts = yield* store.openAttemptCounts({ since: 0, slotMs: 1_000, by })
      assert.sameDeepMembers(
        counts.map(({ country, flow, funding, issuer, network, rule }) => [
          flow,
          network,
          country,
          funding,
          issuer,
          rule
        ]),
        [
          ["hosted", null, null, null, null, "default"],
          ["token", "visa", "IN", "debit", "411111", "default"]
        ]
      )
    }).pipe(Effect.provide(open(":memory:")))
  )

  it.effect(
    "the index of cards holds those with a fingerprint alone, and an update of a payment does not touch it",
    () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        const { db } = yield* SqliteDatabase
        yield* Effect.forEach(cardRecords, (record) => store.begin({ record, binding: null }))
        db.exec("ANALYZE")
        const [entries] = rows(db, "SELECT stat FROM sqlite_stat1 WHERE idx = 'payments_by_card'")
        assert.match(String(entries?.["stat"]), /^1 /)
        // What an index is opened for is written in the program of a statement by the page where it begins.
        const [index] = rows(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'payments_by_card'")
        const opened = rows(db, "EXPLAIN UPDATE payments SET status = 'failed', state = '', version = 2 WHERE id = 'x'")
          .filter((step) => step["opcode"] === "OpenWrite")
          .map((step) => step["p2"])
        assert.isAbove(opened.length, 1)
        assert.notInclude(opened, index?.["rootpage"])
      }).pipe(Effect.provide(open(":memory:")))
  )
})

/** One that has a fingerprint, and three that have none, though one has a token that says so. */
const cardRecords: ReadonlyArray<PaymentRecord> = [
  aCard({ fingerprint: "fp_1" }),
  aCard(),
  aCard({ tokens: { acme: { fingerprint: "fp_1" } } }),
  { rail: "upi" as const, flow: "intent" as const, vpa: null }
].map((method, index) => aRecord(index + 1, { method }))

/** Begins payments and lets them succeed, sixteen at a time, and prints id and version of each acknowledged commit. */
const payForever = (filename: string) => `
  import { Effect, Layer } from ${JSON.stringify(import.meta.resolve("effect"))}
  import { Ids } from ${JSON.stringify(import.meta.resolve("@paymux/core"))}
  import { PaymentStore } from ${JSON.stringify(import.meta.resolve("@paymux/core/store"))}
  import { coreMigrations, GroupCommit, runMigrations, SqliteClient, SqlitePaymentStore } from ${moduleUrl("index.ts")}
  const template = ${JSON.stringify(aRecord(1))}
  const entry = ${JSON.stringify(anEntry(1))}
  const binding = ${JSON.stringify(aBinding(1))}
  const open = SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
    Layer.provide(SqliteClient.layer({ filename: ${JSON.stringify(filename)} }))
  )
  const acknowledge = (id, version) => Effect.sync(() => process.stdout.write(JSON.stringify([id, version]) + "\\n"))
  await Effect.runPromise(Effect.gen(function* () {
    const store = yield* PaymentStore
    const ids = yield* Ids
    const one = Effect.gen(function* () {
      const id = ids.payment(null)
      const operation = { ...template.operations[0], ...ids.operation(null), paymentId: id }
      const before = { ...template, payment: { ...template.payment, id }, operations: [operation] }
      yield* store.begin({ record: before, binding: { ...binding, key: id, paymentId: id } })
      yield* acknowledge(id, 1)
      const after = {
        payment: {
          ...before.payment, version: 2, state: { status: "succeeded", late: false }, amountCaptured: 10000, eventSequence: 1
        },
        attempts: [{ ...before.attempts[0], status: "succeeded" }],
        operations: [{ ...operation, status: "succeeded", nextCheckAt: null }],
        entries: [{ ...entry, operationId: operation.id }]
      }
      const event = {
        id: ids.event(), paymentId: id, account: "default", livemode: false, sequence: 1,
        type: "payment.succeeded", payment: "{}", refund: null, review: null, dispute: null, createdAt: 1
      }
      const answer = { ...binding, key: id, body: "{}" }
      yield* store.advance({ before, after, events: [event], evidence: null, binding: null, answer })
      yield* acknowledge(id, 2)
    })
    yield* Effect.all(Array.from({ length: 16 }, () => Effect.forever(one)), { concurrency: "unbounded" })
  }).pipe(Effect.provide(Layer.merge(open, Ids.layer))))
`
