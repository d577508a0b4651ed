/** Another time of day, for whatever reads it: the Effect `Clock` and `Date` alike. */
import { Effect } from "effect"

/**
 * The effect as if it ran `ms` from now. Timers take as long as ever.
 *
 * `Date` is changed and put back: adapters that are not written in Effect read nothing else.
 */
export const laterBy = <A, E, R>(ms: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const real = globalThis.Date
      globalThis.Date = shifted(real, ms)
      return real
    }),
    () => effect,
    (real) =>
      Effect.sync(() => {
        globalThis.Date = real
      })
  )

const shifted = (real: DateConstructor, ms: number): DateConstructor => {
  const now = () => real.now() + ms
  return new Proxy(real, {
    construct: (target, given: ReadonlyArray<unknown>, made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver))
  })
}
