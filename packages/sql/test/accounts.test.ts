/** Whose payments there are, on both databases, and that it costs no look at each of them. */
import { assert, describe, it } from "@effect/vitest"
import type { Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { accountsStatement } from "../src/queries/accounts.ts"
import { accountsWithPayments } from "../src/index.ts"
import { postgres, sqlite } from "./databases.ts"

const { aRecord } = PaymentRecords

/** The payments with these numbers are a tenant's; the higher the number, the later it was made. */
const keep = Effect.fnUntraced(function* (tenant: Tenant, ...numbers: ReadonlyArray<number>) {
  const store = yield* PaymentStore
  for (const number of numbers) {
    const record = aRecord(number)
    const payment = { ...record.payment, ...tenant, createdAt: number * 1000 }
    yield* store.begin({ record: { ...record, payment }, binding: null })
  }
})

const everybody = Effect.gen(function* () {
  assert.deepStrictEqual(yield* accountsWithPayments, [])
  yield* keep({ account: "b", livemode: true }, 3, 1)
  yield* keep({ account: "a", livemode: true }, 2)
  yield* keep({ account: "a", livemode: false }, 5, 4)
  yield* keep({ account: "Z_9-", livemode: false }, 6)
  assert.deepStrictEqual(yield* accountsWithPayments, [
    { account: "Z_9-", livemode: false, newestPaymentAt: 6000 },
    { account: "a", livemode: false, newestPaymentAt: 5000 },
    { account: "a", livemode: true, newestPaymentAt: 2000 },
    { account: "b", livemode: true, newestPaymentAt: 3000 }
  ])
})

describe("the accounts that have payments", () => {
  it.effect("on SQLite", () => Effect.provide(everybody, sqlite))

  it.live("on PostgreSQL", () => Effect.provide(everybody, postgres))

  it.effect("are found by indexes alone, a jump for each", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const plan = yield* sql<{ detail: string }>`EXPLAIN QUERY PLAN ${accountsStatement(sql)}`
      const looks = plan.map(({ detail }) => detail).filter((detail) => / p\b/.test(detail))
      assert.strictEqual(looks.length, 4)
      for (const look of looks) assert.match(look, /USING COVERING INDEX payments_by_/)
      // The first account is the first entry of the index.
      assert.strictEqual(looks.filter((look) => look.startsWith("SCAN")).length, 1)
    }).pipe(Effect.provide(sqlite))
  )
})
