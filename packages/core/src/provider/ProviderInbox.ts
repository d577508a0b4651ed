/**
 * Where providers put evidence that nobody asked for: a webhook, a scanner's observation. The engine takes it out and
 * carries it through the one door; `emit` returns when that is done.
 *
 * It stands between the two so that a provider can be made before the engine that will listen to it.
 */
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import type { Evidence } from "./Evidence.ts"

interface Delivery {
  readonly provider: string
  readonly evidence: Evidence
  readonly done: Deferred.Deferred<void>
}

export class ProviderInbox extends Context.Service<
  ProviderInbox,
  {
    readonly emit: (provider: string, evidence: Evidence) => Effect.Effect<void>
    /** Runs `handle` for each piece, concurrently, for as long as the caller's scope lives. */
    readonly consume: (handle: (provider: string, evidence: Evidence) => Effect.Effect<void>) => Effect.Effect<never>
  }
>()("@paymux/core/provider/ProviderInbox") {
  static readonly layer = Layer.effect(
    ProviderInbox,
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<Delivery>()
      return ProviderInbox.of({
        emit: Effect.fnUntraced(function* (provider, evidence) {
          const done = yield* Deferred.make<void>()
          yield* Queue.offer(queue, { provider, evidence, done })
          yield* Deferred.await(done)
        }),
        consume: (handle) =>
          Effect.scoped(
            Effect.forever(
              Effect.flatMap(Queue.take(queue), ({ done, evidence, provider }) =>
                // Whoever emitted it goes on only when it is applied or kept, and not because the engine is closing.
                Effect.forkScoped(Effect.onExit(handle(provider, evidence), (exit) => Deferred.done(done, exit)))
              )
            )
          )
      })
    })
  )
}
