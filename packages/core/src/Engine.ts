/**
 * The engine as Layers: everything between a `PaymentStore` and the `Payments` service.
 *
 * @example
 * ```ts
 * import { Engine } from "@paymux/core"
 * import { MemoryStore } from "@paymux/core/store"
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

/** `E`: why the router cannot be made. */
export interface EngineOptions<E = never> extends ResilienceOptions {
  /** Without a router they are tried in this order. */
  readonly providers: ReadonlyArray<Provider>
  /** The ids of instances that were retired without their credentials: the engine starts although operations of theirs are open. */
  readonly retired?: ReadonlyArray<string>
  /** Decides which providers are tried: `PriorityRouter`, the rules of `@paymux/routing`, or one of your own. */
  readonly router?: Layer.Layer<Router, E, PaymentStore>
  /** Where this server is reached from outside, without a trailing slash. */
  readonly publicUrl: string
  /** What a success does to a payment that has failed. Default: it succeeds after all, `late`. */
  readonly lateSuccess?: LateSuccess
  /** Where providers send the shopper back to. Default: the payment's own `return_url`. */
  readonly returnAddress?: ReturnAddressOf
  /** Schemes of apps that a `return_url` may have. Default: none. */
  readonly returnSchemes?: ReturnSchemesOf
  /** How often a declined card may be tried, by its `card.fingerprint`. Default: `cardRetryDefaults`. */
  readonly cardRetries?: Partial<CardRetrySettings>
  readonly reconciler?: Partial<ReconcilerOptions>
  /** How long a shutdown waits for sends in flight, in ms. */
  readonly drain?: number
}

/** Needs a `PaymentStore`; `Ids` come from the platform unless provided. */
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
    Layer.provideMerge(registry(options)),
    Layer.provideMerge(foundations)
  )
}

const registry = ({ providers, publicUrl, retired = [] }: EngineOptions<unknown>) =>
  ProviderRegistry.layer(providers, { publicUrl, retired })

/** Needs the registry, which refuses providers that are no providers. */
const inOrder: Layer.Layer<Router, never, ProviderRegistry> = Layer.unwrap(
  Effect.map(ProviderRegistry, ({ providers }) => PriorityRouter.layer(providers))
)

/** With ids from the platform's randomness. */
export const layerLive = <E = never>(options: EngineOptions<E>) => Layer.provide(layer(options), Ids.layer)

/** Applies what providers emit, and lets sends in flight end before the engine does. */
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

/** Evidence is not dropped while the database is unavailable: it is applied when the database is back. */
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
