/**
 * An engine whose clock is set forward between two actions: the real one makes weeks of history within seconds. It keeps the database for itself until it is closed.
 */
import type { ProviderRegistry } from "@paymux/core/engine"
import type { PaymentStore } from "@paymux/core/store"
import { theProgram } from "@paymux/dashboard"
import type { Actor } from "@paymux/dashboard"
import { SandboxControl, SandboxSimulator } from "@paymux/sandbox"
import type { SandboxProviderId, SimulateJson } from "@paymux/sandbox"
import { rebuildStatistics } from "@paymux/sql"
import type { Statements } from "@paymux/sql"
import { WebhookSender } from "@paymux/webhooks"
import { Clock, Duration, Effect, Exit, Layer, Metric, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import * as App from "../../packages/paymux/src/App.ts"
import { makeGate } from "../../packages/paymux/src/EventListener.ts"
import * as Handlers from "../../packages/paymux/src/Handlers.ts"
import * as InFlight from "../../packages/paymux/src/InFlight.ts"
import * as Operations from "../../packages/paymux/src/Operations.ts"
import { settingsOf } from "../../packages/paymux/src/options/PaymuxOptions.ts"
import type { PaymuxOptions } from "../../packages/paymux/src/index.ts"
import * as Logs from "../../packages/paymux/src/telemetry/Logs.ts"
import * as ScaledClock from "../crash/ScaledClock.ts"

/** Polls and short pauses of the engine take no time to speak of; deadlines stay what they are. */
const pausing = ({ clock }: ScaledClock.ScaledClock): Clock.Clock => ({
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) =>
    clock.sleep(Duration.toMillis(duration) <= 2_000 ? Duration.divideUnsafe(duration, 20) : duration)
})

type Services =
  | SqlClient.SqlClient
  | SandboxControl
  | SandboxSimulator
  | WebhookSender
  | ProviderRegistry
  | PaymentStore
  | Statements

export type HistoryEngine = Awaited<ReturnType<typeof startHistory>>

/** `from`: ms UTC at which the clock begins. */
export const startHistory = async (options: PaymuxOptions<string>, from: number) => {
  const settings = Result.getOrThrow(settingsOf(options))
  const clock = ScaledClock.makeScaledClock({ virtual: from, real: Date.now(), rate: 1 })
  const scope = Scope.makeUnsafe()
  const inFlight = InFlight.make()
  const observed = Layer.mergeAll(
    Logs.layer(settings.logs),
    Layer.succeed(Metric.MetricRegistry, new Map()),
    Layer.succeed(Clock.Clock, pausing(clock))
  )
  const app = Layer.provideMerge(App.layer(settings, makeGate()), observed)
  const context = await Effect.runPromise(Layer.buildWithScope(app, scope))
  const handlers = Scope.provide(Handlers.make(settings, inFlight), scope)
  const { fetch } = await Effect.runPromise(Effect.provideContext(handlers, context))
  const tenant = { account: settings.account, livemode: settings.livemode }
  const run = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.runPromise(Effect.provideContext(effect, context))
  const now = () => clock.clock.currentTimeMillisUnsafe()

  return {
    now,
    /** Sets the clock to `time` (ms UTC), unless it has passed. */
    forwardTo: (time: number) => clock.step(Math.max(0, time - now())),
    fetch,
    run,
    setDown: (provider: SandboxProviderId, isDown: boolean) =>
      run(SandboxControl.use(({ setDown }) => Effect.sync(() => setDown(provider, isDown)))),
    /** What a person, or by default the program, does. */
    as: (actor: Actor = theProgram, account = tenant.account) =>
      Operations.make({ ...tenant, account }, actor, context, inFlight),
    simulate: (payment: string, body: SimulateJson) =>
      run(SandboxSimulator.use(({ simulate }) => simulate(tenant, payment, body))),
    /** Until each event has been sent and each delivery that is due has been tried. */
    settled: async () => {
      while (await run(hasWork(now()))) await setTimeout(1)
    },
    close: async () => {
      await run(rebuildStatistics())
      await Effect.runPromise(Effect.andThen(inFlight.close(), Scope.close(scope, Exit.void)))
    }
  }
}

const hasWork = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  const undone = yield* sql`
    SELECT 1 AS undone FROM payment_events WHERE dispatched_at IS NULL
    UNION ALL
    SELECT 1 FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.status = 'pending' AND d.deliver_at <= ${now} AND e.disabled_at IS NULL
      AND (e.paused_until IS NULL OR e.paused_until <= ${now})
    LIMIT 1`
  if (undone.length === 0) return false
  yield* WebhookSender.use(({ nudge }) => nudge)
  return true
})
