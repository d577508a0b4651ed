/** Circuit breakers that are open when a payment is routed, or open while it is tried. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { Payments } from "../../src/Payments.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { misconfigured } from "../../src/provider/ProviderError.ts"
import { card, engine, plain, scripted } from "./fixtures.ts"

const create = Effect.gen(function* () {
  const payments = yield* Payments
  return (yield* payments.create(yield* card, plain)).record
})

const providersOf = ({ attempts }: PaymentRecord) => attempts.map(({ provider }) => provider)

const notSent = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
const taken = () => Effect.succeed(Outcome.succeeded())

describe("a provider whose circuit breaker is open", () => {
  it.effect("goes last, and the decision says why", () =>
    Effect.gen(function* () {
      yield* create
      const { payment } = yield* create
      assert.deepStrictEqual(payment.routing.candidates, [
        { provider: "b", reason: "priority" },
        { provider: "a", reason: "breaker_open" }
      ])
      assert.deepStrictEqual(payment.routing.dropped, [])
    }).pipe(
      Effect.provide(
        engine([scripted("a", { create: () => Effect.fail(misconfigured("401")) }), scripted("b", { create: taken })])
      )
    )
  )
})

describe("a provider whose circuit breaker opens while another is tried", () => {
  const slowly = ["5 seconds", "0 seconds"] as const
  let sends = 0

  it.effect("is skipped, and the next attempt says so", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(create)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(providersOf(yield* create), ["a", "b", "c"])
      yield* TestClock.adjust("5 seconds")
      const { attempts } = yield* Fiber.join(waiting)
      assert.deepStrictEqual(
        attempts.map(({ provider, reason }) => [provider, reason]),
        [
          ["a", "priority"],
          ["c", "failover: not_executed, skipped b breaker_open"]
        ]
      )
    }).pipe(
      Effect.provide(
        engine([
          scripted("a", { create: () => Effect.suspend(() => Effect.delay(notSent(), slowly[sends++] ?? 0)) }),
          scripted("b", { create: () => Effect.fail(misconfigured("401")) }),
          scripted("c", { create: taken })
        ])
      )
    )
  )
})
