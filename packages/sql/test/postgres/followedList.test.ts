/** A reader that follows the list of payments with `ending_before`, while two engines create payments in one database. */
import { assert, it } from "@effect/vitest"
import { decodeCreatePayment, defineProvider, Engine, Ids, Outcome, Payments } from "@paymux/core"
import type { PaymentId } from "@paymux/core"
import { everyPayment } from "@paymux/core/store"
import { Context, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresPaymentStore } from "../../src/index.ts"

const tenant = { account: "default", livemode: false } as const

const provider = defineProvider({
  id: "a",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: "any", flows: { token: {} }, captureMethods: ["automatic"] } },
    operations: { create: {} }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})({})

const engineOn = (url: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Engine.layer({ providers: [provider], publicUrl: "https://pay.example" }).pipe(
          Layer.provide(PostgresPaymentStore.layer),
          Layer.provide(PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 3_000 })),
          Layer.provide(Ids.layer)
        )
      )
    ),
    (context) => Context.get(context, Payments)
  )

it.live("sees every payment once, in the order of the list", () =>
  Effect.gen(function* () {
    const url = yield* temporaryDatabase([coreMigrations])
    const engines = yield* Effect.all([engineOn(url), engineOn(url)])
    const payment = yield* decodeCreatePayment({
      amount: 1200,
      currency: "EUR",
      payment_method: "card",
      customer: { email: "asha@example.com" },
      payment_method_details: { card: { token: "tok_any" } }
    })
    const create = (n: number) => {
      const payments = engines[n % 2] ?? engines[0]
      return Effect.map(payments.create(payment, { tenant, idempotency: null }), ({ record }) => record.payment.id)
    }
    const first = yield* create(0)
    const writing = yield* Effect.forkChild(
      Effect.forEach(
        Array.from({ length: 400 }, (_, n) => n),
        create,
        { concurrency: 40 }
      )
    )
    const seen: Array<PaymentId> = []
    const read = Effect.gen(function* () {
      const position = { side: "before", id: seen.at(-1) ?? first } as const
      const { records } = yield* engines[0].list(tenant, { ...everyPayment, limit: 100, position })
      seen.push(...records.map(({ payment }) => payment.id).toReversed())
    })
    // At any moment of the commits, and for as long as some payment is missing.
    yield* Effect.repeat(Effect.andThen(read, Effect.sleep(5)), {
      until: () => writing.pollUnsafe() !== undefined && seen.length >= 400
    })
    const made = yield* Fiber.join(writing)
    assert.deepStrictEqual(seen, made.toSorted())
  })
)
