import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { bob } from "./chain/Chain.ts"
import { until } from "./payments.ts"
import type { Handle } from "./payments.ts"
import { mortal, shared, sqliteStore } from "./stores.ts"
import { looked, overtaken, scenarios, timePasses } from "./testEnvironment.ts"
import type { Store, TestEnvironment } from "./testEnvironment.ts"

const dollars = (amount: number): bigint => BigInt(amount) * 1_000_000n
const once = ["payment.pending", "payment.succeeded"]

/** Twice over, as two transfers: what was counted twice would show. */
const payTwice = ({ chain, usdc }: TestEnvironment, to: `0x${string}`) =>
  Effect.andThen(
    chain.pay(usdc, to, dollars(40)),
    Effect.andThen(chain.mine(2), chain.pay(usdc, to, dollars(20), { from: bob }))
  )
const paidTwice = { status: "succeeded", captured: 5_000, received: 6_000, reviews: [] } as const

scenarios("a restart", (scenario) => {
  scenario("paid while no process ran: it is found in the blocks that went by", (environment) =>
    Effect.gen(function* () {
      const store = yield* sqliteStore
      const before = yield* environment.start({ store })
      const { record, address } = yield* before.create()
      yield* before.end
      yield* environment.chain.mine(200)
      yield* payTwice(environment, address)
      yield* environment.chain.mine(600)
      const after = yield* environment.start({ store, chain: { maxRange: 100 } })
      const payment = after.again(record)
      yield* payment.becomes(paidTwice)
      yield* overtaken(environment, after)
      yield* payment.becomes(paidTwice)
      assert.deepStrictEqual(yield* payment.events, once)
    })
  )

  scenario("seen before it and final after it: it counts once", (environment) =>
    Effect.gen(function* () {
      const store = yield* sqliteStore
      const before = yield* environment.start({ store })
      const first = yield* before.create()
      yield* payTwice(environment, first.address)
      yield* first.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* before.end
      yield* environment.chain.finalize
      const after = yield* environment.start({ store })
      const payment = after.again(first.record)
      yield* payment.becomes(paidTwice)
      yield* overtaken(environment, after)
      yield* payment.becomes(paidTwice)
      assert.deepStrictEqual(yield* payment.events, once)
    })
  )

  for (const [kind, when, step, which] of [
    ["memory", "before", 1, "each"],
    ["memory", "after", 2, "every second"],
    // Each of its commits is on a disk, which takes its time.
    ["SQLite", "before", 3, "every third"]
  ] as const) {
    scenario(`killed ${when} ${which} of its writes, on ${kind}: both transfers count, and once`, (environment) =>
      Effect.gen(function* () {
        const store: Store = kind === "memory" ? environment.store : yield* sqliteStore
        const places: Array<string> = []
        const made: Array<Handle> = []
        for (let nth = 1; ; nth += step) {
          const own = mortal(store)
          const before = yield* environment.start({ store: own.store })
          const first = yield* before.create()
          yield* looked(environment)
          let writes = 0
          own.stopAt(when, ({ key, kind }) => {
            const isIt = ++writes === nth
            if (isIt) places.push(`${kind} ${key.replace(/0x[0-9a-fA-F]{40}/, "…")}`)
            return isIt
          })
          yield* payTwice(environment, first.address)
          yield* until(Effect.map(first.seen, ({ reason }) => own.isStopped() || reason === "awaiting_finality"))
          yield* environment.chain.finalize
          yield* until(Effect.map(first.seen, ({ status }) => own.isStopped() || status === "succeeded"))
          // What it writes after the last report is reported, too.
          if (!own.isStopped()) yield* looked(environment)
          const wasStopped = own.isStopped()
          own.kill()
          yield* before.end
          const after = yield* environment.start({ store })
          const payment = after.again(first.record)
          yield* payment.becomes(paidTwice)
          assert.deepStrictEqual(yield* payment.events, once, places.at(-1))
          made.push(payment)
          yield* after.end
          if (!wasStopped || nth > 40) break
        }
        const last = yield* environment.start({ store })
        yield* overtaken(environment, last)
        assert.isAbove(places.length * step, 8, places.join("\n"))
        for (const { record } of made) {
          const payment = last.again(record)
          assert.deepInclude(yield* payment.seen, paidTwice)
          assert.deepStrictEqual(yield* payment.events, once)
        }
      })
    )
  }

  scenario("two engines on one database: one scans, and when it ends the other goes on", (environment) =>
    Effect.gen(function* () {
      const store = shared(environment.store)
      const one = yield* environment.start({ store })
      const first = yield* one.create()
      const other = yield* environment.start({ store })
      const second = yield* other.create()
      yield* payTwice(environment, first.address)
      yield* first.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* one.end
      yield* payTwice(environment, second.address)
      yield* environment.chain.finalize
      yield* timePasses(environment, "20 seconds", "2 seconds")
      yield* other.again(first.record).becomes(paidTwice)
      yield* second.becomes(paidTwice)
      assert.deepStrictEqual(yield* second.events, once)
    })
  )

  scenario("an engine that stalls past its lease: another goes on, and its late writes change nothing", (environment) =>
    Effect.gen(function* () {
      const store = shared(environment.store)
      const stalling = mortal(store)
      const one = yield* environment.start({ store: stalling.store })
      const { address, record } = yield* one.create()
      yield* looked(environment)
      const other = yield* environment.start({ store })
      stalling.stopAt("before", ({ kind }) => kind === "state")
      yield* payTwice(environment, address)
      yield* until(Effect.sync(stalling.isStopped))
      yield* timePasses(environment, "1 minute", "5 seconds")
      const payment = other.again(record)
      yield* payment.becomes({ status: "pending", reason: "awaiting_finality" })
      yield* environment.chain.finalize
      yield* payment.becomes(paidTwice)
      stalling.wake()
      yield* timePasses(environment, "30 seconds", "5 seconds")
      yield* overtaken(environment, other)
      yield* payment.becomes(paidTwice)
      assert.deepStrictEqual(yield* payment.events, once)
    })
  )
})
