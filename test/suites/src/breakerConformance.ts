/**
 * What every implementation of the `Breakers` port must do, as a suite to run it through.
 *
 * @example
 * ```ts
 * breakerConformance("my breaker", () => MyBreaker.layer(), (ms) => TestClock.adjust(ms))
 * ```
 */
import { assert, describe, it } from "@effect/vitest"
import { BreakerOpen, breakerDefaults, Breakers } from "@paymux/core/engine"
import type { Breaker, BreakerKey, BreakerPermit, BreakerResult } from "@paymux/core/engine"
import { Effect, PubSub, Result } from "effect"
import type { Layer } from "effect"

const { minimumCalls, openMs, probeLeaseMs, windowMs } = breakerDefaults
const key: BreakerKey = { provider: "acme", operation: "create" }

/**
 * @param makeLayer a new, independent set of breakers with the settings of `breakerDefaults`
 * @param advance moves the clocks that the implementation reads, by ms, and runs what falls due
 */
export const breakerConformance = (
  name: string,
  makeLayer: () => Layer.Layer<Breakers>,
  advance: (ms: number) => Effect.Effect<void>
): void => {
  const check = (title: string, body: (breaker: Breaker) => Effect.Effect<void, BreakerOpen, Breakers>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* body((yield* Breakers).get(key))
      }).pipe(Effect.provide(makeLayer()))
    )
  /** Opens it by an outage and waits until it may be probed. */
  const halfOpen = (breaker: Breaker) =>
    Effect.gen(function* () {
      yield* times(minimumCalls, call(breaker, "failure"))
      yield* advance(openMs)
      assert.strictEqual(breaker.state(), "half_open")
    })

  describe(`${name} is a breaker`, () => {
    check("10,000 declines leave it closed", (breaker) =>
      Effect.gen(function* () {
        yield* times(10_000, call(breaker, "ignored"))
        assert.strictEqual(breaker.state(), "closed")
      })
    )

    check("declines do not hide an outage: they are not counted as calls", (breaker) =>
      Effect.gen(function* () {
        yield* times(1000, call(breaker, "ignored"))
        yield* times(minimumCalls, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("a total outage opens it with the failure that reaches the minimum of calls, not before", (breaker) =>
      Effect.gen(function* () {
        yield* times(minimumCalls - 1, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "closed")
        yield* call(breaker, "failure")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("an outage under 100 calls in flight opens it with the same failure", (breaker) =>
      Effect.gen(function* () {
        const permits = yield* Effect.all(Array.from({ length: 100 }, () => admit(breaker)))
        for (const permit of permits.slice(0, minimumCalls)) permit.report("failure")
        assert.strictEqual(breaker.state(), "open")
        for (const permit of permits.slice(minimumCalls)) permit.report("success")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("half of the calls failing opens it, fewer do not", (breaker) =>
      Effect.gen(function* () {
        yield* times(51, call(breaker, "success"))
        yield* times(50, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "closed")
        yield* call(breaker, "failure")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("failures that left the window no longer count", (breaker) =>
      Effect.gen(function* () {
        yield* times(minimumCalls - 1, call(breaker, "failure"))
        yield* advance(windowMs + windowMs / breakerDefaults.windowBuckets)
        yield* times(minimumCalls - 1, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "closed")
      })
    )

    check("open refuses everybody, says how long, and is probed when the open time is over", (breaker) =>
      Effect.gen(function* () {
        yield* times(minimumCalls, call(breaker, "failure"))
        yield* advance(openMs - 1000)
        assert.strictEqual(refusal(breaker).retryAfterMs, 1000)
        assert.strictEqual(breaker.state(), "open")
        yield* advance(1000)
        assert.strictEqual(breaker.state(), "half_open")
      })
    )

    check("of 100 concurrent calls half-open exactly 1 goes through", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        const results = Array.from({ length: 100 }, () => breaker.admit())
        assert.strictEqual(results.filter(Result.isSuccess).length, 1)
        assert.isAtLeast(refusal(breaker).retryAfterMs, 1)
      })
    )

    check("a probe that succeeds closes it, and the failures of the outage are forgotten", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        yield* call(breaker, "success")
        assert.strictEqual(breaker.state(), "closed")
        yield* times(minimumCalls - 1, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "closed")
        yield* call(breaker, "failure")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("a probe that is declined closes it: the provider answered", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        yield* call(breaker, "ignored")
        assert.strictEqual(breaker.state(), "closed")
      })
    )

    check("a probe that fails opens it for the whole open time again", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        yield* call(breaker, "failure")
        yield* advance(openMs - 1)
        assert.strictEqual(breaker.state(), "open")
        yield* advance(1)
        assert.strictEqual(breaker.state(), "half_open")
      })
    )

    for (const late of ["success", "ignored", "failure"] as const) {
      check(`a late ${late} from before the trip changes nothing: open, half-open, probing or closed`, (breaker) =>
        Effect.gen(function* () {
          const old = yield* Effect.all(Array.from({ length: 4 * minimumCalls }, () => admit(breaker)))
          const last = old.splice(0, minimumCalls)
          const unchanged = () => {
            const before = breaker.state()
            for (const permit of old.splice(0, minimumCalls)) permit.report(late)
            assert.strictEqual(breaker.state(), before)
          }
          yield* times(minimumCalls, call(breaker, "failure"))
          unchanged()
          yield* advance(openMs)
          unchanged()
          const probe = yield* admit(breaker)
          unchanged()
          refusal(breaker)
          probe.report("success")
          for (const permit of last) permit.report(late)
          assert.strictEqual(breaker.state(), "closed")
        })
      )
    }

    check("a late result of an earlier probe does not speak for the present one", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        const lost = yield* admit(breaker)
        breaker.forceOpen("misconfigured")
        yield* advance(openMs)
        const probe = yield* admit(breaker)
        lost.report("success")
        assert.strictEqual(breaker.state(), "half_open")
        refusal(breaker)
        probe.report("failure")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("a released probe frees its place and counts as nothing", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        const released = yield* admit(breaker)
        released.release()
        assert.strictEqual(breaker.state(), "half_open")
        const probe = yield* admit(breaker)
        refusal(breaker)
        probe.report("success")
        assert.strictEqual(breaker.state(), "closed")
      })
    )

    check("calls released while closed count as nothing", (breaker) =>
      Effect.gen(function* () {
        yield* times(
          100,
          Effect.map(admit(breaker), (permit) => permit.release())
        )
        yield* times(minimumCalls - 1, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "closed")
        yield* call(breaker, "failure")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check(
      "a probe that hangs blocks for its lease and the open time at most, and its result comes too late",
      (breaker) =>
        Effect.gen(function* () {
          yield* halfOpen(breaker)
          const hung = yield* admit(breaker)
          yield* advance(probeLeaseMs - 1)
          refusal(breaker)
          yield* advance(1 + openMs)
          const probe = yield* admit(breaker)
          hung.report("success")
          hung.release()
          assert.strictEqual(breaker.state(), "half_open")
          refusal(breaker)
          probe.report("success")
          assert.strictEqual(breaker.state(), "closed")
        })
    )

    check("only the first report or release of a permit counts", (breaker) =>
      Effect.gen(function* () {
        const permit = yield* admit(breaker)
        for (let n = 0; n < 2 * minimumCalls; n++) permit.report("failure")
        assert.strictEqual(breaker.state(), "closed")
        const released = yield* admit(breaker)
        released.release()
        released.report("failure")
        yield* times(minimumCalls - 2, call(breaker, "failure"))
        assert.strictEqual(breaker.state(), "closed")
        yield* call(breaker, "failure")
        assert.strictEqual(breaker.state(), "open")
      })
    )

    check("forced open, it is probed like any open one", (breaker) =>
      Effect.gen(function* () {
        const misconfigured = yield* admit(breaker)
        breaker.forceOpen("misconfigured")
        misconfigured.report("ignored")
        assert.strictEqual(breaker.state(), "open")
        refusal(breaker)
        yield* advance(openMs)
        yield* call(breaker, "success")
        assert.strictEqual(breaker.state(), "closed")
      })
    )

    check("forced open by its own probe, it stays open for the whole open time", (breaker) =>
      Effect.gen(function* () {
        yield* halfOpen(breaker)
        const probe = yield* admit(breaker)
        breaker.forceOpen("misconfigured")
        probe.report("ignored")
        yield* advance(openMs - 1)
        assert.strictEqual(breaker.state(), "open")
        yield* advance(1)
        assert.strictEqual(breaker.state(), "half_open")
      })
    )

    check("each provider and operation has a breaker of its own, and always the same", (breaker) =>
      Effect.gen(function* () {
        const breakers = yield* Breakers
        yield* times(minimumCalls, call(breaker, "failure"))
        const stateOf = (other: BreakerKey) => breakers.get(other).state()
        assert.strictEqual(stateOf({ ...key }), "open")
        assert.strictEqual(stateOf({ ...key, operation: "inquire" }), "closed")
        assert.strictEqual(stateOf({ ...key, provider: "acme_eu" }), "closed")
      })
    )

    check("every change of state is published in order, and the snapshot shows the last one", (breaker) =>
      Effect.scoped(
        Effect.gen(function* () {
          const breakers = yield* Breakers
          const transitions = yield* breakers.subscribe
          yield* halfOpen(breaker)
          yield* call(breaker, "failure")
          yield* advance(openMs)
          yield* call(breaker, "success")
          breaker.forceOpen("misconfigured")
          const seen = yield* PubSub.takeUpTo(transitions, 100)
          assert.deepStrictEqual(
            seen.map(({ from, to, cause }) => [from, to, cause]),
            [
              ["closed", "open", "failure_rate"],
              ["open", "half_open", "open_time_over"],
              ["half_open", "open", "probe_failed"],
              ["open", "half_open", "open_time_over"],
              ["half_open", "closed", "probe_succeeded"],
              ["closed", "open", "misconfigured"]
            ]
          )
          const [first, second] = seen
          assert.strictEqual((second?.at ?? 0) - (first?.at ?? 0), openMs)
          assert.deepStrictEqual(
            seen.map((transition) => transition.key),
            seen.map(() => key)
          )
          assert.deepStrictEqual(yield* breakers.snapshot, [
            { key, state: "open", cause: "misconfigured", since: seen.at(-1)?.at ?? 0 }
          ])
        })
      )
    )
  })
}

const admit = (breaker: Breaker): Effect.Effect<BreakerPermit, BreakerOpen> =>
  Effect.suspend(() => Effect.fromResult(breaker.admit()))

const call = (breaker: Breaker, result: BreakerResult): Effect.Effect<void, BreakerOpen> =>
  Effect.map(admit(breaker), (permit) => permit.report(result))

const refusal = (breaker: Breaker): BreakerOpen => {
  const result = breaker.admit()
  assert(Result.isFailure(result), "a call was admitted")
  assert.instanceOf(result.failure, BreakerOpen)
  return result.failure
}

const times = <E, R>(count: number, effect: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.forEach(Array.from({ length: count }), () => effect, { discard: true })
