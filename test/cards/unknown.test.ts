/** Cards at Stripe and Adyen, through the whole engine: what is not known is held, and what was proven not to be sent goes on. */
import { assert, describe, it } from "@effect/vitest"
import type { FaultyReply } from "@paymux/testkit"
import { Effect } from "effect"
import { quick } from "./faults.ts"
import type { Fault } from "./faults.ts"
import { adyenFirst, instances, inEnvironment, minutes, stateOf } from "./testEnvironment.ts"

const both = [
  { first: "stripe", other: "adyen", order: instances },
  { first: "adyen", other: "stripe", order: adyenFirst }
] as const

const endless: ReadonlyArray<Fault> = [
  ["silence", "never"],
  ["an answer that never ends", "drip"]
]

describe("after it was sent, no other provider is tried", () => {
  for (const { first, order, other } of both) {
    for (const [what, reply] of [...endless, ...quick]) {
      for (const executed of [true, false]) {
        it.effect(`${what} of ${first}, which ${executed ? "charged" : "did not charge"}`, () =>
          inEnvironment({ order, ...(isEndless(reply) && { patience: 150 }) }, (here) =>
            Effect.gen(function* () {
              const { asked, charges, current, pass, pay, tell } = here
              // Every send of the attempt, and the first inquiry about it.
              for (let request = 0; request < 4; request++)
                yield* here[first].network.failNext({ executed, reply }, request)
              const record = yield* pay()
              assert.deepStrictEqual(stateOf(record).tried, [first])
              assert.strictEqual(stateOf(record).status, "pending")
              yield* pass(20 * minutes)
              assert.deepStrictEqual(stateOf(yield* current(record)).tried, [first])
              yield* tell(first)
              const { status } = stateOf(yield* current(record))
              assert.strictEqual(status, executed ? "succeeded" : "pending")
              assert.lengthOf(yield* charges, executed ? 1 : 0)
              assert.strictEqual((yield* asked)[instances.indexOf(other)], 0)
              assert.strictEqual((yield* asked)[2], 0)
            })
          )
        )
      }
    }
  }
})

const isEndless = (reply: FaultyReply): boolean => endless.some(([, each]) => each === reply)

describe("where it is proven that nothing was done, the other one is asked", () => {
  const charged = (first: string, other: string) => ({
    status: "succeeded" as const,
    tried: [first, other],
    reviews: []
  })

  for (const { first, order, other } of both) {
    it.effect(`${first} refuses the connection`, () =>
      inEnvironment({ order }, (here) =>
        Effect.gen(function* () {
          yield* here[first].network.leaveAfter(0)
          assert.deepStrictEqual(stateOf(yield* here.pay()), charged(first, other))
          assert.deepStrictEqual(
            (yield* here.charges).map(({ at }) => at),
            [other]
          )
        })
      )
    )

    it.effect(`${first} does not know who asks: 401`, () =>
      inEnvironment({ order, stranger: first }, (here) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(stateOf(yield* here.pay()), charged(first, other))
          assert.deepStrictEqual(
            (yield* here.charges).map(({ at }) => at),
            [other]
          )
        })
      )
    )

    it.effect(`${first} did not answer a send, and then refuses connections, or us: the first send counts`, () =>
      Effect.forEach(["refuses", 401] as const, (then) =>
        inEnvironment({ order }, (here) =>
          Effect.gen(function* () {
            const { network } = here[first]
            yield* network.failNext({ executed: true, reply: "reset" })
            if (then === "refuses") yield* network.leaveAfter(1)
            else for (let send = 1; send < 9; send++) yield* network.failNext(strangers, send)
            const record = yield* here.pay()
            yield* here.pass(5 * minutes)
            assert.deepStrictEqual(stateOf(yield* here.current(record)).tried, [first])
            assert.deepStrictEqual(
              (yield* here.charges).map(({ at }) => at),
              [first]
            )
          })
        )
      )
    )
  }

  it.effect("Adyen says that nothing was done: transient-error", () =>
    inEnvironment({ order: adyenFirst }, ({ adyen, asked, pay }) =>
      Effect.gen(function* () {
        const reply = adyen.network.proof?.("transient-error") ?? assert.fail("the fake can say so")
        yield* adyen.network.failNext({ executed: false, reply })
        assert.deepStrictEqual(stateOf(yield* pay()), charged("adyen", "stripe"))
        assert.deepStrictEqual(yield* asked, [1, 1, 0])
      })
    )
  )
})

const strangers = { executed: false, reply: { status: 401, json: { error: { type: "invalid_request_error" } } } }
