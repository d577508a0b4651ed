import { Context, Effect } from "effect"
import type { Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** Whether statements have no deadline. For migrations. */
export const WithoutDeadline = Context.Reference<boolean>("@paymux/sql/postgres/WithoutDeadline", {
  defaultValue: () => false
})

/**
 * Runs `effect` for at most `ms`, and fails then whether or not the effect can be stopped: a server that disappeared silently
 * responds neither to a query nor to its cancellation. `onGivenUp` is run then, and if the caller is interrupted.
 *
 * The timer is the machine's own: it watches a socket, and a test's clock does not make a server faster.
 */
export const withinDeadline = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  ms: number,
  onGivenUp: Effect.Effect<void> = Effect.void
): Effect.Effect<A, E | SqlError, R> =>
  Effect.withFiber<A, E | SqlError, R>((fiber) =>
    fiber.getRef(WithoutDeadline)
      ? effect
      : Effect.flatMap(detached(effect), (running) => within(running, ms, onGivenUp))
  )

const detached = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkDetach(effect, { startImmediately: true })

const within = <A, E>(running: Fiber.Fiber<A, E>, ms: number, onGivenUp: Effect.Effect<void>) =>
  Effect.callback<A, E | SqlError>((resume) => {
    const timer = setTimeout(() => {
      // The caller fails first: an effect that waits for a session ends at once when it is interrupted.
      resume(Effect.andThen(onGivenUp, Effect.fail(late(ms))))
      running.interruptUnsafe()
    }, ms)
    running.addObserver((exit) => {
      clearTimeout(timer)
      resume(exit)
    })
    // The effect is interrupted without waiting: a caller that gave up does not wait for the server to notice.
    return Effect.suspend(() => {
      clearTimeout(timer)
      running.interruptUnsafe()
      return onGivenUp
    })
  })

class DeadlineExceeded extends Error {}

/** The result of the statement is unknown. */
export const late = (ms: number): SqlError => {
  const message = `PostgreSQL did not answer within ${ms} ms`
  const cause = new DeadlineExceeded(message)
  return new SqlError({ reason: new ConnectionError({ cause, message, operation: "query" }) })
}

export const isLate = ({ reason }: SqlError): boolean =>
  reason._tag === "ConnectionError" && reason.cause instanceof DeadlineExceeded
