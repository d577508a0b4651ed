/** Random scenarios: whatever Stripe and Adyen do, a payment is charged at one of them at most. */
import { assert, describe, it } from "@effect/vitest"
import type { ScriptedOutcome, PlannedFault } from "@paymux/testkit"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect } from "effect"
import { cards } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { amount } from "../support/amount.ts"
import { quick } from "./faults.ts"
import { adyenFirst, type Here, instances, inEnvironment, minutes, stateOf, tokens } from "./testEnvironment.ts"

describe("no payment is ever charged at both", () => {
  const scenarios = amount({ part: 25, all: 100 })
  const payments = 5

  it.effect(`in ${scenarios} random scenarios with faults`, () =>
    Effect.gen(function* () {
      const seen = new Map<string, number>()
      const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1)
      for (let seed = 0; seed < scenarios; seed++) {
        const random = SeededRandom.stream(11, "cards", seed)
        yield* inEnvironment({ order: random.chance(50) ? instances : adyenFirst }, (here) =>
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
      for (const what of ["1 asked", "2 asked", "charged"]) assert.isAbove(seen.get(what) ?? 0, scenarios / 4, what)
    })
  )

  const broken = Effect.fnUntraced(function* (here: Here, random: SeededRandom.SeededRandom) {
    const planned: Array<PlannedFault> = []
    for (const at of ["stripe", "adyen"] as const) {
      yield* here[at].decide(random.pick(scriptedOutcomes[at]))
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

  const scriptedOutcomes: {
    readonly [at in "stripe" | "adyen"]: readonly [ScriptedOutcome, ...ReadonlyArray<ScriptedOutcome>]
  } = {
    stripe: ["approve", { decline: "issuer_not_available" }, { decline: "insufficient_funds" }],
    adyen: ["approve", "wait", { decline: "9" }, { decline: "12" }]
  }
})
