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
  readonly queues: Set<Queue.Queue<Change, Cause.Done>>
}

/** The payment after a change; `null`: nothing changed for a while, and proxies close connections that are silent. */
export type Change = Payment | null

export class Changes extends Context.Service<
  Changes,
  {
    /** The payment as it was read, then after each change. Never ends: its scope ends it. */
    readonly of: (known: Payment) => Stream.Stream<Change>
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

  const offer = ({ queues }: Watched, change: Change) => {
    for (const queue of queues) Queue.offerUnsafe(queue, change)
  }

  const look = Effect.gen(function* () {
    if (watched.size === 0) return
    for (const [id, version] of yield* store.versions([...watched.keys()])) {
      const entry = watched.get(id)
      if (entry === undefined || entry.version === version) continue
      const record = yield* store.get(id)
      if (record === null) continue
      entry.version = record.payment.version
      offer(entry, record.payment)
    }
  })

  const beat = Effect.sync(() => {
    for (const entry of watched.values()) offer(entry, null)
  })

  yield* look.pipe(
    // The pages poll meanwhile; the next look finds what changed.
    Effect.catchTag("StoreUnavailable", () => Effect.void),
    Effect.delay("1 second"),
    Effect.repeat({ times: 14 }),
    Effect.andThen(beat),
    Effect.forever,
    Effect.forkScoped
  )

  const watch = (known: Payment, queue: Queue.Queue<Change, Cause.Done>) =>
    Effect.sync(() => {
      const entry = watched.get(known.id) ?? { version: known.version, queues: new Set() }
      watched.set(known.id, entry)
      entry.queues.add(queue)
      Queue.offerUnsafe(queue, known)
    })

  const leave = (known: Payment, queue: Queue.Queue<Change, Cause.Done>) =>
    Effect.sync(() => {
      const entry = watched.get(known.id)
      entry?.queues.delete(queue)
      if (entry?.queues.size === 0) watched.delete(known.id)
    })

  return Changes.of({
    of: (known) =>
      Stream.callback<Change>(
        (queue) => Effect.acquireRelease(watch(known, queue), () => leave(known, queue)),
        // A slow reader misses states in between, never the latest.
        { bufferSize: 16, strategy: "sliding" }
      )
  })
})
