/** Unmatched reports on both databases: their list against a plain filter, and the decisions about them. */
import { assert, describe, it } from "@effect/vitest"
import type { Evidence, OperationId, Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { InboxEntry } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  reportStatuses,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore,
  UnmatchedReports
} from "../src/index.ts"
import type { ReportQuery, ReportStatus } from "../src/index.ts"
import { unmatchedReports } from "../src/migrations/unmatchedReports.ts"
import { pageStatement } from "../src/reports/reportRows.ts"

type Services = UnmatchedReports | PaymentStore | SqlClient.SqlClient

const sqlite = (sets = [coreMigrations]): Layer.Layer<Services> =>
  UnmatchedReports.layer.pipe(
    Layer.provideMerge(SqlitePaymentStore.layer),
    Layer.provideMerge(Layer.effectDiscard(runMigrations(sets))),
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.orDie
  )

const postgres = (sets = [coreMigrations]): Layer.Layer<Services> =>
  Layer.unwrap(
    Effect.map(temporaryDatabase(sets), (url) =>
      UnmatchedReports.layer.pipe(
        Layer.provideMerge(PostgresPaymentStore.layer),
        Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) }))
      )
    )
  ).pipe(Layer.orDie)

const former = { ...coreMigrations, migrations: coreMigrations.migrations.slice(0, unmatchedReports.id - 1) }
const start = 1_700_000_000_000
const mine: Tenant = { account: "shop", livemode: false }

const evidenceOf = (n: number, outcome: Evidence["outcome"] = { _tag: "Succeeded" }): Evidence => ({
  source: "webhook",
  about: { provider: "vendor", providerReference: `ch_${n}` },
  outcome,
  eventId: `evt_${n}`,
  occurredAt: null
})

const entryOf = (n: number, change: Partial<InboxEntry> = {}): InboxEntry => ({
  ...PaymentRecords.anInboxEntry(n),
  evidence: evidenceOf(n),
  receivedAt: start + n,
  ...change
})

/** An entry as the engine writes it: kept, then settled. */
const arrives = Effect.fnUntraced(function* (entry: InboxEntry, status: ReportStatus | "applied") {
  const { inbox } = yield* PaymentStore
  yield* inbox.keep([{ ...entry, status: "waiting", tries: 0, nextTryAt: 0, disposition: null }])
  const settled = { ...entry, tries: 1, disposition: null, nextTryAt: null }
  if (status === "waiting") return yield* inbox.settle({ ...settled, status, nextTryAt: Number.MAX_SAFE_INTEGER })
  yield* inbox.settle({ ...settled, status: "waiting", nextTryAt: 0 })
  if (status === "foreign") return yield* inbox.settle({ ...settled, status: "applied", disposition: "foreign" })
  yield* inbox.settle({ ...settled, status: status === "parked" ? "parked" : "applied" })
})

const idsOf = Effect.fnUntraced(function* (query: Omit<ReportQuery, "limit"> = {}, limit = 1000, tenant = mine) {
  const reports = yield* UnmatchedReports
  const found: Array<string> = []
  let page = yield* reports.list(tenant, { ...query, limit })
  for (; page.next !== null; page = yield* reports.list(tenant, { ...query, limit, after: page.next })) {
    assert.strictEqual(page.data.length, limit)
    found.push(...page.data.map(({ event }) => event))
  }
  return [...found, ...page.data.map(({ event }) => event)]
})

/** The id of the report of one event. */
const reportOf = Effect.fnUntraced(function* ({ eventKey }: InboxEntry) {
  const { data: reports } = yield* UnmatchedReports.use((service) => service.list(mine, { limit: 1000 }))
  return reports.find(({ event }) => event === eventKey)?.id ?? assert.fail(eventKey)
})

/** A payment whose create operation is at `provider`. */
const aPayment = Effect.fnUntraced(function* (n: number, provider: string) {
  const first = PaymentRecords.aRecord(n)
  const record = {
    ...first,
    payment: { ...first.payment, ...mine },
    attempts: first.attempts.map((attempt) => ({ ...attempt, provider })),
    operations: first.operations.map((operation) => ({ ...operation, provider }))
  }
  yield* PaymentStore.use((store) => store.begin({ record, binding: null }))
  return record
})

const parkedAt = Effect.fnUntraced(function* (n: number, provider: string, outcome?: Evidence["outcome"]) {
  const entry = entryOf(n, { provider, evidence: evidenceOf(n, outcome) })
  yield* arrives(entry, "parked")
  return { entry, id: yield* reportOf(entry) }
})

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("unmatched reports on %s", (_, database) => {
  it.live("are those that match no payment, newest first, under every filter and page size; no other webhook", () =>
    Effect.gen(function* () {
      const states = ["waiting", "parked", "foreign", "applied"] as const
      const all: Array<{ readonly entry: InboxEntry; readonly status: (typeof states)[number] }> = []
      for (let n = 1; n <= 40; n++) {
        const entry = entryOf(n, {
          provider: n % 3 === 0 ? "a" : "b",
          evidence: evidenceOf(n, n % 5 === 0 ? { _tag: "RefundSucceeded" } : { _tag: "Succeeded" }),
          receivedAt: start + ((n * 37) % 20),
          livemode: n % 7 === 0 ? true : n % 7 === 1 ? null : false
        })
        const status = states[n % states.length] ?? "applied"
        yield* arrives(entry, status)
        all.push({ entry, status })
      }
      const queries: ReadonlyArray<Omit<ReportQuery, "limit">> = [
        {},
        { statuses: ["parked"] },
        { statuses: ["foreign", "waiting", "foreign"], provider: "a" },
        { kind: "refund_succeeded" },
        { kind: "succeeded", provider: "b", from: start + 3, until: start + 15 },
        { statuses: ["dismissed"] }
      ]
      for (const livemode of [false, true]) {
        for (const query of queries) {
          const { from = 0, kind, provider, statuses = reportStatuses, until = Infinity } = query
          const expected = all
            .map((each, position) => ({ ...each, position }))
            .filter(
              ({ entry, status }) =>
                status !== "applied" && statuses.includes(status) && (entry.livemode ?? true) === livemode
            )
            .filter(({ entry }) => provider === undefined || entry.provider === provider)
            .filter(
              ({ entry: { evidence } }) =>
                kind === undefined || (kind === "succeeded") === (evidence.outcome._tag === "Succeeded")
            )
            .filter(({ entry }) => entry.receivedAt >= from && entry.receivedAt < until)
            .toSorted((a, b) => b.entry.receivedAt - a.entry.receivedAt || b.position - a.position)
            .map(({ entry }) => entry.eventKey)
          for (const limit of [1, 7, 1000])
            assert.deepStrictEqual(yield* idsOf(query, limit, { ...mine, livemode }), expected)
        }
      }
    }).pipe(Effect.provide(database()))
  )

  it.live("that were kept before they were listed are in the list", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [n, status] of [
        [1, "parked"],
        [2, "waiting"],
        [3, "applied"]
      ] as const) {
        yield* sql`INSERT INTO provider_inbox (provider, event_key, evidence, status, tries, next_try_at, received_at)
          VALUES ('a', ${`evt_${n}`}, '{"source":"webhook","about":{"operation":"op_1"},"claim":{"kind":"succeeded"},"eventId":null,"occurredAt":null}',
            ${status}, ${status === "waiting" ? 3 : 0}, ${status === "waiting" ? 5 : null}, ${start + n})`
      }
      yield* runMigrations([coreMigrations])
      // An earlier version kept no mode: what may be about live money is not for a person in test mode.
      const live = { ...mine, livemode: true }
      assert.deepStrictEqual(yield* idsOf({}, 1000, live), ["evt_2", "evt_1"])
      assert.deepStrictEqual(yield* idsOf(), [])
      const reports = yield* UnmatchedReports
      const { payment } = yield* aPayment(1, "a")
      for (const refused of [
        reports.get(mine, "rpt_1"),
        reports.dismiss(mine, "rpt_1", "not ours"),
        reports.match(mine, "rpt_1", { paymentId: payment.id })
      ]) {
        assert.deepInclude(yield* Effect.flip(refused), { reason: "not_found" })
      }
      assert.deepInclude(yield* reports.dismiss(live, "rpt_1", "not ours"), { status: "dismissed" })
    }).pipe(Effect.provide(database([former])))
  )

  it.live("are matched once by operators who act at the same moment; the others see to what", () =>
    Effect.gen(function* () {
      const { entry, id } = yield* parkedAt(1, "a")
      const reports = yield* UnmatchedReports
      const payments = yield* Effect.forEach([1, 2, 3, 4], (n) => aPayment(n, "a"))
      const results = yield* Effect.forEach(
        payments,
        ({ payment }) => Effect.result(reports.match(mine, id, { paymentId: payment.id })),
        { concurrency: "unbounded" }
      )
      const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
      assert.lengthOf(refused, 3)
      const report = yield* reports.get(mine, id)
      assert.deepInclude(report, { status: "matched", isApplied: false, reference: "ch_1" })
      for (const error of refused) {
        assert.strictEqual(error._tag === "ReportRefused" ? error.present?.paymentId : null, report.paymentId)
      }
      // It is due, and about the payment's own operation, under the reference that was reported.
      const { inbox } = yield* PaymentStore
      const claim = { provider: "a", owner: "test", now: Number.MAX_SAFE_INTEGER, until: 0, limit: 5 }
      const [due, ...others] = yield* inbox.claimDue(claim)
      const chosen = payments.find(({ payment }) => payment.id === report.paymentId)
      assert.lengthOf(others, 0)
      if (due === undefined) return assert.fail("nothing is due")
      assert.deepEqual<unknown>(due.evidence.about, { operation: chosen?.operations[0]?.id })
      assert.strictEqual(due.evidence.outcome.reference, "ch_1")
      // A server that read it before the match does not undo the match.
      yield* inbox.settle({ ...entry, status: "applied", disposition: "foreign", nextTryAt: null })
      assert.deepInclude(yield* reports.get(mine, id), { status: "matched", isApplied: false })
      yield* inbox.settle({ ...due, status: "applied", nextTryAt: null })
      assert.deepInclude(yield* reports.get(mine, id), { status: "matched", isApplied: true })
      const [first] = payments
      if (first === undefined) return assert.fail("no payment")
      assert.deepInclude(yield* Effect.flip(reports.match(mine, id, { paymentId: first.payment.id })), {
        reason: "decided"
      })
      assert.deepInclude(yield* Effect.flip(reports.dismiss(mine, id, "late")), { reason: "decided" })
    }).pipe(Effect.provide(database()))
  )

  it.live("are dismissed with a note, kept, and can be matched afterwards", () =>
    Effect.gen(function* () {
      const { entry, id } = yield* parkedAt(1, "a")
      const record = yield* aPayment(1, "a")
      const reports = yield* UnmatchedReports
      for (const note of ["", "  ", "x".repeat(1001), "a\u0000b"]) {
        assert.deepInclude(yield* Effect.flip(reports.dismiss(mine, id, note)), { reason: "invalid_note" })
      }
      const dismissed = yield* reports.dismiss(mine, id, " The shop's old system ")
      assert.deepInclude(dismissed, { status: "dismissed", note: "The shop's old system", isComplete: true })
      assert.deepInclude(yield* Effect.flip(reports.dismiss(mine, id, "again")), { reason: "decided" })
      const { inbox } = yield* PaymentStore
      const [standing] = yield* inbox.keep([entry])
      assert.strictEqual(standing?.status, "applied")
      assert.deepStrictEqual(yield* inbox.parked(9), [])
      const matched = yield* reports.match(mine, id, { paymentId: record.payment.id })
      assert.deepInclude(matched, { status: "matched", paymentId: record.payment.id, note: "The shop's old system" })
      yield* reports.forgetPayment(record.payment.id)
      assert.isNull((yield* reports.get(mine, id)).note)
    }).pipe(Effect.provide(database()))
  )

  it.live("are refused where they do not fit the payment, and nothing is written", () =>
    Effect.gen(function* () {
      const amount = { minorUnits: 5, currency: "JPY" as never }
      const { id } = yield* parkedAt(1, "a", { _tag: "Succeeded", amount })
      const plain = yield* parkedAt(2, "a")
      const [here, elsewhere] = [yield* aPayment(1, "a"), yield* aPayment(2, "b")]
      const reports = yield* UnmatchedReports
      const refusals = [
        [mine, id, { paymentId: here.payment.id }, "currency_does_not_fit"],
        [mine, id, { paymentId: elsewhere.payment.id }, "provider_does_not_fit"],
        [mine, plain.id, { paymentId: here.payment.id, operationId: "op_none" as OperationId }, "no_operation"],
        [{ ...mine, account: "other" }, plain.id, { paymentId: here.payment.id }, "payment_not_found"],
        [{ ...mine, livemode: true }, plain.id, { paymentId: here.payment.id }, "not_found"],
        [mine, "rpt_999", { paymentId: here.payment.id }, "not_found"],
        [mine, "rpt_1 OR 1=1", { paymentId: here.payment.id }, "not_found"],
        [mine, "", { paymentId: here.payment.id }, "not_found"]
      ] as const
      for (const [tenant, report, to, reason] of refusals) {
        assert.deepInclude(yield* Effect.flip(reports.match(tenant, report, to)), { reason })
      }
      assert.deepInclude(yield* reports.get(mine, id), { status: "parked", paymentId: null })
      for (const after of ["", "x", "1", "-1.1"]) {
        assert.deepInclude(yield* Effect.flip(reports.list(mine, { limit: 1, after })), { reason: "cursor" })
      }
    }).pipe(Effect.provide(database()))
  )

  it.live("lose their evidence and note with the retention: then they can be dismissed, and not matched", () =>
    Effect.gen(function* () {
      const reports = yield* UnmatchedReports
      const [noted, foreign] = [entryOf(1, { provider: "a" }), entryOf(2, { provider: "a" })]
      yield* arrives(noted, "parked")
      yield* arrives(foreign, "foreign")
      const [first, second] = [yield* reportOf(noted), yield* reportOf(foreign)]
      yield* reports.dismiss(mine, first, "a note")
      const { retention } = yield* PaymentStore
      yield* retention.pruneInbox({ before: start + 100, limit: 10 })
      assert.deepInclude(yield* reports.get(mine, first), { note: null, isComplete: false, kind: "succeeded" })
      const { payment } = yield* aPayment(1, "a")
      const refused = yield* Effect.flip(reports.match(mine, second, { paymentId: payment.id }))
      assert.deepInclude(refused, { reason: "evidence_deleted" })
      assert.deepInclude(yield* reports.dismiss(mine, second, "old"), { status: "dismissed", kind: "succeeded" })
    }).pipe(Effect.provide(database()))
  )
})

it.effect("walks an index in the order of the page, on SQLite", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const [query, index] of [
      [{}, "by_time \\(livemode=\\? AND status=\\?"],
      [{ provider: "a" }, "by_provider \\(livemode=\\? AND provider=\\? AND status=\\?"],
      [{ kind: "x" }, "by_kind \\(livemode=\\? AND kind=\\? AND status=\\?"],
      [
        { kind: "x", provider: "a" },
        "by_provider_and_kind \\(livemode=\\? AND provider=\\? AND kind=\\? AND status=\\?"
      ]
    ] as const) {
      for (const [livemode, ranges] of [
        [false, 1],
        [true, 2]
      ] as const) {
        const [text, parameters] = pageStatement(sql, livemode, { ...query, limit: 20 }, { at: 5, row: 5 }).compile()
        const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
        const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes("INDEX unmatched_reports_"))
        assert.strictEqual(steps.length, ranges * reportStatuses.length)
        for (const step of steps) assert.match(step, new RegExp(`USING COVERING INDEX unmatched_reports_${index}`))
      }
    }
  }).pipe(Effect.provide(sqlite()))
)
