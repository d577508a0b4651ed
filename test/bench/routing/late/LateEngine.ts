/** An engine with `best: success_rate` over providers of UPI intents, in virtual time: as one process. */
import { Engine, Inbox, Payments } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { Router } from "@paymux/core/routing"
import { PaymentStore } from "@paymux/core/store"
import { defineRouting, Routing } from "@paymux/routing"
import { ClockBreaker } from "@paymux/test-suites"
import type { VirtualTime } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import type { Connect } from "./databases.ts"

export interface LateEngine {
  readonly payments: Payments["Service"]
  readonly inbox: Inbox["Service"]
  readonly router: Router["Service"]
  /** Ends the process; its commits stay in the database. */
  readonly end: Effect.Effect<void>
}

export interface LateEngineOptions {
  readonly providers: ReadonlyArray<Provider>
  readonly connect: Connect
  readonly time: VirtualTime
  readonly random: SeededRandom.SeededRandom
}

/** The learning reads as often, ms. */
export const STEP = 2_000

export const start = Effect.fnUntraced(function* ({ connect, providers, random, time }: LateEngineOptions) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const database = yield* Scope.provide(connect, scope)
  const store = time.watchedService({
    ...database,
    // Sleeps of random length leave the clock between two milliseconds, and a database has a clock of its own.
    now: Effect.map(Clock.currentTimeMillis, Math.floor)
  })
  const rules = defineRouting({
    version: 1,
    default: { best: "success_rate", among: providers.map(({ id }) => id) }
  })
  const router = Routing.layer(rules, providers)
  const engine = Layer.merge(
    Engine.layer({
      providers: providers.map(time.watched),
      router,
      publicUrl: "https://pay.example",
      breakers: ClockBreaker.layer(),
      drain: 0,
      reconciler: { every: STEP }
    }),
    router
  )
  const built = yield* Layer.buildWithScope(
    Layer.provide(engine, Layer.merge(Layer.succeed(PaymentStore, store), SeededRandom.idsLayer(random))),
    scope
  )
  return {
    payments: Context.get(built, Payments),
    inbox: Context.get(built, Inbox),
    router: Context.get(built, Router),
    end: Scope.close(scope, Exit.void)
  } satisfies LateEngine
})
