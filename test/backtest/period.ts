/**
 * The payments of a world through the real engine under some rules: scripted providers, SQLite, virtual time. The clock
 * stands at each payment and each report, one after the other.
 */
import { decodeCreatePayment, defineProvider, Engine, Inbox, Outcome, Payments } from "@paymux/core"
import type { Evidence, PaymentRecord, Provider as CoreProvider, Tenant } from "@paymux/core"
import type { PaymentStore } from "@paymux/core/store"
import { Routing } from "@paymux/routing"
import type { RoutingConfigInput } from "@paymux/routing"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { ClockBreaker } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Effect, Layer, References, Schema } from "effect"
import { TestClock } from "effect/testing"
import { drawEndings, reportOf } from "./outcomes.ts"
import type { Ending } from "./outcomes.ts"
import { firstPaymentAt, population, requestOf } from "./population.ts"
import type { PlantedPayment, Provider, World } from "./World.ts"
import { providersOf } from "./World.ts"

export const tenant: Tenant = { account: "default", livemode: false }

const DAY = 86_400_000
const MINUTE = 60_000

/** A report that a provider will make. */
interface DueReport {
  readonly at: number
  readonly provider: Provider
  readonly evidence: Evidence
}

/** The payment that is created at the moment, and the reports to come, earliest first. */
interface Present {
  payment: PlantedPayment | null
  ending: (provider: Provider) => Ending
  due: ReadonlyArray<DueReport>
}

export interface RunOptions<A, E> {
  readonly world: World
  readonly rules: RoutingConfigInput
  /** Of what the providers answer and of the payments' ids. */
  readonly seed: number
  /** At the time of the backtest: later reports have not arrived. `created` is in the order of the population. */
  readonly read: (
    created: ReadonlyArray<PaymentRecord>,
    providers: ReadonlyArray<CoreProvider>
  ) => Effect.Effect<A, E, PaymentStore>
}

export const runPeriod = <A, E>({ rules, seed, read, world }: RunOptions<A, E>): Promise<A> => {
  const present: Present = { payment: null, ending: () => "not_executed", due: [] }
  const providers = providersIn(world, present)
  const engine = Engine.layer({
    providers,
    router: Routing.layer(rules, providers),
    publicUrl: "http://localhost:4310",
    breakers: ClockBreaker.layer(),
    // Everything is reported. What is still open is not looked after.
    reconciler: { every: 365 * DAY },
    drain: 0
  })
  const run = traffic(world, seed, present).pipe(
    Effect.flatMap((created) => read(created, providers)),
    Effect.provide(engine.pipe(Layer.provideMerge(database), Layer.provide(idsOf(seed))))
  )
  return Effect.runPromise(
    Effect.andThen(TestClock.setTime(firstPaymentAt), run).pipe(
      Effect.provide(TestClock.layer()),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.scoped
    )
  )
}

const idsOf = (seed: number) => SeededRandom.idsLayer(SeededRandom.stream(seed, "ids"))

const database = SqlitePaymentStore.layer.pipe(
  Layer.provide(
    Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
      Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
    )
  )
)

const providersIn = (world: World, present: Present): ReadonlyArray<CoreProvider> => {
  const payments = population(world)
  const names = [...new Set(payments.flatMap((payment) => providersOf(world, payment)))].toSorted()
  return names.map((name) => {
    const methods = new Set(
      payments.filter((one) => providersOf(world, one).includes(name)).map(({ method }) => method)
    )
    return scripted(world, name, methods, present)
  })
}

const scripted = (
  world: World,
  name: Provider,
  methods: ReadonlySet<PlantedPayment["method"]>,
  present: Present
): CoreProvider =>
  defineProvider({
    id: name,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: {
        ...(methods.has("card") && { card: { currencies: "any", flows: { hosted: {} } } }),
        ...(methods.has("upi") && { upi: { currencies: ["INR"], flows: { intent: {}, collect: {} } } }),
        ...(methods.has("stablecoin") && {
          stablecoin: { currencies: ["USD"], flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }
        })
      },
      // Without idempotency the engine sends nothing again.
      operations: { create: { idempotency: { by: "none" }, declineIsFinal: true } }
    }),
    make: () =>
      Effect.succeed({
        create: ({ id }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const { payment } = present
            if (payment === null) return Outcome.notExecuted({ reason: "not_sent" })
            const { later, reply } = reportOf(world, payment, name, present.ending(name), now)
            if (later !== null) {
              const about = { operation: id }
              const evidence: Evidence = {
                source: "observed",
                about,
                outcome: later.outcome,
                eventId: null,
                occurredAt: null
              }
              const report = { at: now + later.afterMs, provider: name, evidence }
              present.due = [...present.due, report].toSorted((a, b) => a.at - b.at)
            }
            return reply
          })
      })
  })({})

const traffic = Effect.fnUntraced(function* (world: World, seed: number, present: Present) {
  const payments = yield* Payments
  const created: Array<PaymentRecord> = []
  for (const [index, payment] of population(world).entries()) {
    yield* reportUntil(present, payment.at)
    present.payment = payment
    present.ending = drawEndings(seed, index, world.truth(payment))
    const request = yield* decodeCreatePayment(requestOf(payment))
    created.push((yield* payments.create(request, { tenant, idempotency: null })).record)
  }
  yield* reportUntil(present, (yield* Clock.currentTimeMillis) + (world.readAfter ?? 24 * 60) * MINUTE)
  return created
})

/** Moves the clock to this time, with a stop at each report. */
const reportUntil = Effect.fnUntraced(function* (present: Present, until: number) {
  const inbox = yield* Inbox
  for (let [next] = present.due; next !== undefined && next.at <= until; [next] = present.due) {
    present.due = present.due.slice(1)
    yield* TestClock.setTime(next.at)
    yield* inbox.observe(next.provider, next.evidence)
  }
  yield* TestClock.setTime(until)
})
