/** Repeated requests to an engine on each database: the bytes of the first response, as text or by the event that has them. */
import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, defineProvider, Engine, Erasure, Outcome, Payments } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { noHostedPage, paymentBody } from "@paymux/core/wire"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { postgres, sqlite } from "./databases.ts"

const tenant = { account: "default", livemode: false } as const

const provider = defineProvider({
  id: "a",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: "any", flows: { token: {} }, captureMethods: ["automatic"] } },
    operations: { create: {}, refund: { partial: true } }
  }),
  make: () =>
    Effect.succeed({
      create: ({ amount, id }) => Effect.succeed(Outcome.succeeded({ reference: `ref_${id}`, amount })),
      refund: ({ amount, id }) => Effect.succeed(Outcome.succeeded({ reference: `ref_${id}`, amount }))
    })
})({})

const request = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", name: "Asha \u0000 \ud83e\uded6" },
  payment_method_details: { card: { token: "tok_any" } }
}

const options = (endpoint: string) => ({ tenant, idempotency: { endpoint, key: "once" } })

/** The number of keys whose response is text, and of those that refer to an event. */
const keysOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT count(answer) AS texts, count(answer_event) AS events FROM idempotency_keys`
  return [Number(row?.["texts"]), Number(row?.["events"])]
})

const repeated = Effect.gen(function* () {
  const payments = yield* Payments
  const { retention } = yield* PaymentStore
  const payment = yield* decodeCreatePayment(request)
  const create = payments.create(payment, options("create"))
  const first = yield* create
  const { id } = first.record.payment
  assert.deepStrictEqual(yield* keysOf, [0, 1])
  const refund = payments.refund(id, { minorUnits: 300, reason: null }, options("refund"))
  const refunded = yield* refund
  assert.deepStrictEqual(yield* keysOf, [1, 1])
  const again = yield* create
  assert.deepStrictEqual([again.body, again.replayed], [first.body, true])
  assert.strictEqual(again.record.payment.amountRefunded, 300, "the payment went on")
  assert.strictEqual((yield* refund).body, refunded.body)

  const current = Effect.map(payments.get(tenant, id), (record) => paymentBody(record, noHostedPage))
  yield* retention.pruneAnswers({ before: Number.MAX_SAFE_INTEGER, after: null, limit: 9 })
  assert.deepStrictEqual(yield* keysOf, [0, 0])
  const asItIs = yield* create
  assert.deepStrictEqual([asItIs.body, asItIs.replayed], [yield* current, true])
  assert.notStrictEqual(asItIs.body, first.body)

  const report = yield* Effect.flatMap(Erasure, ({ erase }) => erase(tenant, [id]))
  assert.strictEqual(report.erased, 1)
  assert.deepStrictEqual(yield* keysOf, [0, 0])
  const erased = yield* create
  assert.deepStrictEqual([erased.body, erased.replayed], [yield* current, true])
  assert.notInclude(erased.body, "asha")
})

/** Without the end of the retention in between: the key refers to an event when the customer is erased. */
const erasedAtOnce = Effect.gen(function* () {
  const payments = yield* Payments
  const payment = yield* decodeCreatePayment(request)
  const create = payments.create(payment, options("create"))
  const { record } = yield* create
  yield* Effect.flatMap(Erasure, ({ erase }) => erase(tenant, [record.payment.id]))
  const erased = yield* create
  const current = yield* payments.get(tenant, record.payment.id)
  assert.deepStrictEqual([erased.body, erased.replayed], [paymentBody(current, noHostedPage), true])
  assert.notInclude(erased.body, "asha")
})

const engineOn = (database: typeof sqlite) =>
  Layer.merge(Engine.layerLive({ providers: [provider], publicUrl: "https://pay.example" }), Erasure.layer()).pipe(
    Layer.provideMerge(database)
  )

describe("a repeated create", () => {
  for (const [name, database] of [
    ["SQLite", sqlite],
    ["PostgreSQL", postgres]
  ] as const) {
    it.live(`gets the first bytes until the end of the retention, and then the current payment, on ${name}`, () =>
      repeated.pipe(Effect.provide(engineOn(database)))
    )
    it.live(`gets the current payment after its customer was erased, on ${name}`, () =>
      erasedAtOnce.pipe(Effect.provide(engineOn(database)))
    )
  }
})
