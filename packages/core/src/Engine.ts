/**
 * The engine as Layers: everything between a `PaymentStore` and the `Payments` service.
 *
 * @example
 * ```ts
 * import { Engine, MemoryStore } from "@paymux/core"
 * import { Layer } from "effect"
 *
 * const live = Engine.layer({ providers: [], publicUrl: "http://localhost:4310" }).pipe(Layer.provide(MemoryStore.layer))
 * ```
 */
import { Data, Effect, Layer, Schedule } from "effect"
import { Ids } from "./domain/Ids.ts"
import { Executor } from "./execution/Executor.ts"
import { LivePayments } from "./execution/LivePayments.ts"
import { PaymentWriter } from "./execution/PaymentWriter.ts"
import { ProviderInbox } from "./provider/ProviderInbox.ts"
import { Reconciler } from "./execution/Reconciler.ts"
import type { ReconcilerOptions } from "./execution/Reconciler.ts"
import { Sender } from "./execution/Sender.ts"
import { Payments } from "./Payments.ts"
import type { Evidence } from "./provider/Evidence.ts"
import type { Provider } from "./provider/Provider.ts"
import { ProviderRegistry } from "./provider/ProviderRegistry.ts"
import { isEvidence } from "./provider/validity.ts"
import type { BreakerSettings } from "./resilience/Breaker.ts"
import * as Bulkhead from "./resilience/Bulkhead.ts"
import * as OpossumBreaker from "./resilience/OpossumBreaker.ts"
import { ProviderGuard } from "./resilience/ProviderGuard.ts"
import { RetryBudget } from "./resilience/RetryBudget.ts"
import { Routing } from "./routing/Routing.ts"

export interface EngineOptions {
  /** In the order they are tried where no rule says otherwise. */
  readonly providers: ReadonlyArray<Provider>
  /** Rules of the routing language; checked against the providers when the layer is built. */
  readonly routing?: unknown
  /** Where this server is reached from outside, without a trailing slash. */
  readonly publicUrl: string
  readonly breaker?: Partial<BreakerSettings>
  readonly reconciler?: Partial<ReconcilerOptions>
  /** How long a shutdown waits for sends in flight, in ms. */
  readonly drain?: number
}

/** Needs a `PaymentStore`; `Ids` come from the platform unless provided. */
export const layer = (options: EngineOptions) => {
  const foundations = Layer.mergeAll(
    ProviderInbox.layer,
    LivePayments.layer,
    RetryBudget.layer,
    Bulkhead.layer(),
    OpossumBreaker.layer(options.breaker)
  )
  return listening(options.drain ?? 5_000).pipe(
    Layer.provideMerge(Payments.layer),
    Layer.provideMerge(Reconciler.layer(options.reconciler)),
    Layer.provideMerge(Executor.layer),
    Layer.provideMerge(Sender.layer),
    Layer.provideMerge(Layer.mergeAll(ProviderGuard.layer, PaymentWriter.layer, Routing.layer(options.routing))),
    Layer.provideMerge(ProviderRegistry.layer(options.providers, { publicUrl: options.publicUrl })),
    Layer.provideMerge(foundations)
  )
}

/** With ids from the platform's randomness. */
export const layerLive = (options: EngineOptions) => Layer.provide(layer(options), Ids.layer)

/** Takes what providers emit through the door, and lets sends in flight end before the engine does. */
const listening = (drain: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const inbox = yield* ProviderInbox
      const payments = yield* Payments
      const live = yield* LivePayments
      yield* Effect.addFinalizer(() => Effect.timeoutOption(live.drained, drain))
      yield* Effect.forkScoped(inbox.consume((evidence) => take(payments, evidence)))
    })
  )

/** Nothing that a provider told is dropped because the database is away: it is taken when it is back. */
const take = (payments: Payments["Service"], evidence: Evidence) =>
  isEvidence(evidence)
    ? payments.advance(evidence).pipe(
        Effect.retry(untilBack),
        Effect.flatMap((advanced) => (advanced._tag === "Unmatched" ? new Unmatched() : Effect.void)),
        // It may come before our own commit.
        Effect.retry(untilCommitted),
        Effect.catchTag("Unmatched", () => Effect.logWarning("A provider told of a payment that nobody knows")),
        Effect.catchCause((cause) => Effect.logError("A provider's evidence could not be applied", cause))
      )
    : Effect.logError("A provider told what is no evidence; it was not believed")

class Unmatched extends Data.TaggedError("Unmatched") {}

const untilBack = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])
const untilCommitted = Schedule.spaced("1 second").pipe(Schedule.upTo({ times: 60 }))
