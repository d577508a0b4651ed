/** The refunds of an account and mode on both databases, against a plain filter of all of them. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord, Tenant } from "@paymux/core"
import { isRefund, PaymentStore, refundStatuses } from "@paymux/core/store"
import type { Operation } from "@paymux/core/store"
import { refundJson } from "@paymux/core/wire"
import type { RefundJson } from "@paymux/core/wire"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  listRefunds,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"
import type { ListedRefund, RefundQuery } from "../src/index.ts"
import { refunds } from "../src/migrations/refunds.ts"
import { refundsStatement } from "../src/queries/RefundList.ts"
import { onEarlierTables } from "./onEarlierTables.ts"

const { anOperation, aRecord, currency, nextVersion } = PaymentRecords

const before = {
  ...coreMigrations,
  migrations: coreMigrations.migrations.slice(0, refunds.id - 1)
}

type Services = PaymentStore | SqlClient.SqlClient

const sqlite = (): Layer.Layer<Services> =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations([before]))),
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.orDie
  )

const postgres = (): Layer.Layer<Services> =>
  Layer.unwrap(
    Effect.map(temporaryDatabase([before]), (url) =>
      PostgresPaymentStore.layer.pipe(Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) })))
    )
  ).pipe(Layer.orDie)

const mine = { account: "shop", livemode: true }
const others: ReadonlyArray<Tenant> = [
  { account: "shop", livemode: false },
  { account: "other", livemode: true }
]
const start = 1_700_000_000_000
const statuses = ["planned", "sending", "pending", "unknown", "succeeded", "declined", "not_executed"] as const
const kinds = ["refund", "refund", "refund", "capture", "cancel"] as const

const advance = Effect.fnUntraced(function* (from: PaymentRecord, operations: ReadonlyArray<Operation>) {
  const store = yield* PaymentStore
  const after = { ...nextVersion(from), operations }
  const result = yield* store.advance({
    before: from,
    after,
    events: [],
    evidence: null,
    binding: null,
    answer: null
  })
  assert.strictEqual(result._tag, "Advanced")
  return after
})

/** A payment with a few operations beyond create, of which some end. */
const payment = Effect.fnUntraced(function* (n: number) {
  const store = yield* PaymentStore
  const tenant = n % 4 === 0 ? (others[n % 8 === 0 ? 0 : 1] ?? mine) : mine
  const provider = n % 3 === 0 ? "other" : "acme"
  const record = aRecord(n, { ...tenant, provider, amount: { minorUnits: 10_000, currency: currency("EUR") } })
  yield* store.begin({ record, binding: null })
  const made = [2, 3].map((seq) =>
    anOperation(n, seq, {
      kind: kinds[(n * seq) % kinds.length] ?? "refund",
      purpose: n % 11 === 0 ? "reversal" : "requested",
      attemptSeq: 1,
      provider,
      minorUnits: n * 10 + seq,
      reason: n % 2 === 0 ? "damaged \u0000" : null,
      status: statuses[(n + seq) % statuses.length] ?? "sending",
      reference: n % 5 === 0 ? `re_${n}_${seq}` : null,
      createdAt: start + ((n * 37 + seq) % 20)
    })
  )
  const requested = yield* advance(record, [...record.operations, ...made])
  const [create, first, ...rest] = requested.operations
  if (create === undefined || first === undefined || n % 2 === 0) return requested
  const status = statuses[(n * 3) % statuses.length] ?? "succeeded"
  return yield* advance(requested, [create, { ...first, status, endedAt: start + 99 }, ...rest])
})

const history = Effect.fnUntraced(function* (from: number, to: number) {
  const records: Array<PaymentRecord> = []
  for (let n = from; n <= to; n++) records.push(yield* payment(n))
  return records
})

interface Expected {
  readonly tenant: Tenant
  readonly at: number
  readonly refund: RefundJson
}

const refundsIn = (records: ReadonlyArray<PaymentRecord>): ReadonlyArray<Expected> =>
  records.flatMap((record) =>
    record.operations.filter(isRefund).map((operation) => ({
      tenant: record.payment,
      at: operation.createdAt,
      refund: refundJson(record, operation)
    }))
  )

const json = ({ operation, payment }: ListedRefund) => refundJson({ payment }, operation)

const read = Effect.fnUntraced(function* (tenant: Tenant, query: Omit<RefundQuery, "limit">, limit: number) {
  const found: Array<RefundJson> = []
  let page = yield* listRefunds(tenant, { ...query, limit })
  for (; page.next !== null; page = yield* listRefunds(tenant, { ...query, limit, after: page.next })) {
    assert.strictEqual(page.data.length, limit)
    found.push(...page.data.map(json))
  }
  if (found.length > 0) assert.isNotEmpty(page.data)
  return [...found, ...page.data.map(json)]
})

const byId = (refunds: ReadonlyArray<RefundJson>) => refunds.toSorted((a, b) => (a.id < b.id ? -1 : 1))

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("the refunds of all payments on %s", (_, database) => {
  it.live("are each there once, newest first and as they stand, under every filter, before and after the upgrade", () =>
    Effect.gen(function* () {
      const older = yield* onEarlierTables(history(1, 40))
      yield* runMigrations([coreMigrations])
      const all = refundsIn([...older, ...(yield* history(41, 80))])
      assert.isAbove(all.length, 60)
      const some = all[7]?.refund.payment ?? ""
      const queries: ReadonlyArray<Omit<RefundQuery, "limit">> = [
        {},
        ...refundStatuses.map((status) => ({ statuses: [status] })),
        { statuses: ["pending", "failed", "pending"] },
        { provider: "other" },
        { provider: "other", statuses: ["succeeded"] },
        { provider: "none" },
        { from: start + 5, until: start + 11 },
        { provider: "acme", from: start + 3 },
        { paymentId: some },
        { paymentId: some, statuses: ["failed"], provider: "acme" },
        { paymentId: some, provider: "none" },
        { paymentId: some, from: start + 20 },
        { paymentId: "pay_none" }
      ]
      for (const tenant of [mine, ...others]) {
        for (const query of queries) {
          const { from = 0, paymentId, provider, statuses: asked = refundStatuses, until = Infinity } = query
          const expected = all.filter(
            ({ at, refund, tenant: { account, livemode } }) =>
              account === tenant.account &&
              livemode === tenant.livemode &&
              asked.includes(refund.status) &&
              at >= from &&
              at < until &&
              (paymentId === undefined || refund.payment === paymentId) &&
              (provider === undefined || refund.provider === provider)
          )
          for (const limit of [1, 7, 1000]) {
            const found = yield* read(tenant, query, limit)
            assert.deepStrictEqual(byId(found), byId(expected.map(({ refund }) => refund)), JSON.stringify(query))
            const times = found.map(({ created_at }) => created_at)
            assert.deepStrictEqual(times, times.toSorted().toReversed())
          }
        }
      }
    }).pipe(Effect.provide(database()))
  )

  it.live("refuse a cursor of another kind", () =>
    Effect.gen(function* () {
      yield* runMigrations([coreMigrations])
      for (const after of ["", "x", "1", "1.99999999999999999", "-1.1", "1.1.1"]) {
        assert.strictEqual((yield* Effect.flip(listRefunds(mine, { limit: 1, after })))._tag, "RefundCursorInvalid")
      }
    }).pipe(Effect.provide(database()))
  )
})

it.live("that were moved before an interrupted upgrade goes on are there as they stand, on PostgreSQL", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const older = yield* onEarlierTables(history(1, 12))
    const { pgAfter: _, ...interrupted } = refunds
    yield* runMigrations([{ ...before, migrations: [...before.migrations, interrupted] }])
    const [moved] = older.flatMap(({ operations }) => operations.filter(isRefund))
    assert.isDefined(moved)
    const status = moved?.status === "succeeded" ? "declined" : "succeeded"
    yield* sql`UPDATE operations SET status = ${status} WHERE id = ${moved?.id ?? ""}`
    for (let run = 0; run < 2; run++) {
      yield* runMigrations([{ ...before, migrations: [...before.migrations, refunds] }])
      const kept = yield* sql`SELECT operation_id, status FROM refunds ORDER BY operation_id`
      const expected = yield* sql`SELECT id AS operation_id, CASE WHEN status = 'succeeded' THEN status
          WHEN status IN ('declined', 'not_executed') THEN 'failed' ELSE 'pending' END AS status
        FROM operations WHERE kind = 'refund' AND purpose = 'requested' ORDER BY id`
      assert.deepStrictEqual(kept, expected)
      assert.isAbove(kept.length, 9)
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('operations_of_refunds') AS index`, [{ index: null }])
    }
  }).pipe(Effect.provide(postgres()))
)

it.effect("walks an index of refunds alone, on SQLite", () =>
  Effect.gen(function* () {
    yield* runMigrations([coreMigrations])
    const sql = yield* SqlClient.SqlClient
    for (const [query, index] of [
      [{}, "refunds_by_status (account=? AND livemode=? AND status=?"],
      [{ provider: "acme" }, "refunds_by_provider (account=? AND livemode=? AND provider=? AND status=?"],
      [{ paymentId: "pay_1" }, "refunds_by_payment (payment_id=?"]
    ] as const) {
      const [text, parameters] = refundsStatement(sql, mine, { ...query, limit: 20 }, { at: 5, row: 5 }).compile()
      const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
      const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes("refunds"))
      assert.isNotEmpty(steps)
      for (const step of steps) assert.include(step, index)
    }
  }).pipe(Effect.provide(sqlite()))
)
