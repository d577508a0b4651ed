/** Option `retention`, from what is given to what goes. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Outcome, Retention } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as App from "../src/App.ts"
import { makeGate } from "../src/EventListener.ts"
import { settingsOf } from "../src/options/PaymuxOptions.ts"
import type { PaymuxOptions } from "../src/options/PaymuxOptions.ts"

const day = 86_400_000

const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({ methods: { card: { currencies: "any", flows: { token: {} } } }, operations: { create: {} } }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})

const settings = (retention?: PaymuxOptions["retention"]) =>
  Result.getOrThrow(
    settingsOf({ providers: [acme({})], database: ":memory:", ...(retention === undefined ? {} : { retention }) })
  )

describe("the option retention", () => {
  it("is 30 days for answers and deliveries and 90 for what providers said, each unless it is given", () => {
    assert.deepStrictEqual(settings().retention, {
      answers: 30 * day,
      inbox: 90 * day,
      deliveries: 30 * day,
      audit: 730 * day,
      statistics: 1096 * day,
      requests: 7 * day,
      breakers: 90 * day
    })
    assert.deepStrictEqual(settings({ inboxDays: 7, deliveriesDays: null }).retention, {
      answers: 30 * day,
      inbox: 7 * day,
      deliveries: null,
      audit: 730 * day,
      statistics: 1096 * day,
      requests: 7 * day,
      breakers: 90 * day
    })
    assert.deepStrictEqual(settings(false).retention, {
      answers: null,
      inbox: null,
      deliveries: null,
      audit: null,
      statistics: null,
      requests: null,
      breakers: null
    })
  })

  /** A key of the year 2001 with its answer, in a running Paymux. */
  const afterAPass = (retention?: PaymuxOptions["retention"]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO idempotency_keys (account, livemode, endpoint, key, fingerprint, payment_id, answer, created_at)
        VALUES ('default', 0, 'POST /v1/payments', 'old', 'sha256:0', 'pay_00w0000000000000000000000', 'bytes', 1000000000000)`
      const pruned = yield* (yield* Retention).pass
      const kept = yield* (yield* PaymentStore).findKey(
        { account: "default", livemode: false },
        "POST /v1/payments",
        "old"
      )
      return { pruned: pruned.answers, answer: kept?.answer }
    }).pipe(Effect.provide(Layer.fresh(App.layer(settings(retention), makeGate()))))

  it.live("is what a running Paymux goes by", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* afterAPass(), { pruned: 1, answer: null })
      assert.deepStrictEqual(yield* afterAPass({ idempotencyAnswersDays: null }), { pruned: 0, answer: "bytes" })
    })
  )
})
