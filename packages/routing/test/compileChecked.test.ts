/** Rules compiled in slices are the rules compiled at once. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Result } from "effect"
import * as fc from "fast-check"
import { amount } from "../../../test/support/amount.ts"
import { compileChecked } from "../src/compileChecked.ts"
import { compile } from "../src/CompiledRouting.ts"
import { facts } from "../src/Facts.ts"
import { unknownHealth } from "../src/Health.ts"
import { plan } from "../src/choose/plan.ts"
import { paymentId, providers, refusals, withRule } from "./fixtures.ts"
import { cases } from "./naive/arbitrary.ts"

describe("rules that were checked elsewhere", () => {
  it("decide every payment as if they had been compiled at once, and have the same name", async () => {
    let compared = 0
    const check = fc.asyncProperty(cases(), async ({ config, providers, questions }) => {
      const whole = await Effect.runPromise(Effect.result(compile(config, providers)))
      if (Result.isFailure(whole)) return
      const { ruleset } = whole.success
      const sliced = await Effect.runPromise(compileChecked({ config, ruleset }, providers))
      assert.deepStrictEqual(
        [sliced.ruleset, sliced.failover("default"), sliced.fees, sliced.lenses, sliced.rules.length],
        [
          ruleset,
          whole.success.failover("default"),
          whole.success.fees,
          whole.success.lenses,
          whole.success.rules.length
        ]
      )
      for (const { asking } of questions) {
        compared++
        const { payment } = asking
        const asked = facts(payment, asking.tenant, paymentId(1), asking.now)
        assert.deepStrictEqual(
          plan(sliced, payment, asked, unknownHealth),
          plan(whole.success, payment, asked, unknownHealth)
        )
      }
    })
    await fc.assert(check, { numRuns: amount({ part: 300, all: 3000 }), seed: 1 })
    assert.isAbove(compared, 100)
  })

  it("are refused where they do not have the form of rules, as if they had not been checked", async () => {
    for (const config of [null, 5, {}, { version: 2 }, withRule({ "card.contry": "IN" }, { priority: ["stripe"] })]) {
      const { problems } = await Effect.runPromise(
        Effect.flip(compileChecked({ config, ruleset: "sha256:0" }, providers))
      )
      assert.deepStrictEqual(
        problems.map(({ message }) => message),
        refusals(config)
      )
    }
  })

  it("let other work run between two slices", async () => {
    const rules = Array.from({ length: 200 }, (_, index) => ({
      name: `rule ${index}`,
      when: { payment_method: "card", "metadata.shop": `shop ${index}` },
      choose: { priority: ["stripe"] }
    }))
    const config = { version: 1, rules, default: { priority: ["stripe"] } }
    let time = 0
    const hurried: Clock.Clock = Object.assign(Object.create(Clock.Clock.defaultValue()), {
      currentTimeMillisUnsafe: () => time++
    })
    const turns = await Effect.runPromise(
      Effect.gen(function* () {
        let turns = 0
        const other = yield* Effect.forkChild(
          Effect.forever(
            Effect.andThen(
              Effect.sync(() => void turns++),
              Effect.yieldNow
            )
          )
        )
        yield* Effect.provideService(compileChecked({ config, ruleset: "sha256:0" }, providers), Clock.Clock, hurried)
        yield* Fiber.interrupt(other)
        return turns
      })
    )
    assert.isAbove(turns, 20)
  })
})
