import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import { endsWithin, eventually, hasEnded } from "../realTime.ts"
import { endingOf } from "../ConformanceContext.ts"
import type { ConformanceContext } from "../ConformanceContext.ts"
import { arrives, sentAfter, type Silence, silences } from "./silence.ts"

export const deadline: ConformanceCheck = {
  id: "deadline",
  title: "a call ends at its deadline, or when it is interrupted, and sends nothing more",
  why:
    "After `deadlineAt` the engine no longer waits: the attempt is unknown, and the engine inquires. A call that runs " +
    "longer, or that retries on its own, has effects that the engine does not know.",
  howToFix:
    "Send once. Give every request a timeout below the rail's (card 20 s, UPI 15 s, inquiry 10 s), return " +
    "`Outcome.unknown` for a timeout, and leave every retry to the engine.",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.forEach(["never", "drip"] as const, (reply) => inVirtualTime(context, reply), { discard: true })
}

/** Sockets are real, and only the clock is not: half a minute passes at once. */
const inVirtualTime = (context: ConformanceContext, reply: "never" | "drip"): Effect.Effect<void, CheckFailed> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
    for (const silence of yield* silences(context, reply)) yield* ends(silence, reply)
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))

const ends = Effect.fnUntraced(function* (silence: Silence, reply: "never" | "drip") {
  const { call, operation, harness, what } = silence
  const tried = `${what} ${reply === "never" ? "is not answered" : "is answered a byte at a time"} until the deadline`
  const fiber = yield* Effect.forkDetach(call, { startImmediately: true })
  const arrived = yield* arrives(silence, fiber)
  // It was asked for before, by another instance.
  if (!arrived && (yield* hasEnded(fiber))) return
  yield* harness.expect(arrived, { tried, expected: "a request", seen: "none" })
  yield* TestClock.adjust(operation.deadlineAt - (yield* Clock.currentTimeMillis))
  // A client with a clock of its own is interrupted by the engine.
  const endsUnprompted = yield* eventually(hasEnded(fiber), 100)
  yield* harness.expect(endsUnprompted || (yield* endsWithin(Fiber.interrupt(fiber))), {
    tried,
    expected: "the call has ended, or ends when it is interrupted",
    seen: "it goes on"
  })
  if (endsUnprompted) {
    const seen = endingOf(yield* Fiber.await(fiber))
    const said = seen._tag === "Answered" ? seen.answer._tag : null
    // It may have been looked up meanwhile: the vendor had executed it.
    const isTrue = said === "Unknown" || said === "Succeeded" || said === "Authorized"
    yield* harness.expect(isTrue, { tried, expected: "Unknown", seen })
  }
  yield* TestClock.adjust("1 minute")
  const more = yield* sentAfter(silence)
  yield* harness.expect(more.length === 0, {
    tried,
    expected: "nothing is sent again",
    seen: more.map(({ method, path }) => `${method} ${path}`).join(", ")
  })
})
