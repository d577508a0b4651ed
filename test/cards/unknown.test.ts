/** Cards at Stripe and Adyen, through the whole engine: what is not known is held, and what was proven not to be sent goes on. */
import { assert, describe, it } from "@effect/vitest"
import type { Fate, FaultyReply, PlannedFault } from "@paymux/testkit"
import { SeededRandom } from "@paymux/testkit/simulation"
import { Effect } from "effect"
import { cards } from "../../packages/adapters/stripe/test/fake.ts"
import { amount } from "../support/amount.ts"
import { adyenFirst, type Here, instances, inWorld, minutes, stateOf, tokens } from "./world.ts"

const both = [
  { first: "stripe", other: "adyen", order: instances },
  { first: "adyen", other: "stripe", order: adyenFirst }
] as const

type Fault = readonly [name: string, reply: FaultyReply]

const endless: ReadonlyArray<Fault> = [
  ["silence", "never"],
  ["an answer that never ends", "drip"]
]
const quick: readonly [Fault, ...ReadonlyArray<Fault>] = [
  ["a reset", "reset"],
  ["a reset in the answer", "reset_in_body"],
  ["half an answer", "half_body"],
  ["what is no HTTP", "not_http"],
  ["500", { status: 500, json: { error: { type: "api_error" } } }],
  ["502", { status: 502, text: "bad gateway" }],
  ["503", { status: 503 }],
  ["504", { status: 504, text: "upstream request timeout" }],
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["409", { status: 409, json: { error: { type: "invalid_request_error", code: "idempotency_key_in_use" } } }],
  ["200 with nothing", { status: 200 }],
  ["200 with what nobody knows", { status: 200, json: { hello: "world" } }],
  ["a redirect", { status: 302, headers: { location: "https://elsewhere.example/" } }]
]

describe("after it was sent, nobody else is asked", () => {
  for (const { first, order, other } of both) {
    for (const [what, reply] of [...endless, ...quick]) {
      for (const executed of [true, false]) {
        it.effect(`${what} of ${first}, which ${executed ? "charged" : "did not charge"}`, () =>
          inWorld({ order, patience: isEndless(reply) ? 150 : 2_000 }, (here) =>
            Effect.gen(function* () {
              const { asked, charges, current, pass, pay, tell } = here
              // Every send of the attempt, and whoever asks first what became of it.
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
      inWorld({ order }, (here) =>
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
      inWorld({ order, stranger: first }, (here) =>
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
        inWorld({ order }, (here) =>
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
    inWorld({ order: adyenFirst }, ({ adyen, asked, pay }) =>
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

describe("no payment is ever charged at both", () => {
  const worlds = amount({ part: 25, all: 100 })
  const payments = 5

  it.effect(`in ${worlds} worlds that break at random`, () =>
    Effect.gen(function* () {
      const seen = new Map<string, number>()
      const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1)
      for (let seed = 0; seed < worlds; seed++) {
        const random = SeededRandom.stream(11, "cards", seed)
        yield* inWorld({ order: random.chance(50) ? instances : adyenFirst }, (here) =>
          Effect.gen(function* () {
            const { network } = here[random.chance(50) ? "stripe" : "adyen"]
            if (random.chance(30)) yield* network.leaveAfter(random.between(0, 9))
            for (let payment = 0; payment < payments; payment++) {
              const { tried } = yield* broken(here, random)
              count(`${tried.length} asked`)
            }
            yield* here.pass(10 * minutes)
            for (const at of instances) yield* here.tell(at)
            for (const _ of yield* here.charges) count("charged")
          })
        )
      }
      for (const what of ["1 asked", "2 asked", "charged"]) assert.isAbove(seen.get(what) ?? 0, worlds / 4, what)
    })
  )

  const broken = Effect.fnUntraced(function* (here: Here, random: SeededRandom.SeededRandom) {
    const planned: Array<PlannedFault> = []
    for (const at of ["stripe", "adyen"] as const) {
      yield* here[at].decide(random.pick(fates[at]))
      for (let request = 0; request < 6; request++) {
        if (!random.chance(30)) continue
        const [, reply] = random.pick(quick)
        planned.push(yield* here[at].network.failNext({ executed: random.chance(60), reply }, request))
      }
    }
    const record = yield* here.pay({ ...tokens, ...(random.chance(20) && { stripe: cards.redirect }) })
    if (random.chance(50)) {
      yield* here.stripe.payersAct
      yield* here.adyen.payersAct
    }
    yield* here.pass(random.between(0, 2 * minutes))
    if (random.chance(30)) for (const at of instances) yield* here.tell(at)
    for (const fault of planned) yield* fault.withdraw
    return stateOf(yield* here.current(record))
  })

  const fates: { readonly [at in "stripe" | "adyen"]: readonly [Fate, ...ReadonlyArray<Fate>] } = {
    stripe: ["approve", { decline: "issuer_not_available" }, { decline: "insufficient_funds" }],
    adyen: ["approve", "wait", { decline: "9" }, { decline: "12" }]
  }
})
