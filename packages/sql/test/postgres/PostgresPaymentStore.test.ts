import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit } from "@paymux/core/store"
import { PaymentRecords, paymentStoreSuite } from "@paymux/test-suites"
import { Cause, Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import {
  buildMetadataIndexes,
  coreMigrations,
  PostgresClient,
  PostgresDatabase,
  PostgresPaymentStore
} from "../../src/index.ts"
import { advanceCommit, parametersOf } from "../../src/postgres/commits.ts"
import type { Statement } from "../../src/dialect/Fragments.ts"
import { pageStatement } from "../../src/lists/listStatement.ts"
import { walksOf } from "../../src/lists/listFilters.ts"
import type { ResolvedQuery } from "../../src/lists/listFilters.ts"
import { statementOf } from "../../src/postgres/postgresDialect.ts"
import { selectRecord, selectRouted } from "../../src/store/records.ts"
import { countEnded, countOpen } from "../../src/store/attemptCounts.ts"
import { hasReference, selectCardDeclines, selectEvidenceOf } from "../../src/store/payments.ts"
import { proxy } from "./Proxy.ts"

const {
  aBinding,
  aCard,
  anEntry,
  anEvent,
  anInboxEntry,
  aRecord,
  nextVersion,
  operationId,
  paymentId,
  succeeded,
  tenant
} = PaymentRecords

const together = { concurrency: "unbounded" } as const

const database = temporaryDatabase([coreMigrations])

const storeAt = (url: string, maxConnections = 10, deadlineMs = 8_000) =>
  PostgresPaymentStore.layer.pipe(
    Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url), maxConnections, deadlineMs }))
  )

/** The suite sends up to 10,000 statements at once, and a busy machine may need longer than the default deadline for them. */
const patient = (url: string) => storeAt(url, 10, 30_000)

paymentStoreSuite("PostgresPaymentStore", Layer.unwrap(Effect.map(database, patient)))

/** A store with a pool of its own, as another machine has it. */
const another = (url: string, maxConnections?: number, deadlineMs?: number) =>
  Effect.map(Layer.build(Layer.fresh(storeAt(url, maxConnections, deadlineMs))), (context) => ({
    ...Context.get(context, PaymentStore),
    query: Context.get(context, PostgresDatabase).query,
    sql: Context.get(context, SqlClient.SqlClient)
  }))

const advancing = (
  before: PaymentRecord,
  after: PaymentRecord,
  change: Partial<AdvanceCommit> = {}
): AdvanceCommit => ({
  before,
  after,
  events: [],
  evidence: null,
  binding: null,
  answer: null,
  ...change
})

describe("a server that refuses writes", () => {
  it.live("is not ready, although it answers reads", () =>
    Effect.gen(function* () {
      const url = yield* database
      const writing = yield* another(url, 2)
      yield* writing.ready
      const [row] = yield* writing.query("SELECT current_database() AS name", [])
      yield* writing.query(`ALTER DATABASE "${String(row?.["name"])}" SET default_transaction_read_only = on`, [])
      const refusing = yield* another(url, 2)
      assert.isNull(yield* refusing.get(paymentId(1)))
      assert.strictEqual((yield* Effect.flip(refusing.ready))._tag, "StoreUnavailable")
    })
  )
})

describe("PostgresPaymentStore on several machines", () => {
  it.live("of two begins under one key from two machines exactly one begins, 200 times (I11)", () =>
    Effect.gen(function* () {
      const url = yield* database
      const stores = yield* Effect.all([another(url), another(url)])
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => n),
        (n) =>
          Effect.gen(function* () {
            const results = yield* Effect.forEach(
              stores,
              (store, machine) => {
                const own = 2 * n + machine
                return store.begin({ record: aRecord(own), binding: aBinding(own, { key: `key-${n}` }) })
              },
              together
            )
            const winners = results.flatMap(({ _tag }, machine) =>
              _tag === "Begun" ? [paymentId(2 * n + machine)] : []
            )
            const kept = results.flatMap((result) => (result._tag === "KeyTaken" ? [result.kept.paymentId] : []))
            assert.strictEqual(winners.length, 1)
            assert.deepStrictEqual(kept, winners)
          }),
        { concurrency: 8 }
      )
      const page = yield* stores[0].list(tenant, { ...everyPayment, limit: 999 })
      assert.strictEqual(page.records.length, 200)
    })
  )

  it.live("an operation or an event that is due is claimed by one of many machines", () =>
    Effect.gen(function* () {
      const url = yield* database
      const stores = yield* Effect.all([another(url), another(url), another(url)])
      const [first] = stores
      const numbers = Array.from({ length: 300 }, (_, n) => n)
      yield* Effect.forEach(numbers, (n) => first.begin({ record: aRecord(n), binding: null }), { concurrency: 8 })
      yield* first.inbox.keep(numbers.map((n) => anInboxEntry(n)))
      const claims = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => stores[n % stores.length] ?? first),
        ({ claimDue, inbox }, n) => {
          const claim = { provider: "acme", owner: `engine-${n}`, now: 50_000, until: 90_000, limit: 10 }
          return Effect.all([claimDue(claim), inbox.claimDue(claim)], together)
        },
        together
      )
      const operations = claims.flatMap(([due]) => due.map(({ operation }) => operation.id))
      const entries = claims.flatMap(([, due]) => due.map(({ eventKey }) => eventKey))
      assert.strictEqual(new Set(operations).size, operations.length)
      assert.strictEqual(new Set(entries).size, entries.length)
      const rest = { provider: "acme", owner: "last", now: 50_000, until: 90_000, limit: 1_000 }
      const remaining = yield* first.claimDue(rest)
      assert.strictEqual(operations.length + remaining.length, 300)
      assert.strictEqual(entries.length + (yield* first.inbox.claimDue(rest)).length, 300)
    })
  )

  it.live("of 50 writers of one version on two machines one wins, round after round (I15)", () =>
    Effect.gen(function* () {
      const url = yield* database
      const stores = yield* Effect.all([another(url), another(url)])
      let current = aRecord(1)
      for (const { begin } of stores.slice(0, 1)) yield* begin({ record: current, binding: null })
      for (let round = 1; round <= 10; round++) {
        const before = current
        const candidates = Array.from({ length: 50 }, (_, n) =>
          nextVersion(before, { description: `writer ${n}`, eventSequence: round })
        )
        const results = yield* Effect.forEach(
          candidates,
          (after, n) => {
            const id = PaymentRecords.eventId(round * 100 + n)
            const commit = advancing(before, after, { events: [anEvent(after, "payment.pending", { id })] })
            return (stores[n % 2] ?? stores[0]).advance(commit)
          },
          together
        )
        const winners = candidates.filter((_, n) => results[n]?._tag === "Advanced")
        assert.strictEqual(winners.length, 1)
        current = winners[0] ?? current
        assert.deepStrictEqual(yield* stores[0].get(paymentId(1)), current)
      }
      const events = yield* stores[1].undispatchedEvents(100)
      assert.deepStrictEqual(
        events.map(({ sequence }) => sequence),
        Array.from({ length: 10 }, (_, n) => n + 1)
      )
    })
  )

  it.live("an event whose commit ends later than a younger one's is not passed over", () =>
    Effect.gen(function* () {
      const url = yield* database
      const store = yield* another(url)
      const [slow, quick] = [aRecord(1), aRecord(2)]
      yield* Effect.forEach([slow, quick], (record) => store.begin({ record, binding: null }))
      const slowEvent = anEvent(succeeded(slow), "payment.succeeded")
      const quickEvent = anEvent(succeeded(quick), "payment.succeeded")
      // The slow commit has taken its place among the events, and ends after the quick one.
      const commit = advanceCommit(advancing(slow, succeeded(slow), { events: [slowEvent] }))
      assert.isNotNull(commit)
      const written = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        store.sql.withTransaction(
          Effect.gen(function* () {
            yield* store.sql.unsafe(commit.text, parametersOf([commit]))
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(mayEnd)
          })
        )
      )
      yield* Deferred.await(written)
      yield* store.advance(advancing(quick, succeeded(quick), { events: [quickEvent] }))
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [quickEvent])
      yield* store.markDispatched([quickEvent.id], 9_000)
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(running)
      assert.deepStrictEqual(yield* store.undispatchedEvents(9), [slowEvent])
    })
  )

  it.live("a commit whose answer was lost is StoreUnavailable, and can be re-read by its id", () =>
    Effect.gen(function* () {
      const between = yield* proxy(yield* database)
      const store = yield* another(between.url)
      yield* store.begin({ record: aRecord(9), binding: null })
      between.loseNextAnswer()
      const binding = aBinding(1)
      const begin = store.begin({ record: aRecord(1), binding })
      assert.strictEqual((yield* Effect.flip(begin))._tag, "StoreUnavailable")
      assert.deepStrictEqual(yield* store.get(paymentId(1)), aRecord(1))
      assert.deepStrictEqual(yield* begin, { _tag: "KeyTaken", kept: { ...binding, answer: null } })
    })
  )

  it.live("a row that is not as it was written is a defect that names it, not an outage and not a payment", () =>
    Effect.gen(function* () {
      const store = yield* another(yield* database)
      const damages = [
        "UPDATE payments SET state = '{'",
        "UPDATE payments SET status = 'paid'",
        "UPDATE payments SET version = 9007199254740993",
        "UPDATE attempts SET status = 'maybe'",
        "UPDATE payments SET reviews = '{}'",
        `UPDATE payments SET reviews = '[{"reason":"whim"}]'`,
        "UPDATE operations SET kind = 'gift'",
        "UPDATE entries SET kind = 'gift'"
      ]
      for (const damage of damages) {
        yield* store.query("TRUNCATE payments, attempts, operations, entries", [])
        yield* store.begin({ record: { ...aRecord(1), entries: [anEntry(1)] }, binding: null })
        yield* store.query(damage, [])
        const exit = yield* Effect.exit(store.get(paymentId(1)))
        assert.isTrue(exit._tag === "Failure" && Cause.hasDies(exit.cause), damage)
        assert.match(
          exit._tag === "Failure" ? Cause.pretty(exit.cause) : "",
          /RowUnreadable: .*pay_0+1|op_0+11/,
          damage
        )
      }
    })
  )

  it.live(
    "a page is read off an index in its order: with no filter and with any, nothing is sorted before the limit",
    () =>
      Effect.gen(function* () {
        const store = yield* another(yield* database, 1)
        const kinds = ["upi", "card"].map((rail) => ({ provider: "acme", rail, currency: "INR" }))
        const filters: ReadonlyArray<readonly [string, Partial<ResolvedQuery>]> = [
          ["payments_by_tenant", {}],
          ["payments_not_succeeded", { status: ["failed"] }],
          ["payments_by_kind", { rail: ["upi", "card"], kinds }],
          ["payments_by_kind", { provider: ["acme", "other"], metadata: { channel: ["1"] }, kinds }],
          ["payments_by_customer_email", { customerEmail: ["a@b.example"], status: ["failed"] }],
          ["payments_by_failure", { failureCode: ["expired_card", "do_not_honor"], status: ["failed"] }],
          ["payments_of_card", { cardFingerprint: ["fp_1"], failureCode: ["expired_card"] }],
          ["payments_by_order", { order: ["1001", "1002"], status: ["failed"] }],
          ["payments_in_review", { inReview: true, status: ["failed"] }],
          ["payments_by_tenant", { createdBefore: 90_000 }],
          ["payments_out_of_order", { createdBefore: 90_000, status: ["failed"] }],
          ["payments_by_metadata_order_id", { metadata: { order_id: ["1", "2"] }, status: ["failed"] }]
        ]
        yield* Effect.provideService(buildMetadataIndexes(["order_id"]), SqlClient.SqlClient, store.sql)
        yield* store.query("SET enable_sort = off", [])
        for (const [index, filter] of filters) {
          const query = { ...everyPayment, ids: null, kinds: null, ...filter }
          const { params, sql } = statementOf(pageStatement(tenant, query, walksOf(query, new Set(["order_id"]))[0]))
          const plan = yield* store.query(`EXPLAIN ${sql}`, params)
          const steps = plan.map((row) => String(row["QUERY PLAN"])).join("\n")
          assert.include(steps, index, steps)
          assert.notInclude(steps, "Seq Scan on payments", steps)
        }
      })
  )

  it.live("a hundred emails are one plan, which walks their index for each of them", () =>
    Effect.gen(function* () {
      const store = yield* another(yield* database, 1)
      // In an empty table a full scan is the cheapest plan; `EXPLAIN` shows which plan is possible.
      for (const way of ["seqscan", "bitmapscan", "sort"]) yield* store.query(`SET enable_${way} = off`, [])
      const customerEmail = Array.from({ length: 100 }, (_, n) => `payer${n}@example.com`)
      const query = { ...everyPayment, customerEmail, ids: null, kinds: null }
      const { params, sql } = statementOf(pageStatement(tenant, query, walksOf(query, new Set())[0]))
      const plan = yield* store.query(`EXPLAIN ${sql}`, params)
      const steps = plan.map((row) => String(row["QUERY PLAN"])).join("\n")
      const walks = steps.match(
        /Scan Backward using payments_by_customer_email .*\n +Index Cond: .*customer_email = given\.value/g
      )
      assert.strictEqual(walks?.length, 1, steps)
      assert.notInclude(steps, "Seq Scan", steps)
    })
  )

  it.live("a list that looks for too long is ended by the server, in words, and payments go on meanwhile", () =>
    Effect.gen(function* () {
      const url = yield* database
      const store = yield* another(url, 1, 3_000)
      yield* Effect.forEach([1, 2, 3], (n) => store.begin({ record: aRecord(n), binding: null }))
      // Opens the sessions of lists: the time to connect counts against the client's deadline, and not against the server's.
      yield* Effect.forEach([1, 2, 3, 4], () => store.list(tenant, everyPayment), together)
      // Each row that is looked at takes its time.
      yield* store.query("ALTER TABLE payments RENAME TO stored", [])
      yield* store.query("CREATE VIEW payments AS SELECT * FROM stored WHERE pg_sleep(1.5) IS NOT NULL", [])
      const lists = yield* Effect.forkChild(
        Effect.forEach([1, 2, 3, 4], () => Effect.flip(store.list(tenant, everyPayment)), together),
        { startImmediately: true }
      )
      const running = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT p.id,%'`
      while ((yield* store.query(running, [])).length === 0);
      assert.strictEqual(yield* store.findKey(tenant, "none", "none"), null)
      for (const { _tag, ...fault } of yield* Fiber.join(lists)) {
        assert.strictEqual(_tag, "ListTimedOut", JSON.stringify(fault))
      }
      yield* store.query("DROP VIEW payments", [])
      yield* store.query("ALTER TABLE stored RENAME TO payments", [])
      assert.strictEqual((yield* store.list(tenant, everyPayment)).records.length, 3)
    })
  )

  it.live("lists that look for too long take no session from those that end with their page", () =>
    Effect.gen(function* () {
      const url = yield* database
      const store = yield* another(url, 1, 3_000)
      yield* Effect.forEach([1, 2, 3], (n) => store.begin({ record: aRecord(n), binding: null }))
      yield* store.query("ALTER TABLE payments RENAME TO stored", [])
      // Only what is tested on the way takes its time.
      yield* store.query(
        `CREATE VIEW payments AS SELECT * FROM stored
          WHERE CASE WHEN current_query() LIKE '%= ANY (%' THEN pg_sleep(1.5) IS NOT NULL ELSE true END`,
        []
      )
      const mixed = { ...everyPayment, status: ["pending"], currency: ["INR"], rail: ["upi"] } as const
      const scans = yield* Effect.forkChild(
        Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => Effect.flip(store.list(tenant, mixed)), together),
        { startImmediately: true }
      )
      const running = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT p.id,%'`
      while ((yield* store.query(running, [])).length < 2);
      const pages = yield* Effect.forEach([1, 2, 3, 4], () => store.list(tenant, everyPayment), together)
      assert.isTrue(scans.pollUnsafe() === undefined, "they were at it all along")
      assert.deepStrictEqual(
        pages.map(({ records }) => records.length),
        [3, 3, 3, 3]
      )
      for (const { _tag, ...fault } of yield* Fiber.join(scans)) {
        assert.strictEqual(_tag, "ListTimedOut", JSON.stringify(fault))
      }
    })
  )

  it.live("what routing reads goes by an index: by the end of attempts, and by the ids of payments", () =>
    Effect.gen(function* () {
      const store = yield* another(yield* database, 1)
      // In an empty table a full scan is the cheapest plan; `EXPLAIN` shows which plan is possible.
      for (const way of ["seqscan", "bitmapscan", "sort", "nestloop"]) yield* store.query(`SET enable_${way} = off`, [])
      const explained = ({ params, sql }: Statement) =>
        Effect.map(store.query(`EXPLAIN ${sql}`, params), (plan) =>
          plan.map((row) => String(row["QUERY PLAN"])).join("\n")
        )
      // Some of many attempts are in flight.
      yield* store.query(
        `INSERT INTO attempts (payment_id, seq, provider, status, reason, action_shown, late, surplus, started_at, ended_at)
          SELECT 'pay_' || n, 1, 'acme', CASE WHEN n <= 20 THEN 'pending' ELSE 'expired' END, '', false, false, false, n,
            CASE WHEN n > 20 THEN n + 10 END
          FROM generate_series(1, 2000) AS numbers (n)`,
        []
      )
      yield* store.query("ANALYZE attempts", [])
      const by = { account: true, rule: true, amount: true, metadata: ["shop"] }
      for (const [statement, ...indexes] of [
        [countEnded({ since: 30_000, slotMs: 30_000, by }), "attempts_ended"],
        [countOpen({ since: 30_000, slotMs: 30_000, by }), "attempts_in_flight"],
        [countOpen({ since: 30_000, before: 90_000, slotMs: 30_000, by }), "attempts_in_flight", "attempts_ended"]
      ] as const) {
        const counting = yield* explained(statementOf(statement))
        for (const index of indexes) assert.include(counting, `Index Scan using ${index}`)
        assert.include(counting, "Index Scan using payments_pkey on payments")
        assert.include(counting, "Nested Loop", "payment by payment, although nested loops are disabled")
        assert.notInclude(counting, "Seq Scan", counting)
      }
      const range = { after: paymentId(1), createdFrom: 0, createdBefore: 1, limit: 10 }
      const walking = yield* explained(statementOf(selectRouted(tenant, range)))
      assert.match(walking, /payments_by_tenant|payments_pkey on payments\n/, walking)
      assert.notMatch(walking, /Seq Scan|payments_by_created|Index Cond:.*created_at/, walking)
      const looking = yield* explained(
        statementOf(selectCardDeclines(tenant, { fingerprint: "fp_1", since: 0, limit: 10 }))
      )
      assert.match(looking, /Index Scan using payments_of_card on payments p .*\n +Index Cond: .*fingerprint/, looking)
      assert.include(looking, "Index Scan using attempts_pkey on attempts")
      assert.include(looking, "Nested Loop", "payment by payment, although nested loops are disabled")
      assert.notInclude(looking, "Seq Scan", looking)
    })
  )

  it.live("the look-up by a reference uses the indexes of references and of payments", () =>
    Effect.gen(function* () {
      const store = yield* another(yield* database, 1)
      for (const way of ["seqscan", "bitmapscan"]) yield* store.query(`SET enable_${way} = off`, [])
      const { params, sql } = statementOf(selectRecord(hasReference("acme", "charge")))
      const plan = yield* store.query(`EXPLAIN ${sql}`, params)
      const steps = plan.map((row) => String(row["QUERY PLAN"])).join("\n")
      for (const index of ["operations_of_reference", "former_references_pkey", "payments_pkey"]) {
        assert.match(steps, new RegExp(`Index (?:Only )?Scan (?:Backward )?using ${index}`), steps)
      }
      assert.notInclude(steps, "Seq Scan", steps)
    })
  )

  it.live("the evidence of a payment is read in order, without a sort before the limit", () =>
    Effect.gen(function* () {
      const store = yield* another(yield* database, 1)
      yield* store.query(
        `INSERT INTO evidence (payment_id, operation_id, source, kind, recorded_at)
          SELECT 'pay_' || n % 20, 'op_' || n % 20, 'webhook', 'event', n FROM generate_series(1, 20000) AS numbers (n)`,
        []
      )
      yield* store.query("ANALYZE evidence", [])
      const { params, sql } = statementOf(selectEvidenceOf(paymentId(1), 500))
      const plan = yield* store.query(`EXPLAIN ${sql}`, params)
      const steps = plan.map((row) => String(row["QUERY PLAN"])).join("\n")
      assert.include(steps, "Index Scan Backward using evidence_of_payment", steps)
      assert.notInclude(steps, "Sort", steps)
    })
  )

  it.live("no reference is forgotten where checkpoints and commits replace it at the same time", () =>
    Effect.gen(function* () {
      const url = yield* database
      const [one, other] = [yield* another(url), yield* another(url)]
      const named = (n: number): PaymentRecord => ({
        ...aRecord(n),
        operations: aRecord(n).operations.map((operation) => ({ ...operation, reference: `${n}_first` }))
      })
      const payments = Array.from({ length: 20 }, (_, n) => n + 1)
      yield* Effect.forEach(payments, (n) => one.begin({ record: named(n), binding: null }))
      const kept = yield* Effect.forEach(
        payments,
        (n) => {
          const before = named(n)
          const operations = before.operations.map((operation) => ({ ...operation, reference: `${n}_commit` }))
          return Effect.all(
            [
              other.checkpoint(operationId(n), `${n}_first`, `${n}_checkpoint`),
              one.advance(advancing(before, { ...nextVersion(before), operations }))
            ],
            together
          )
        },
        together
      )
      for (const [index, [isCheckpointed, { _tag }]] of kept.entries()) {
        const n = index + 1
        assert.strictEqual(_tag, "Advanced")
        const references = [`${n}_first`, `${n}_commit`, ...(isCheckpointed ? [`${n}_checkpoint`] : [])]
        for (const reference of references) {
          const found = yield* one.findByReference("acme", reference)
          assert.strictEqual(found?.payment.id, paymentId(n), reference)
        }
      }
    })
  )

  it.live("the index of cards holds those with a fingerprint alone", () =>
    Effect.gen(function* () {
      const store = yield* another(yield* database, 1)
      const methods = [
        aCard({ fingerprint: "fp_1" }),
        aCard(),
        aCard({ tokens: { acme: { fingerprint: "fp_1" } } }),
        { rail: "upi", flow: "intent", vpa: null } as const
      ]
      yield* Effect.forEach(methods, (method, index) =>
        store.begin({ record: aRecord(index + 1, { method }), binding: null })
      )
      yield* store.query("REINDEX INDEX payments_of_card", [])
      const entries = yield* store.query("SELECT reltuples FROM pg_class WHERE relname = 'payments_of_card'", [])
      assert.deepStrictEqual(entries, [{ reltuples: 1 }])
    })
  )
})
