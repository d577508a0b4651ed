/** P13: declines never open a breaker, an outage does within one window, and one probe goes through half-open. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { breakerDefaults, Breakers, Bulkhead, LoadShedder, ProviderGuard } from "@paymux/core/engine"
import { Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import * as ClockBreaker from "../suites/src/ClockBreaker.ts"
import { drawPlan, run } from "@paymux/test-suites/simulation"
import type { CreateScript, ScriptedOutcome } from "@paymux/test-suites/simulation"

const { minimumCalls, openMs } = breakerDefaults

const guarded = ProviderGuard.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(ClockBreaker.layer(), Bulkhead.layer({ maxInFlight: 1_000 }), LoadShedder.layer()))
)

/** One call of so many ms; `false`: it was refused before anything was sent. */
const call = Effect.fnUntraced(function* (outcome: Outcome.SendOutcome, ms: number) {
  const guard = yield* ProviderGuard
  const admitted = yield* guard.admit("acme", "create")
  if (Result.isFailure(admitted)) return false
  yield* admitted.success.call(Effect.as(Effect.sleep(ms), outcome), 30_000)
  admitted.success.release()
  return true
})

const state = Effect.map(Breakers, (breakers) => breakers.get({ provider: "acme", operation: "create" }).state())

const unknown = Outcome.unknown({ reason: "server_error" })
const declined = Outcome.declined({ code: "do_not_honor", retry: "same_later" })
const sent = (calls: ReadonlyArray<boolean>): number => calls.filter((went) => went).length
const together = (count: number, outcome: Outcome.SendOutcome, ms: number) =>
  Effect.forEach(Array.from({ length: count }), () => call(outcome, ms), { concurrency: "unbounded" })

/** Runs it while the clock moves. */
const during = <A, E, R>(effect: Effect.Effect<A, E, R>, ms: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(ms)
    return yield* Fiber.join(fiber)
  })

describe("a breaker", () => {
  it.effect("stays closed through 10,000 declines", () =>
    Effect.gen(function* () {
      for (let batch = 0; batch < 100; batch++) {
        assert.strictEqual(sent(yield* during(together(100, declined, 10), 10)), 100)
      }
      assert.strictEqual(yield* state, "closed")
    }).pipe(Effect.provide(guarded))
  )

  it.effect("is open after the minimum of calls and those in flight, in a total outage", () =>
    Effect.gen(function* () {
      const inFlight = 30
      let calls = 0
      // Thirty at a time, each replaced by the next as it ends, until one is refused.
      const caller = Effect.gen(function* () {
        while (yield* call(unknown, 1_000)) calls++
      })
      yield* during(
        Effect.forEach(Array.from({ length: inFlight }), () => caller, { concurrency: "unbounded", discard: true }),
        10_000
      )
      assert.isAtMost(calls, minimumCalls + inFlight)
      assert.strictEqual(yield* state, "open")
    }).pipe(Effect.provide(guarded))
  )

  it.effect("lets one of 100 concurrent calls through when it is half open", () =>
    Effect.gen(function* () {
      yield* during(together(minimumCalls, unknown, 10), 10)
      yield* TestClock.adjust(openMs)
      assert.strictEqual(sent(yield* during(together(100, Outcome.succeeded(), 10), 10)), 1)
      assert.strictEqual(yield* state, "closed")
    }).pipe(Effect.provide(guarded))
  )

  it.effect("is not closed by the late success of a call from before the outage", () =>
    Effect.gen(function* () {
      const slow = yield* Effect.forkChild(call(Outcome.succeeded(), 25_000))
      yield* during(together(minimumCalls, unknown, 10), 10)
      yield* TestClock.adjust(25_000)
      assert.isTrue(yield* Fiber.join(slow))
      assert.strictEqual(yield* state, "open")
    }).pipe(Effect.provide(guarded))
  )
})

describe("the whole engine", () => {
  it("refuses no payment in a burst of declines", async () => {
    const plan = drawPlan(11, { payments: 1_000, profile: "storm" })
    const outcome: ScriptedOutcome = { kind: "declined", code: "do_not_honor", retry: "never", takenAfter: null }
    const declines = (script: CreateScript): CreateScript => ({
      ...script,
      arrivesAfter: 50,
      answersAfter: 200,
      outcome,
      webhooksAfter: []
    })
    const { entries, records } = await run({
      ...plan,
      payments: plan.payments.map((payment) => ({ ...payment, actions: [], creates: payment.creates.map(declines) }))
    })
    assert.strictEqual(records.length, 1_000)
    assert.deepStrictEqual(
      records.filter(({ payment }) => payment.state.status !== "failed"),
      []
    )
    const refused = entries.filter(
      (entry) =>
        entry.kind === "client" && entry.answer.kind === "refused" && entry.answer.reason === "NoProviderAvailable"
    )
    assert.deepStrictEqual(refused, [])
  })
})
