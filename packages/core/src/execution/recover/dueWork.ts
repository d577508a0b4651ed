/**
 * Runs the due work for provider instances, with a separate share of concurrent runs for each instance.
 *
 * At most `share` runs for an instance are in progress, and only as many rows are claimed as can start now, so that no
 * claim expires while its run waits. A slow or hanging instance delays no other instance. Instances that are no longer
 * configured have a share, too.
 */
import { Effect, Option, Queue, Scope, Semaphore } from "effect"
import type { Claim, StoreUnavailable } from "../../store/PaymentStore.ts"
import { timings } from "../timings.ts"

/** A kind of due rows to process; each row belongs to one provider instance. */
export interface DueWork<A> {
  /** Returns the provider instances with a row that can be claimed now. */
  readonly dueProviders: (now: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** Claims rows of one provider instance, the longest due first. */
  readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
  /** Processes one claimed row in the engine's scope. After a failure the row is due again when its claim ends. */
  readonly run: (due: A) => Effect.Effect<void>
}

export interface DueWorkOptions {
  readonly owner: string
  /** The current time, ms UTC. */
  readonly now: Effect.Effect<number>
  /** The polling interval, ms. */
  readonly every: number
  /** The maximum number of runs in progress for each provider instance. */
  readonly share: number
}

/**
 * Polls for due work until the scope closes. The returned effect polls once: it claims the rows whose runs can start,
 * and starts these runs.
 */
export const startDueWork = Effect.fnUntraced(function* <A>(
  { claimDue, dueProviders, run }: DueWork<A>,
  { every, now, owner, share }: DueWorkOptions
): Effect.fn.Return<Effect.Effect<void>, never, Scope.Scope> {
  const scope = yield* Scope.Scope
  const running = new Map<string, number>()
  /** The provider instances that may have further due rows, because all their runs were in use. */
  const behind = new Set<string>()
  const wakes = yield* Queue.sliding<void>(1)

  const ended = (provider: string) => {
    const left = (running.get(provider) ?? 1) - 1
    if (left > 0) running.set(provider, left)
    else running.delete(provider)
    if (behind.has(provider)) Queue.offerUnsafe(wakes, undefined)
  }
  const start = (provider: string, due: A) => {
    running.set(provider, (running.get(provider) ?? 0) + 1)
    const counted = Effect.ensuring(
      run(due),
      Effect.sync(() => ended(provider))
    )
    return Effect.forkIn(counted, scope, { startImmediately: true })
  }
  const startDue = Effect.fnUntraced(function* (provider: string) {
    const room = share - (running.get(provider) ?? 0)
    const at = yield* now
    const due = room > 0 ? yield* claimDue({ provider, owner, now: at, until: at + lease, limit: room }) : []
    if (due.length >= room) behind.add(provider)
    for (const each of due) yield* start(provider, each)
  })
  // A lock for polls: two concurrent polls would claim rows for the same free slots.
  const alone = Semaphore.makeUnsafe(1).withPermits(1)
  const look = Effect.gen(function* () {
    behind.clear()
    for (const provider of yield* dueProviders(yield* now)) {
      yield* Effect.catchCause(startDue(provider), (cause) =>
        Effect.logWarning(`Due work of ${provider} could not be claimed`, cause)
      )
    }
  }).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Due work could not be claimed", cause)),
    alone
  )

  const untilNextLook = Effect.flatMap(Effect.timeoutOption(Queue.take(wakes), every), (woken) =>
    Option.isSome(woken) ? Effect.sleep(gather) : Effect.void
  )
  yield* Effect.forkIn(Effect.forever(Effect.andThen(look, untilNextLook)), scope)
  return look
})

/** The duration of a claim, ms: the longest inquiry, and the reads and writes before and after it. */
const lease = timings.inquiry + timings.orphanGrace

/**
 * The delay between the end of a run and the next poll, ms, so that one claim fills the slots of several ended runs.
 */
const gather = 25
