/**
 * An engine under a virtual clock, with real sockets: the clock moves in small steps, and after each of them the calls that
 * its providers have on their way are waited for. For tests that follow a payment over hours or days.
 *
 * @example
 * ```ts
 * import type { Provider } from "@paymux/core"
 * import { virtualTime } from "@paymux/test-suites"
 * import { Effect } from "effect"
 *
 * const halfAnHour = (provider: Provider, start: (provider: Provider) => Effect.Effect<void>) => {
 *   const time = virtualTime()
 *   return Effect.andThen(start(time.watched(provider)), time.pass(30 * 60_000))
 * }
 * ```
 */
import type { Provider } from "@paymux/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { everyCall } from "./everyCall.ts"

export interface VirtualTime {
  /** ms; the reconciler of an engine may look as often. */
  readonly step: number
  /** The provider to give to the engine: its calls are counted. */
  readonly watched: (provider: Provider) => Provider
  /** The store, or another service of that shape: its calls are counted as well. A database answers in real time. */
  readonly watchedService: <S extends object>(service: S) => S
  /** An effect of such a service, which is counted while it runs. */
  readonly counted: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Until no call is on its way, and a few turns of the event loop have started none. */
  readonly settle: Effect.Effect<void>
  /** ms, of the `TestClock`. */
  readonly pass: (time: number) => Effect.Effect<void>
}

export const virtualTime = (
  options: {
    /** ms; less than a call's own limit, so that no call runs into it unanswered. 4 s by default. */
    readonly step?: number
    /**
     * Real ms after which a call is not waited for any more, because the vendor never answers it. 30 s by default: on a busy
     * machine, an answer takes seconds.
     */
    readonly patience?: number
  } = {}
): VirtualTime => {
  const { patience = 30_000, step = 4_000 } = options
  const waiting: Array<(isIdle: boolean) => void> = []
  let onTheirWay = 0

  const counted = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      onTheirWay++
      return Effect.ensuring(
        call,
        Effect.sync(() => {
          if (--onTheirWay === 0) for (const tell of waiting.splice(0)) tell(true)
        })
      )
    })

  const watched = (provider: Provider): Provider => ({
    ...provider,
    make: (context) =>
      Effect.map(provider.make(context), (operations) => {
        const { cancel, capture, complete, create, inquire, refund } = operations
        return {
          ...operations,
          create: (operation) => counted(create(operation)),
          ...(inquire && { inquire: (operation) => counted(inquire(operation)) }),
          ...(capture && { capture: (operation) => counted(capture(operation)) }),
          ...(cancel && { cancel: (operation) => counted(cancel(operation)) }),
          ...(refund && { refund: (operation) => counted(refund(operation)) }),
          ...(complete && { complete: (operation, query) => counted(complete(operation, query)) })
        }
      })
  })

  const becomesIdle = async (): Promise<boolean> => {
    const late = new AbortController()
    const idle = new Promise<boolean>((resolve) => waiting.push(resolve))
    const isIdle = await Promise.race([idle, sleep(patience, false, { signal: late.signal }).catch(() => false)])
    late.abort()
    // After a turn that took long, timers are served before the sockets whose replies are there.
    if (!isIdle) await nextTurn()
    return isIdle || onTheirWay === 0
  }

  const settle = Effect.promise(async () => {
    for (let quiet = 0; quiet < quietTurns; quiet++) {
      await nextTurn()
      if (onTheirWay === 0) continue
      if (!(await becomesIdle())) return
      quiet = 0
    }
  })

  const pass = Effect.fnUntraced(function* (time: number) {
    for (let left = time; left > 0; left -= step) {
      yield* TestClock.adjust(Math.min(step, left))
      yield* settle
    }
  })

  return { step, watched, watchedService: (service) => everyCall(service, counted), counted, settle, pass }
}

/** What an answer sets off has begun by then. */
const quietTurns = 10
