/** The slot that a payment takes at a provider is released however its commit ends. A provider has 256 slots. */
import { assert, describe, it } from "@effect/vitest"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Effect, Fiber, References } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import * as Outcome from "../../src/domain/Outcome.ts"
import { StoreUnavailable } from "../../src/store/PaymentStore.ts"
import type { AdvanceResult, BeginResult } from "../../src/store/PaymentStore.ts"
import { card, keyed, plain, scripted, start, summary } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const payments = 260
const unavailable = Effect.fail(new StoreUnavailable({ cause: null }))

/** A payment that is created after the others is admitted by both providers, if none of their slots is lost. */
const isStillAdmitted = (create: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const asked = yield* Effect.forkChild(create, { startImmediately: true })
    yield* TestClock.adjust(500)
    const exit = asked.pollUnsafe()
    // A wait for a slot cannot be interrupted.
    yield* TestClock.adjust(2000)
    assert.strictEqual(exit?._tag, "Success")
  })

/** Waits for a request. The digest of its key is computed in real time, and a wait for a slot ends by the test's clock. */
const ended = Effect.fnUntraced(function* (asked: Fiber.Fiber<unknown>) {
  for (let half = 0; half < 40 && asked.pollUnsafe() === undefined; half++) {
    yield* Effect.promise(() => setImmediate())
    yield* TestClock.adjust(500)
  }
  assert.isDefined(asked.pollUnsafe())
})

describe("the slot of a payment is released", () => {
  const commits: { readonly [how: string]: (inner: Store["begin"]) => Store["begin"] } = {
    fails: () => () => unavailable,
    "has a defect": () => () => Effect.die("a defect of the store"),
    "is acknowledged too late": (begin) => (commit) => Effect.andThen(Effect.sleep(9000), begin(commit)),
    "finds the key taken": () => (commit) => {
      const { binding } = commit
      const taken: BeginResult | null =
        binding === null ? null : { _tag: "KeyTaken", kept: { ...binding, answer: "{}" } }
      return taken === null ? Effect.die("no key") : Effect.succeed(taken)
    }
  }
  for (const [how, faulty] of Object.entries(commits)) {
    it.effect(`if the first commit ${how}`, () =>
      Effect.gen(function* () {
        const inner = MemoryStore.make()
        let isFaulty = true
        const store: Store = {
          ...inner,
          getConfirmed: (id) => (isFaulty && how === "fails" ? unavailable : inner.getConfirmed(id)),
          begin: (commit) => (isFaulty ? faulty(inner.begin)(commit) : inner.begin(commit))
        }
        const engine = yield* start(store, [scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })])
        for (let nth = 0; nth < payments; nth++) {
          const create = Effect.flatMap(card, (asked) => engine.payments.create(asked, keyed("payments", `key ${nth}`)))
          const asked = yield* Effect.forkChild(Effect.exit(create), { startImmediately: true })
          yield* ended(asked)
        }
        isFaulty = false
        yield* isStillAdmitted(Effect.flatMap(card, (asked) => engine.payments.create(asked, plain)))
      }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
    )
  }

  it.effect("if the client disconnects during the first commit", () =>
    Effect.gen(function* () {
      const inner = MemoryStore.make()
      const begin: Store["begin"] = (commit) => Effect.andThen(Effect.sleep(100), inner.begin(commit))
      const engine = yield* start({ ...inner, begin }, [
        scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })
      ])
      const create = Effect.flatMap(card, (asked) => engine.payments.create(asked, plain))
      for (let nth = 0; nth < payments; nth++) {
        const asked = yield* Effect.forkChild(Effect.exit(create), { startImmediately: true })
        yield* TestClock.adjust(50)
        const interrupting = yield* Effect.forkChild(Fiber.interrupt(asked))
        yield* TestClock.adjust(200)
        yield* Fiber.join(interrupting)
      }
      yield* isStillAdmitted(create)
    })
  )

  const conflict: AdvanceResult = { _tag: "Conflict" }
  const secondCommits: { readonly [how: string]: (advance: Store["advance"], nth: number) => Store["advance"] } = {
    fails: () => () => unavailable,
    "has a defect": () => () => Effect.die("a defect of the store"),
    "meets seven conflicts": (advance, nth) => (nth % 8 === 0 ? advance : () => Effect.succeed(conflict))
  }
  for (const [how, faulty] of Object.entries(secondCommits)) {
    it.effect(`of the next attempt, if its commit ${how}`, () =>
      Effect.gen(function* () {
        const inner = MemoryStore.make()
        let isFaulty = true
        let commits = 0
        const store: Store = {
          ...inner,
          advance: (commit) => (isFaulty ? faulty(inner.advance, ++commits)(commit) : inner.advance(commit))
        }
        const engine = yield* start(
          store,
          [
            scripted("a", {
              create: () => Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "other_provider" }))
            }),
            scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
          ],
          { reconciler: { every: 86_400_000, share: 1 } }
        )
        const create = Effect.flatMap(card, (asked) => engine.payments.create(asked, plain))
        for (let nth = 0; nth < payments; nth++) {
          const asked = yield* Effect.forkChild(Effect.exit(create), { startImmediately: true })
          yield* TestClock.adjust(30_000)
          yield* Fiber.join(asked)
        }
        isFaulty = false
        const last = yield* Effect.forkChild(create, { startImmediately: true })
        yield* TestClock.adjust(500)
        const exit = last.pollUnsafe()
        assert.strictEqual(exit?._tag, "Success")
        const attempts = exit?._tag === "Success" ? summary(exit.value.record).attempts : []
        assert.deepStrictEqual(attempts.at(-1), "b succeeded")
      }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
    )
  }
})
