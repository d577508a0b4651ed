/**
 * The engine as Layers: everything between a `PaymentStore` and the `Payments` service.
 *
 * @example
 * ```ts
 * import { Engine } from "@paymux/core"
 * import { MemoryStore } from "@paymux/testkit/memory-store"
 * import { Layer } from "effect"
 *
 * const live = Engine.layer({ providers: [], publicUrl: "http://localhost:4310" }).pipe(Layer.provide(MemoryStore.layer))
 * ```
 */
import { Effect, Layer, Predicate, Schedule } from "effect"
import type { CardRetrySettings } from "./domain/cardRetries.ts"
import { Ids } from "./domain/Ids.ts"
import type { LateSuccess } from "./domain/Step.ts"
import * as Execution from "./execution/layers.ts"
import { Inbox } from "./execution/recover/inbox/Inbox.ts"
import { LivePayments } from "./execution/begin/LivePayments.ts"
import { ProviderInbox } from "./provider/ProviderInbox.ts"
import type { ReconcilerOptions } from "./execution/recover/Reconciler.ts"
import { Payments } from "./Payments.ts"
import type { Provider } from "./provider/Provider.ts"
import { ProviderRegistry } from "./provider/ProviderRegistry.ts"
import { logUnusableAction } from "./provider/logUnusableAction.ts"
import { readEvidence } from "./provider/validity.ts"
import { ReturnSchemes, type ReturnSchemesOf } from "./execution/begin/ReturnSchemes.ts"
import { ReturnAddress, type ReturnAddressOf } from "./provider/ReturnAddress.ts"
import * as Resilience from "./resilience/layers.ts"
import type { ResilienceOptions } from "./resilience/layers.ts"
import * as PriorityRouter from "./routing/PriorityRouter.ts"
import type { Router } from "./routing/Router.ts"
import type { PaymentStore } from "./store/PaymentStore.ts"

/** The options of the engine. `E`: the errors with which building the router can fail. */
export interface EngineOptions<E = never> extends ResilienceOptions {
  /** The providers. Without a router, they are tried in this order. */
  readonly providers: ReadonlyArray<Provider>
  /**
   * The ids of retired instances whose credentials no longer exist: the engine starts although they have open
   * operations.
   */
  readonly retired?: ReadonlyArray<string>
  /**
   * The router, which selects the providers to try: `PriorityRouter`, the rules of `@paymux/routing`, or your own
   * router.
   */
  readonly router?: Layer.Layer<Router, E, PaymentStore>
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string
  /**
   * How the engine handles a success that a provider reports for a failed payment. Default: the payment succeeds,
   * marked `late`.
   */
  readonly lateSuccess?: LateSuccess
  /** The URL to which providers redirect the shopper. Default: the payment's own `return_url`. */
  readonly returnAddress?: ReturnAddressOf
  /** The URL schemes of apps that are allowed in a `return_url`. Default: none. */
  readonly returnSchemes?: ReturnSchemesOf
  /** The limits of retries of a declined card, counted by its `card.fingerprint`. Default: `cardRetryDefaults`. */
  readonly cardRetries?: Partial<CardRetrySettings>
  readonly reconciler?: Partial<ReconcilerOptions>
  /** The time for which a shutdown waits for requests that are being sent, ms. */
  readonly drain?: number
}

/**
 * The layer of the engine. It requires a `PaymentStore`. The platform provides the service `Ids` unless a layer does.
 */
export const layer = <E = never>(options: EngineOptions<E>) => {
  const foundations = Layer.mergeAll(
    ProviderInbox.layer,
    Execution.foundations,
    Resilience.layer(options),
    Execution.cardRetries(options.cardRetries),
    options.returnAddress === undefined ? Layer.empty : Layer.succeed(ReturnAddress, options.returnAddress),
    options.returnSchemes === undefined ? Layer.empty : Layer.succeed(ReturnSchemes, options.returnSchemes)
  )
  return listening(options.drain ?? 5_000).pipe(
    Layer.provideMerge(Payments.layer),
    Layer.provideMerge(Execution.layer(options)),
    Layer.provideMerge(Layer.mergeAll(options.router ?? inOrder)),
    Layer.provideMerge(ProviderRegistry.layer(options.providers, options)),
    Layer.provideMerge(foundations)
  )
}

/** The default router, with the providers of the registry, which has validated them. */
const inOrder: Layer.Layer<Router, never, ProviderRegistry> = Layer.unwrap(
  Effect.map(ProviderRegistry, ({ providers }) => PriorityRouter.layer(providers))
)

/** The engine for production: its ids come from the runtime's random generator. */
export const layerLive = <E = never>(options: EngineOptions<E>) => Layer.provide(layer(options), Ids.layer)

/** Applies the evidence that providers emit. On shutdown, it waits until requests that are being sent have ended. */
const listening = (drain: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const emitted = yield* ProviderInbox
      const inbox = yield* Inbox
      const live = yield* LivePayments
      yield* Effect.addFinalizer(() => Effect.timeoutOption(live.drained, drain))
      yield* Effect.forkScoped(emitted.consume((provider, evidence) => take(inbox, provider, evidence)))
    })
  )

/** Applies emitted evidence, and retries until the database is available. */
const take = (inbox: Inbox["Service"], provider: string, reported: unknown) => {
  const evidence = readEvidence(reported)
  return evidence === null
    ? Effect.logError("A provider emitted invalid evidence; it was ignored")
    : logUnusableAction(provider, Predicate.isObject(reported) ? reported["outcome"] : null).pipe(
        Effect.andThen(Effect.retry(inbox.observe(provider, evidence), untilBack)),
        Effect.tapCause((cause) => Effect.logError("A provider's evidence could not be applied", cause)),
        Effect.orDie
      )
}

const untilBack = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])
