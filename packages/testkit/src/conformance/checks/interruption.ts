import { Effect, Fiber } from "effect"
import { withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { endsWithin, hasEnded } from "../realTime.ts"
import { arrives, requestsAt, sentAfter, type Silence, silences } from "./silence.ts"

export const interruption: ConformanceCheck = {
  id: "interruption",
  title: "an interrupted call ends at once and closes its connection",
  why:
    "The engine interrupts a call at its deadline and at shutdown. A call that continues holds a socket and one of " +
    "the provider's slots, and may still send a request whose result is not read.",
  howToFix:
    "Pass the `AbortSignal` to the client (`fetch(url, { signal })`), or use `ProviderHttp`, which does so. Make " +
    "nothing uninterruptible, and start no background work in a call.",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.scoped(Effect.flatMap(silences(context, "never"), Effect.forEach(interrupted, { discard: true })))
}

const interrupted = Effect.fnUntraced(function* (silence: Silence) {
  const { at, call, harness, what } = silence
  const tried = `${what} interrupted while the vendor was silent`
  const fiber = yield* Effect.forkDetach(call, { startImmediately: true })
  const arrived = yield* arrives(silence, fiber)
  // It was asked for before, by another instance.
  if (!arrived && (yield* hasEnded(fiber))) return
  yield* harness.expect(arrived, { tried, expected: "a request", seen: "none" })
  const ended = yield* endsWithin(Fiber.interrupt(fiber))
  yield* harness.expect(ended, { tried, expected: "the call ends", seen: "it goes on" })
  const connection = (yield* requestsAt(harness))[at]
  const closed = connection === undefined || (yield* endsWithin(connection.closed))
  yield* harness.expect(closed, { tried, expected: "its connection is closed", seen: "it stays open" })
  const more = yield* sentAfter(silence)
  yield* harness.expect(more.length === 0, {
    tried,
    expected: "nothing more is sent",
    seen: more.map(({ method, path }) => `${method} ${path}`).join(", ")
  })
})
