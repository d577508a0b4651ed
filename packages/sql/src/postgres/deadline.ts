import { Context, Effect } from "effect"
import type { Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** Whether statements run without a deadline. Migrations set it, because their statements may take long. */
export const WithoutDeadline = Context.Reference<boolean>("@paymux/sql/postgres/WithoutDeadline", {
  defaultValue: () => false
})

/**
 * Runs `effect` for at most `ms`. Then it fails, even if the effect cannot be interrupted: a server that disappeared
 * silently responds neither to a query nor to its cancellation. `onGivenUp` runs at the deadline, and if the caller is
 * interrupted.
 *
 * The timer uses the machine's clock: it limits the wait for a real server, which a test clock does not make faster.
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
      // The caller fails before the interruption: otherwise an effect that waits for a session would end as
      // interrupted, and not with this error.
      resume(Effect.andThen(onGivenUp, Effect.fail(late(ms))))
      running.interruptUnsafe()
    }, ms)
    running.addObserver((exit) => {
      clearTimeout(timer)
      resume(exit)
    })
    // The caller was interrupted. It does not wait until the effect has ended, because the server may notice the
    // cancellation late.
    return Effect.suspend(() => {
      clearTimeout(timer)
      running.interruptUnsafe()
      return onGivenUp
    })
  })

class DeadlineExceeded extends Error {}

/** The error of a statement that exceeded its deadline: it is unknown whether the statement was committed. */
export const late = (ms: number): SqlError => {
  const message = `PostgreSQL did not answer within ${ms} ms`
  const cause = new DeadlineExceeded(message)
  return new SqlError({ reason: new ConnectionError({ cause, message, operation: "query" }) })
}

export const isLate = ({ reason }: SqlError): boolean =>
  reason._tag === "ConnectionError" && reason.cause instanceof DeadlineExceeded
