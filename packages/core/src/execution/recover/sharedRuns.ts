/**
 * Deduplicates concurrent runs: callers with the same key share one run and its result. The number of keys in flight is
 * limited per group.
 */
import { Deferred, Effect } from "effect"
import type { Scope } from "effect"

export interface SharedRuns<A, E> {
  /**
   * Runs `work`, or joins the running one with this key; `null` if too many other keys of the group are in flight, and
   * nothing was run.
   */
  readonly run: (group: string, key: string, work: Effect.Effect<A, E>) => Effect.Effect<A | null, E>
}

/**
 * Creates the deduplication. Each run belongs to `scope`, not to its first caller, which may be interrupted while other
 * callers wait.
 */
export const make = <A, E>(scope: Scope.Scope, mostKeys: number): SharedRuns<A, E> => {
  const groups = new Map<string, Map<string, Deferred.Deferred<A, E>>>()
  const forget = (group: string, key: string) => {
    const keys = groups.get(group)
    keys?.delete(key)
    if (keys?.size === 0) groups.delete(group)
  }
  return {
    run: (group, key, work) =>
      Effect.suspend((): Effect.Effect<A | null, E> => {
        const keys = groups.get(group) ?? new Map<string, Deferred.Deferred<A, E>>()
        const running = keys.get(key)
        if (running !== undefined) return Deferred.await(running)
        if (keys.size >= mostKeys) return Effect.succeed(null)
        const result = Deferred.makeUnsafe<A, E>()
        groups.set(group, keys.set(key, result))
        const run = Effect.onExit(work, (exit) =>
          Effect.suspend(() => {
            forget(group, key)
            return Deferred.done(result, exit)
          })
        )
        return Effect.andThen(Effect.forkIn(run, scope), Deferred.await(result))
      })
  }
}
