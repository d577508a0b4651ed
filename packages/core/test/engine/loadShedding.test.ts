/** Overload is refused before anything is read or written for it; what was let in goes on, and reads are answered. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { bulkheadDefaults } from "../../src/resilience/Bulkhead.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { defaultFailover } from "../../src/routing/FailoverPolicy.ts"
import type { Plan } from "../../src/routing/Plan.ts"
import { Router } from "../../src/routing/Router.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { RequestOptions } from "../../src/execution/begin/requests.ts"
import { everyPayment } from "../../src/store/PaymentStore.ts"
import { card, cardOnHold, keyed, plain, scripted, start, tenant } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const bound = 3
const loadShedding = { burst: bound, sustained: bound }
const succeeds = () => Effect.succeed(Outcome.succeeded())
const holds: Script["create"] = ({ id }) => Effect.succeed(Outcome.authorized({ reference: `pi_${id}` }))

/** A store whose first commits wait until they are released, and that records its calls. */
const slowStore = () => {
  const store = MemoryStore.make()
  const state = { isHeld: false, asked: [] as Array<string> }
  const held = Deferred.makeUnsafe<void>()
  const waits = <A, E>(name: string, commit: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      state.asked.push(name)
      return state.isHeld ? Effect.andThen(Deferred.await(held), commit) : commit
    })
  const noted: Store = {
    ...store,
    begin: (commit) => waits("begin", store.begin(commit)),
    advance: (commit) => waits("advance", store.advance(commit)),
    find: (of, id) => Effect.suspend(() => (state.asked.push("find"), store.find(of, id))),
    findKey: (of, endpoint, key) =>
      Effect.suspend(() => (state.asked.push("findKey"), store.findKey(of, endpoint, key)))
  }
  return {
    store: noted,
    asked: state.asked,
    hold: () => {
      state.isHeld = true
    },
    release: Effect.sync(() => {
      state.isHeld = false
      Deferred.doneUnsafe(held, Effect.void)
    })
  }
}

const planTo = (provider: string): Plan => {
  const candidates = [{ provider, reason: "chosen" }]
  return {
    _tag: "Plan",
    decision: { rule: "by amount", ruleset: "sha256:00", reason: "chosen", candidates, dropped: [] },
    candidates
  }
}

const overloaded = Effect.fnUntraced(function* () {
  const { asked, hold, release, store } = slowStore()
  const provider = scripted("a", { create: holds, capture: succeeds, cancel: succeeds, refund: succeeds })
  const engine = yield* start(store, [provider], { loadShedding })
  const { payments } = engine
  const onHold = yield* engine.create(cardOnHold)
  const create = (options: RequestOptions = plain) =>
    Effect.flatMap(cardOnHold, (payment) => payments.create(payment, options))
  hold()
  const letIn = yield* Effect.forEach(Array.from({ length: bound }), () =>
    Effect.forkChild(create(), { startImmediately: true })
  )
  asked.length = 0
  return { payments, onHold, create, asked, letIn, release, store, end: engine.end }
})

describe("load shedding", () => {
  it.effect("a create beyond the bound is refused before the store is asked, and its key stays free", () =>
    Effect.gen(function* () {
      const { asked, create, end, release, letIn, payments } = yield* overloaded()
      const options = keyed("POST /v1/payments", "order-1")
      const error = yield* Effect.flip(create(options))
      assert.deepInclude(error.reason, { _tag: "Overloaded", retryAfterMs: 1000 })
      assert.deepStrictEqual(asked, [])
      yield* release
      const made = yield* Fiber.joinAll(letIn)
      assert.strictEqual(new Set(made.map(({ record }) => record.payment.id)).size, bound)
      const page = yield* payments.list(tenant, everyPayment)
      assert.strictEqual(page.records.length, bound + 1)
      const again = yield* create(options)
      assert.isFalse(again.replayed)
      yield* end
    })
  )

  it.effect.each(["capture", "cancel", "refund"] as const)("so is a %s", (kind) =>
    Effect.gen(function* () {
      const { asked, end, release, letIn, onHold, payments } = yield* overloaded()
      const { id } = onHold.payment
      const options = keyed(`POST ${kind}`, "later-1")
      const ask = {
        capture: () => payments.capture(id, { minorUnits: null }, options),
        cancel: () => payments.cancel(id, options),
        refund: () => payments.refund(id, { minorUnits: null, reason: null }, options)
      }[kind]
      const error = yield* Effect.flip(ask())
      assert.strictEqual(error.reason._tag, "Overloaded")
      assert.deepStrictEqual(asked, [])
      yield* release
      yield* Fiber.joinAll(letIn)
      assert.deepStrictEqual((yield* payments.get(tenant, id)).operations, onHold.operations)
      yield* end
    })
  )

  it.effect("a capture that waits for its commit is counted, too", () =>
    Effect.gen(function* () {
      const { hold, release, store } = slowStore()
      const engine = yield* start(store, [scripted("a", { create: holds, capture: succeeds })], {
        loadShedding: { burst: 1, sustained: 1 }
      })
      const { id } = (yield* engine.create(cardOnHold)).payment
      hold()
      const capture = yield* Effect.forkChild(engine.payments.capture(id, { minorUnits: null }, plain), {
        startImmediately: true
      })
      const error = yield* Effect.flip(Effect.flatMap(card, (payment) => engine.payments.create(payment, plain)))
      assert.strictEqual(error.reason._tag, "Overloaded")
      yield* release
      assert.strictEqual((yield* Fiber.join(capture)).record.payment.state.status, "succeeded")
      yield* engine.end
    })
  )

  it.effect("payments are read all along", () =>
    Effect.gen(function* () {
      const { create, end, release, letIn, onHold, payments } = yield* overloaded()
      yield* Effect.flip(create())
      assert.strictEqual((yield* payments.get(tenant, onHold.payment.id)).payment.id, onHold.payment.id)
      yield* release
      yield* Fiber.joinAll(letIn)
      yield* end
    })
  )

  it.effect("a caller that goes away before its commit leaves no place taken", () =>
    Effect.gen(function* () {
      const { create, end, release, letIn } = yield* overloaded()
      const leaving = Effect.forEach(letIn, (fiber) => Fiber.interrupt(fiber), { concurrency: "unbounded" })
      // Commit 1 is carried through: it ends when the store lets it.
      yield* Effect.all([leaving, release], { concurrency: "unbounded" })
      assert.strictEqual((yield* create()).record.payment.state.status, "authorized")
      yield* end
    })
  )

  it.effect("waiting for providers is not overload: neither a call, nor a place in a full one's line", () =>
    Effect.gen(function* () {
      const full = 256
      const slow = scripted("slow", { create: () => Effect.never })
      const well = scripted("well", { create: succeeds })
      const router = Layer.succeed(Router, {
        plan: ({ payment }) => planTo(payment.amount.minorUnits >= 5000 ? "slow" : "well"),
        policyOf: () => ({ ...defaultFailover, maxAttempts: 1 })
      })
      const { end, payments } = yield* start(MemoryStore.make(), [slow, well], { loadShedding, router })
      const payment = yield* card
      const large = { ...payment, amount: { ...payment.amount, minorUnits: 5000 } }
      const waiting = yield* Effect.forEach(Array.from({ length: full + 5 * bound }), () =>
        Effect.forkChild(payments.create(large, plain), { startImmediately: true })
      )
      const { record } = yield* payments.create(payment, plain)
      assert.strictEqual(record.payment.state.status, "succeeded")
      assert.strictEqual(record.payment.provider, "well")
      // Who stands in line goes away when its turn did not come.
      yield* TestClock.adjust(bulkheadDefaults.maxWaitMs)
      yield* Effect.andThen(Fiber.interruptAll(waiting), end)
    })
  )
})
