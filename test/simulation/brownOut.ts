/**
 * A provider that gets worse for ten minutes and recovers, seen by the real engine on a real database in virtual time, one
 * payment after the other.
 */
import { ClockBreaker } from "@paymux/test-suites"
import { decodeCreatePayment, defineProvider, Engine, Outcome, Payments } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { defineRouting, Routing } from "@paymux/routing"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"

export interface BrownOut {
  /** Which rule decides. */
  readonly by: "success_rate" | "priority"
  readonly seed: number
  /** Payments. Default: 10. */
  readonly perSecond?: number
}

/** Minutes before it, of it, and after it. */
export const phases = { before: 5, during: 10, after: 10 } as const

/** One minute of payments. */
export interface Minute {
  readonly payments: number
  /** Sent to the secondary first. */
  readonly toSecondary: number
  readonly succeeded: number
  /** What would be expected of always knowing the better one. */
  readonly best: number
}

const secondaryRate = 0.88

/** The share of payments that the primary takes, by the minute. */
const primaryRate = (minute: number): number =>
  minute >= phases.before && minute < phases.before + phases.during ? 0.4 : 0.92

const rules = {
  success_rate: defineRouting({
    version: 1,
    default: { best: "success_rate", among: ["primary", "secondary"], window: "10m" }
  }),
  priority: defineRouting({ version: 1, default: { priority: ["primary", "secondary"] } })
}

/** By minute, first to last. */
export const brownOut = ({ by, perSecond = 10, seed }: BrownOut): Promise<ReadonlyArray<Minute>> => {
  const providers = [provider("primary", seed, primaryRate), provider("secondary", seed, () => secondaryRate)]
  return Effect.runPromise(
    traffic(perSecond).pipe(
      Effect.provide(
        Engine.layer({
          providers,
          router: Routing.layer(rules[by], providers),
          publicUrl: "http://localhost:4310",
          breakers: ClockBreaker.layer()
        }).pipe(Layer.provide(database), Layer.provide(SeededRandom.idsLayer(SeededRandom.stream(seed, "ids"))))
      ),
      Effect.provide(TestClock.layer()),
      Effect.scoped
    )
  )
}

const database = SqlitePaymentStore.layer.pipe(
  Layer.provide(
    Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
      Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
    )
  )
)

const traffic = Effect.fnUntraced(function* (perSecond: number) {
  const payments = yield* Payments
  const payment = yield* decodeCreatePayment({
    amount: 10_000,
    currency: "EUR",
    payment_method: "card",
    customer: { email: "payer@example.com", phone: "+491701234567" }
  })
  const minutes: Array<Minute> = []
  for (let minute = 0; minute < phases.before + phases.during + phases.after; minute++) {
    let toSecondary = 0
    let succeeded = 0
    for (let i = 0; i < 60 * perSecond; i++) {
      const { record } = yield* payments.create(payment, {
        tenant: { account: "default", livemode: false },
        idempotency: null
      })
      if (record.attempts[0]?.provider === "secondary") toSecondary++
      if (record.payment.state.status === "succeeded") succeeded++
      yield* TestClock.adjust(1_000 / perSecond)
    }
    const best = 60 * perSecond * Math.max(primaryRate(minute), secondaryRate)
    minutes.push({ payments: 60 * perSecond, toSecondary, succeeded, best })
  }
  return minutes
})

/** Declines of the issuer's side, after which no other provider is tried: only the first choice is seen. */
const provider = (id: string, seed: number, rate: (minute: number) => number): Provider => {
  const random = SeededRandom.stream(seed, id)
  return defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { hosted: {} } } },
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ amount, id }) =>
          Effect.map(Clock.currentTimeMillis, (now) =>
            random.next() < rate(Math.floor(now / 60_000))
              ? Outcome.succeeded({ reference: `ref_${id}`, amount })
              : Outcome.declined({ code: "do_not_honor", retry: "never" })
          )
      })
  })({})
}
