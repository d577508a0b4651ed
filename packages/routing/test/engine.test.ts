/** Rules while the engine runs: replaced, and learning. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import { Engine, Ids, Outcome, Payments } from "@paymux/core"
import type { PaymentRecord, Provider } from "@paymux/core"
import { Router } from "@paymux/core/routing"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Routing } from "../src/Routing.ts"
import { card, plain, scripted } from "../../core/test/engine/fixtures.ts"

const routed = (providers: ReadonlyArray<Provider>, config: unknown) => {
  const router = Routing.layer(config, providers)
  return Layer.merge(Engine.layer({ providers, router, publicUrl: "http://localhost:4310" }), router)
}

const engine = (providers: ReadonlyArray<Provider>, config: unknown) =>
  routed(providers, config).pipe(Layer.provideMerge(MemoryStore.layer), Layer.provideMerge(Ids.layer))

const create = Effect.gen(function* () {
  const payments = yield* Payments
  return (yield* payments.create(yield* card, plain)).record
})

const providersOf = ({ attempts }: PaymentRecord) => attempts.map(({ provider }) => provider)

const notSent = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
const taken = () => Effect.succeed(Outcome.succeeded())
const declined = () => Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "never" }))

const first = { version: 1, default: { priority: ["a", "b"] } }
const second = { version: 1, default: { priority: ["b", "a"] }, failover: { on: [] } }

describe("rules put in force while the engine runs", () => {
  it.effect("hold for the next payment, and are named in its decision", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const before = yield* create
      const ruleset = yield* routing.use(second)
      const after = yield* create
      assert.deepStrictEqual([providersOf(before), providersOf(after)], [["a"], ["b"]])
      assert.strictEqual(after.payment.routing.ruleset, ruleset)
      assert.notStrictEqual(before.payment.routing.ruleset, ruleset)
      assert.deepStrictEqual(yield* routing.current, { ruleset, config: second })
    }).pipe(Effect.provide(engine([scripted("a", { create: taken }), scripted("b", { create: taken })], first)))
  )

  it.effect("leave a payment that is being tried the failover of the rules that decided it", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const a = scripted("a", {
        create: () =>
          Effect.andThen(Deferred.succeed(asked, undefined), Effect.andThen(Deferred.await(answer), notSent()))
      })
      yield* Effect.gen(function* () {
        const routing = yield* Routing
        const fiber = yield* Effect.forkChild(create)
        yield* Deferred.await(asked)
        yield* routing.use({ ...second, default: { priority: ["a", "b"] } })
        yield* Deferred.succeed(answer, undefined)
        assert.deepStrictEqual(providersOf(yield* Fiber.join(fiber)), ["a", "b"])
        assert.deepStrictEqual(providersOf(yield* create), ["a"])
      }).pipe(Effect.provide(engine([a, scripted("b", { create: taken })], first)))
    })
  )

  it.effect("change nothing where they are refused", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const before = yield* routing.current
      const refused = yield* Effect.flip(routing.use({ version: 1, default: { priority: ["unknown"] } }))
      assert.deepStrictEqual(
        refused.problems.map(({ message }) => message),
        ['default: provider "unknown" is not configured']
      )
      assert.deepStrictEqual(yield* routing.current, before)
      assert.deepStrictEqual(providersOf(yield* create), ["a"])
    }).pipe(Effect.provide(engine([scripted("a", { create: taken }), scripted("b", { create: taken })], first)))
  )
})

const learning = {
  version: 1,
  default: { best: "success_rate", among: ["a", "b"], window: "10m", min_samples: 20, explore: "50%" }
}

const worse = [scripted("a", { create: declined }), scripted("b", { create: taken })]

/** Where payments would go by what was learned, explorations left aside. */
const leader = Effect.gen(function* () {
  for (let n = 0; n < 100; n++) {
    const { payment } = yield* create
    if (payment.routing.reason === "success_rate") return payment.routing.candidates
  }
  return []
})

/** `success_rate 97.1% of 231 cards, drawn 96.8%` as numbers. */
const judged = (reason = "") => {
  const [, rate, samples] = /^success_rate ([\d.]+)% of (\d+) [^,]+(?:, [^,]+)?, drawn [\d.]+%$/.exec(reason) ?? []
  return { rate: Number(rate), samples: Number(samples) }
}

/** What is expected of either while nothing is known. */
const unknown = [
  { rate: 91, samples: 0 },
  { rate: 91, samples: 0 }
]

describe("best: success_rate", () => {
  it.effect("goes by what the attempts in the store came to, also those of another engine", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const shared = Layer.provide(routed(worse, learning), Layer.merge(Layer.succeed(PaymentStore, store), Ids.layer))
      yield* Effect.provide(
        Effect.gen(function* () {
          const before = yield* leader
          assert.sameMembers(
            before.map(({ provider }) => provider),
            ["a", "b"]
          )
          assert.deepStrictEqual(
            before.map(({ reason }) => judged(reason)),
            unknown
          )
          yield* Effect.replicateEffect(create, 100)
          yield* TestClock.adjust("2 seconds")
          assert.strictEqual((yield* leader)[0]?.provider, "b")
        }),
        Layer.fresh(shared)
      )
      const [best, other] = yield* Effect.provide(leader, Layer.fresh(shared))
      assert.strictEqual(best?.provider, "b")
      const [paid, refused] = [judged(best?.reason), judged(other?.reason)]
      // About 50 attempts of each outweigh the 40 that are expected: all were paid, and none.
      assert.isAbove(paid.rate, 70)
      assert.isBelow(refused.rate, 50)
      assert.isAtLeast(paid.samples + refused.samples, 100)
    }).pipe(Effect.provide(MemoryStore.layer))
  )

  it.effect("forgets what is older than its window", () =>
    Effect.gen(function* () {
      yield* Effect.replicateEffect(create, 100)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* leader)[0]?.provider, "b")
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual(
        (yield* leader).map(({ reason }) => judged(reason)),
        unknown
      )
    }).pipe(Effect.provide(engine(worse, learning)))
  )

  it.effect("keeps the last known rates while the store is unavailable, and resumes", () =>
    Effect.gen(function* () {
      const real = yield* PaymentStore
      let away = false
      const store = PaymentStore.of({
        ...real,
        attemptCounts: (query) =>
          away ? Effect.fail(new StoreUnavailable({ cause: "away" })) : real.attemptCounts(query)
      })
      yield* Effect.gen(function* () {
        yield* Effect.replicateEffect(create, 100)
        yield* TestClock.adjust("2 seconds")
        away = true
        yield* TestClock.adjust("1 minute")
        const kept = yield* leader
        assert.strictEqual(kept[0]?.provider, "b")
        // Also where rules replace others that went by the same window.
        const routing = yield* Routing
        yield* routing.use({ ...learning, failover: { max_attempts: 2 } })
        assert.deepStrictEqual(
          (yield* leader).map(({ provider, reason }) => [provider, judged(reason)]),
          kept.map(({ provider, reason }) => [provider, judged(reason)])
        )
        yield* Effect.replicateEffect(create, 100)
        away = false
        yield* TestClock.adjust("2 seconds")
        assert.isAbove(judged((yield* leader)[0]?.reason).samples, judged(kept[0]?.reason).samples + 20)
      }).pipe(
        Effect.provide(
          Layer.provide(routed(worse, learning), Layer.merge(Layer.succeed(PaymentStore, store), Ids.layer))
        )
      )
    }).pipe(Effect.provide(MemoryStore.layer), Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.effect(
    "asks the store for nothing while no rule goes by it, and does not wait for ever for its first answer",
    () =>
      Effect.gen(function* () {
        const real = yield* PaymentStore
        let asked = 0
        const store = PaymentStore.of({
          ...real,
          attemptCounts: () =>
            Effect.suspend(() => {
              asked++
              return Effect.never
            })
        })
        yield* Effect.gen(function* () {
          const routing = yield* Routing
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(asked, 0)
          // The digest of the rules takes a turn of the real event loop, before which no sleep has begun.
          const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          const passing = Effect.forever(Effect.andThen(turn, TestClock.adjust("1 second")))
          yield* Effect.raceFirst(routing.use(learning), passing)
          assert.isAbove(asked, 0)
          assert.lengthOf(yield* leader, 2)
          yield* routing.use(first)
          const before = asked
          yield* TestClock.adjust("1 minute")
          assert.isAtMost(asked, before + 1)
        }).pipe(
          Effect.provide(
            Layer.provide(routed(worse, first), Layer.merge(Layer.succeed(PaymentStore, store), Ids.layer))
          )
        )
      }).pipe(Effect.provide(MemoryStore.layer))
  )
})

describe("rules that are swapped again and again", () => {
  const numbered = (n: number) => ({ ...first, failover: { max_attempts: 1 + (n % 10), deadline: `${n + 1}s` } })

  it.effect("leave the failover of the latest to those who were decided by them, one that came back among them", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const router = yield* Router
      const names: Array<string> = []
      for (let n = 0; n < 60; n++) names.push(yield* routing.use(numbered(n)))
      yield* routing.use(numbered(0))
      for (let n = 60; n < 120; n++) yield* routing.use(numbered(n))
      assert.strictEqual(router.policyOf({ rule: "default", ruleset: names[0] ?? "" }).deadlineMs, 1_000)
      assert.strictEqual(router.policyOf({ rule: "default", ruleset: names[1] ?? "" }).deadlineMs, 120_000)
    }).pipe(Effect.provide(engine(worse, first)))
  )

  it.effect("are in force in the order in which they were given, however long each takes", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const rulesets = yield* Effect.all([routing.use(learning), routing.use(second), routing.use(numbered(7))], {
        concurrency: "unbounded"
      })
      assert.strictEqual((yield* routing.current).ruleset, rulesets[2])
    }).pipe(Effect.provide(engine(worse, first)))
  )
})
