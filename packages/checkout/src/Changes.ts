/**
 * Follows payments for open pages. However many streams are open, a process asks the database once a second for the
 * versions of all of them, and reads a payment only when it changed.
 *
 * Gotchas: no `LISTEN`, since connection poolers break it.
 */
import type { Payment, PaymentId } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { Context, Effect, Layer, Queue, Stream } from "effect"
import type { Cause } from "effect"

interface Watched {
  version: number
  readonly queues: Set<Queue.Queue<Payment, Cause.Done>>
}

export class Changes extends Context.Service<
  Changes,
  {
    /** The payment after each change, beginning with `known` as it was read. Ends never; its scope ends it. */
    readonly of: (known: Payment) => Stream.Stream<Payment>
    /** How many streams are open. */
    readonly open: Effect.Effect<number>
  }
>()("@paymux/checkout/Changes") {
  static readonly layer: Layer.Layer<Changes, never, PaymentStore> = Layer.effect(
    Changes,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* PaymentStore
  const watched = new Map<PaymentId, Watched>()

  const look = Effect.gen(function* () {
    const versions = yield* store.versions([...watched.keys()])
    for (const [id, version] of versions) {
      const entry = watched.get(id)
      if (entry === undefined || entry.version === version) continue
      const record = yield* store.get(id)
      if (record === null) continue
      entry.version = record.payment.version
      for (const queue of entry.queues) Queue.offerUnsafe(queue, record.payment)
    }
  })

  yield* Effect.sleep("1 second").pipe(
    Effect.andThen(Effect.suspend(() => (watched.size === 0 ? Effect.void : look))),
    // The pages poll meanwhile; the next look finds what changed.
    Effect.catchTag("StoreUnavailable", () => Effect.void),
    Effect.forever,
    Effect.forkScoped
  )

  return Changes.of({
    open: Effect.sync(() => [...watched.values()].reduce((sum, { queues }) => sum + queues.size, 0)),
    of: (known) =>
      Stream.callback<Payment>(
        (queue) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              const entry = watched.get(known.id) ?? { version: known.version, queues: new Set() }
              watched.set(known.id, entry)
              entry.queues.add(queue)
              Queue.offerUnsafe(queue, known)
            }),
            () =>
              Effect.sync(() => {
                const entry = watched.get(known.id)
                entry?.queues.delete(queue)
                if (entry?.queues.size === 0) watched.delete(known.id)
              })
          ),
        // A slow reader misses states in between, never the latest.
        { bufferSize: 4, strategy: "sliding" }
      )
  })
})
