/**
 * The order in which passwords are hashed. A hash takes a core and much memory, which payments need too, so one runs at a time,
 * and a pause as long as the hash follows it: however many people sign in, a process spends half of one core on them.
 *
 * Requests of known devices have places of their own and go first, so a flood from elsewhere neither refuses nor delays them.
 */
import { Clock, Deferred, Effect, Queue } from "effect"
import { SignInBusy } from "./errors.ts"

/** `known`: the browser has signed in with this password before, has a session, or opened a link that is valid. */
export type Origin = "known" | "unknown"

export interface HashQueue {
  /** Holds a place for the work, which may begin with something else than its hash. */
  readonly withPlace: <A, E, R>(origin: Origin, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SignInBusy, R>
  /** Computes a hash when it is its turn. To be run in a place. */
  readonly inTurn: <A>(origin: Origin, hash: Effect.Effect<A>) => Effect.Effect<A>
}

/** `places`: of each origin; more requests are refused. */
export const makeHashQueue = Effect.fnUntraced(function* (places: number) {
  const taken = { known: 0, unknown: 0 }
  const waiting: { readonly [origin in Origin]: Array<Effect.Effect<void>> } = { known: [], unknown: [] }
  const arrivals = yield* Queue.unbounded<void>()

  const next = Effect.gen(function* () {
    yield* Queue.take(arrivals)
    const hash = waiting.known.shift() ?? waiting.unknown.shift()
    // Its client disconnected.
    if (hash === undefined) return
    const started = yield* Clock.monotonicTimeNanos
    yield* hash
    const took = Number((yield* Clock.monotonicTimeNanos) - started) / 1e6
    yield* Effect.sleep(Math.min(took, longestPause))
  })
  yield* Effect.forkScoped(Effect.forever(next))

  return {
    withPlace: <A, E, R>(origin: Origin, work: Effect.Effect<A, E, R>) =>
      Effect.suspend<A, E | SignInBusy, R>(() => {
        if (taken[origin] >= places) return Effect.fail(new SignInBusy({ retryAfterSeconds }))
        taken[origin] += 1
        return Effect.ensuring(
          work,
          Effect.sync(() => {
            taken[origin] -= 1
          })
        )
      }),
    inTurn: <A>(origin: Origin, hash: Effect.Effect<A>) =>
      Effect.suspend(() => {
        const line = waiting[origin]
        const hashed = Deferred.makeUnsafe<A>()
        const turn = Deferred.into(hash, hashed)
        line.push(turn)
        Queue.offerUnsafe(arrivals, undefined)
        return Effect.onInterrupt(Deferred.await(hashed), () =>
          Effect.sync(() => {
            const at = line.indexOf(turn)
            if (at >= 0) line.splice(at, 1)
          })
        )
      })
  } satisfies HashQueue
})

/** About how long a full line takes. */
const retryAfterSeconds = 10

/** ms. A hash that took longer was during a pause of the whole machine. */
const longestPause = 5_000
