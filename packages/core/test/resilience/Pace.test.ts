/** Overload at a server whose commits take long: payments share them, so that few at a time would leave it idle. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"
import { TestClock } from "effect/testing"
import { LoadShedder, makePace } from "../../src/resilience/LoadShedder.ts"

interface Commits {
  /** ms for each commit, and for each payment in it. */
  readonly each: number
  readonly payment: number
  /** From and until when nothing is committed, in ms. */
  readonly stall?: readonly [number, number]
  /** Between two commits, a request repeats another one under its key: its commit writes nothing. */
  readonly isRepeated?: boolean
}

interface Admitted {
  readonly at: number
  readonly wait: number
}

/** Payments that come at a rate for each of `seconds`, one a ms and more, before a store that commits all that wait together. */
const run = Effect.fnUntraced(function* (
  { each, isRepeated = false, payment, stall = [0, 0] }: Commits,
  rates: ReadonlyArray<number>
) {
  const { admit, counted, refuses } = yield* LoadShedder
  const admitted: Array<Admitted> = []
  let line: Array<Deferred.Deferred<void>> = []
  let batch: Array<Deferred.Deferred<void>> = []
  let ends = 0
  let due = 0
  for (let now = 0; now < rates.length * 1000; now++) {
    due += rates[Math.floor(now / 1000)] ?? 0
    for (; due >= 1; due--) {
      if (refuses()) continue
      const committed = Deferred.makeUnsafe<void>()
      line.push(committed)
      const passed = Effect.map(Clock.currentTimeMillis, (end) => admitted.push({ at: end, wait: end - now }))
      yield* Effect.forkChild(
        Effect.andThen(
          // As a payment does: the work before its commit, then the commit.
          Effect.catch(
            Effect.andThen(
              admit(Effect.void),
              counted(Deferred.await(committed), () => true)
            ),
            () => Effect.interrupt
          ),
          passed
        ),
        { startImmediately: true }
      )
    }
    if (now >= stall[0] && now < stall[1]) ends = Math.max(ends, now + 1)
    if (now >= ends) {
      for (const one of batch) Deferred.doneUnsafe(one, Effect.void)
      ;[batch, line] = [line, []]
      if (isRepeated) yield* counted(Effect.void, () => false)
      ends = now + (batch.length === 0 ? 0 : each + payment * batch.length)
    }
    yield* TestClock.adjust(1)
  }
  const within = (from: number, to: number) => admitted.filter(({ at }) => at >= from && at < to)
  return {
    perMs: (from: number, to: number) => within(from, to).length / (to - from),
    wait: (from: number, to: number) => {
      const waits = within(from, to).map(({ wait }) => wait)
      return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.NaN
    }
  }
})

const times = (count: number, rate: number): ReadonlyArray<number> => Array.from({ length: count }, () => rate)

const shedding = Effect.provide(LoadShedder.layer())

describe("load shedding where a commit takes long", () => {
  /** As many as are admitted without overload, 256, are half in a commit and half before it. */
  const slow = { each: 40, payment: 0.5 }
  const capacity = 128 / (slow.each + 128 * slow.payment)

  for (const factor of [2, 5]) {
    it.effect(`passes nearly as many as it can at ${factor} times its capacity, in three times the wait`, () =>
      Effect.gen(function* () {
        const { perMs, wait } = yield* run(slow, [...times(3, capacity / 4), ...times(9, capacity * factor)])
        assert.isAtLeast(perMs(5000, 12_000) / capacity, 0.9)
        assert.isAtMost(wait(5000, 12_000) / wait(0, 3000), 3)
      }).pipe(shedding)
    )
  }

  it.effect("passes as many where some commits end at once, because they write nothing", () =>
    Effect.gen(function* () {
      const rates = [...times(3, capacity / 4), ...times(9, capacity * 2)]
      const { perMs } = yield* run({ ...slow, isRepeated: true }, rates)
      assert.isAtLeast(perMs(5000, 12_000) / capacity, 0.9)
    }).pipe(shedding)
  )

  it.effect("passes nearly all again a second after a stall of two", () =>
    Effect.gen(function* () {
      const rate = capacity * 0.8
      const { perMs } = yield* run({ ...slow, stall: [4000, 6000] }, times(10, rate))
      assert.strictEqual(perMs(4100, 6000), 0)
      assert.isAtLeast(perMs(7000, 8000) / rate, 0.9)
      assert.isAtLeast(perMs(8000, 10_000) / rate, 0.9)
    }).pipe(shedding)
  )

  it.effect("keeps the queue short where a commit is quick", () =>
    Effect.gen(function* () {
      const quick = { each: 2, payment: 0.5 }
      const { perMs, wait } = yield* run(quick, [...times(3, 0.4), ...times(6, 4)])
      assert.isAtLeast(perMs(5000, 9000), 1.4)
      // All that a burst may be, 256, would wait for 150 ms.
      assert.isAtMost(wait(5000, 9000), 50)
    }).pipe(shedding)
  )
})

describe("Pace", () => {
  it("fits none before anything passed", () => assert.strictEqual(makePace().fitting(), 0))

  it("fits five times as many as pass in the time of one that does not queue", () => {
    const pace = makePace()
    for (let now = 0; now <= 2000; now++) {
      pace.passed(now)
      pace.tookAlone(20, now)
    }
    assert.closeTo(pace.fitting(), 100, 3)
  })

  it("is not raised by requests that wait for the event loop, if one in twenty does not", () => {
    const pace = makePace()
    for (let now = 0; now <= 2000; now++) {
      pace.passed(now)
      pace.tookAlone(now % 20 === 0 ? 4 : 60, now)
    }
    assert.isAtMost(pace.fitting(), 60)
  })

  it("adapts within ten seconds to commits that become slower", () => {
    const pace = makePace()
    for (let now = 0; now <= 14_000; now++) {
      pace.passed(now)
      if (now % 100 === 0) pace.tookAlone(now < 4000 ? 4 : 40, now)
    }
    assert.closeTo(pace.fitting(), 200, 3)
  })

  it("remembers the best rate of the last seconds", () => {
    const pace = makePace()
    pace.tookAlone(20, 0)
    for (let now = 0; now <= 1000; now++) pace.passed(now)
    const before = pace.fitting()
    for (let now = 1001; now <= 2000; now += 10) pace.passed(now)
    assert.isAtMost(pace.fitting(), before)
    assert.isAtLeast(pace.fitting(), before * 0.9)
    for (let now = 2001; now <= 60_000; now += 10) pace.passed(now)
    assert.isAtMost(pace.fitting(), before * 0.2)
  })
})
