/** What accounts are not enabled for, on both databases. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import type { PaymentRecord } from "@paymux/core"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { accountRefusals, coreMigrations, runMigrations, SqliteClient } from "../src/index.ts"
import { postgres, sqlite } from "./databases.ts"

const tenant = { account: "shop", livemode: true }

const refusedBy = (
  n: number,
  provider: string,
  vendorCode: string | null,
  endedAt: number,
  change: { readonly account?: string; readonly code?: "account_not_enabled" | "details_required" } = {}
): PaymentRecord => {
  const { account = "shop", code = "account_not_enabled" } = change
  const refused = PaymentRecords.anAttempt(1, { provider, status: "not_executed", code, vendorCode, endedAt })
  return { ...PaymentRecords.aRecord(n, { ...tenant, account, provider }), attempts: [refused] }
}

it.effect("a server of before, which cannot read their failure codes, does not start on the new schema", () =>
  Effect.gen(function* () {
    yield* runMigrations([coreMigrations])
    const before = { ...coreMigrations, migrations: coreMigrations.migrations.filter(({ id }) => id <= 20) }
    assert.deepInclude(yield* Effect.flip(runMigrations([before])), { reason: "newer" })
  }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
)

for (const [database, layer] of [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const) {
  describe(`refusals of accounts on ${database}`, () => {
    it.effect("are grouped by kind and code, the latest first, and belong to their tenant and provider", () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        const records = [
          refusedBy(1, "stripe", "export", 1_000),
          refusedBy(2, "stripe", "export", 3_000),
          refusedBy(3, "stripe", "address", 2_000, { code: "details_required" }),
          refusedBy(4, "adyen", null, 4_000),
          refusedBy(5, "stripe", "export", 9_000, { account: "other" }),
          refusedBy(6, "stripe", "export", 10)
        ]
        for (const record of records) yield* store.begin({ record, binding: null })
        const found = yield* accountRefusals(tenant, "stripe", 1_000)
        assert.deepStrictEqual(
          found.map(({ code, count, lastAt, provider, vendorCode }) => [provider, code, vendorCode, count, lastAt]),
          [
            ["stripe", "account_not_enabled", "export", 2, 3_000],
            ["stripe", "details_required", "address", 1, 2_000]
          ]
        )
        assert.deepStrictEqual(
          found.map(({ currency, flow, rail }) => [rail, flow, currency]),
          Array.from({ length: 2 }, () => ["upi", "intent", "INR"])
        )
      }).pipe(Effect.provide(layer))
    )

    it.effect("of a provider that refuses every payment do not hide those of another", () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        yield* store.begin({ record: refusedBy(1, "adyen", "brand", 1_000), binding: null })
        for (let n = 2; n < 1_010; n++) {
          yield* store.begin({ record: refusedBy(n, "stripe", "address", 1_000 + n), binding: null })
        }
        const found = yield* accountRefusals(tenant, "adyen", 1_000)
        assert.deepStrictEqual(
          found.map(({ count, vendorCode }) => [vendorCode, count]),
          [["brand", 1]]
        )
        assert.strictEqual((yield* accountRefusals(tenant, "stripe", 1_000))[0]?.count, 1_000)
      }).pipe(Effect.provide(layer))
    )

    it.effect("are read from an index that holds nothing else", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const indexes = yield* sql.onDialectOrElse({
          pg: () =>
            sql<{
              sql: string
            }>`SELECT indexdef AS sql FROM pg_indexes WHERE indexname = 'attempts_refused_by_account'`,
          orElse: () => sql<{ sql: string }>`SELECT sql FROM sqlite_schema WHERE name = 'attempts_refused_by_account'`
        })
        assert.match(indexes[0]?.sql ?? "", /WHERE .*account_not_enabled/)
      }).pipe(Effect.provide(layer))
    )
  })
}
