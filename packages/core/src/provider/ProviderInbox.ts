/**
 * The queue of evidence that providers emit, such as the observations of a scanner. The engine takes each piece and
 * applies it; `emit` returns when that is done.
 *
 * With the queue in between, a provider can be made before the engine.
 */
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import type { Evidence } from "../domain/Evidence.ts"

interface Delivery {
  readonly provider: string
  readonly evidence: Evidence
  readonly done: Deferred.Deferred<void>
}

export class ProviderInbox extends Context.Service<
  ProviderInbox,
  {
    readonly emit: (provider: string, evidence: Evidence) => Effect.Effect<void>
    /** Runs `handle` for each piece of evidence, concurrently, until the caller's scope is closed. */
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
                // `emit` returns only after the evidence is applied or stored. The closing of the engine does not make
                // it return.
                Effect.forkScoped(Effect.onExit(handle(provider, evidence), (exit) => Deferred.done(done, exit)))
              )
            )
          )
      })
    })
  )
}
