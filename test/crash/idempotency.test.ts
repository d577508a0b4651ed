import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, Engine, Ids, Payments, Retention } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { otherBodies } from "./runs/OtherBodies.ts"
import { sameKey } from "./runs/SameKey.ts"
import { countingProvider } from "./countingProvider.ts"
import { requestOf } from "./Scenarios.ts"
import * as ScaledClock from "./ScaledClock.ts"
import { faultsOf } from "./TestHarness.ts"

describe("one key, one payment", () => {
  it("posts at once under one key make one payment, and all are answered the same bytes, also after a kill", async () => {
    const report = await sameKey({ keys: 20, postsPerKey: 25, replays: 3 })
    assert.deepStrictEqual(faultsOf(report), [])
    assert.deepStrictEqual({ payments: report.payments, differing: report.differing }, { payments: 20, differing: 0 })
  }, 600_000)

  it("another body under the same key is 422, and the same one written otherwise is not: nothing is sent for either", async () => {
    const report = await otherBodies({ pairs: 1_000, seed: 4 })
    assert.deepStrictEqual(report.wrong, [])
    assert.strictEqual(report.executed, 1_000)
    // Both kinds are there in number, or the test would show nothing.
    assert.isAbove(report.equal, 250)
    assert.isBelow(report.equal, 750)
  }, 600_000)

  it.live("a key makes no second payment after 31 days, nor after 400, when the bytes of its answer are gone", () => {
    const clock = ScaledClock.makeScaledClock(ScaledClock.realTime)
    const { calls, provider } = countingProvider()
    const app = Layer.merge(
      Engine.layer({ providers: [provider], publicUrl: "http://localhost:4310" }),
      Retention.layer()
    ).pipe(
      Layer.provideMerge(Layer.merge(SqlitePaymentStore.layer, Ids.layer)),
      Layer.provideMerge(
        Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
          Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
        )
      ),
      Layer.provideMerge(ScaledClock.layer(clock))
    )
    return Effect.gen(function* () {
      const payments = yield* Payments
      const sql = yield* SqlClient.SqlClient
      const payment = yield* decodeCreatePayment(requestOf({ rail: "upi" }))
      const create = payments.create(payment, {
        tenant: { account: "default", livemode: false },
        idempotency: { endpoint: "POST /v1/payments", key: "forever" }
      })
      const first = yield* create
      for (const days of [31, 400]) {
        clock.step(days * 24 * 60 * 60_000)
        assert.strictEqual((yield* (yield* Retention).pass).answers, 1)
        const again = yield* create
        assert.strictEqual(again.record.payment.id, first.record.payment.id)
        assert.isTrue(again.replayed)
      }
      const rows = yield* sql`SELECT id FROM payments`
      assert.deepStrictEqual({ rows: rows.length, calls: calls.count }, { rows: 1, calls: 1 })
      assert.isNotNull(yield* (yield* PaymentStore).get(first.record.payment.id))
    }).pipe(Effect.provide(app))
  })
})
