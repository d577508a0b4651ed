/** Payments that exclusions and outages leave without a provider: found by the check, and by routing every payment. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { amount } from "../../../test/support/amount.ts"
import { compile } from "../src/CompiledRouting.ts"
import { compileWithWarnings } from "../src/check/warnings/routingWarnings.ts"
import type { RoutingWithWarnings } from "../src/check/warnings/routingWarnings.ts"
import { drawFrom } from "./naive/Draw.ts"
import { withheldRules } from "./naive/arbitraryNoRoute.ts"
import { lostPayments } from "./naive/noRoute.ts"

/** A Monday. */
const NOW = Date.parse("2026-11-30T09:00:00Z")

/** The rules that are named; an error of a rule covers what happens to it later. */
const named = (problems: RoutingWithWarnings["warnings"]): ReadonlyArray<string> =>
  problems.flatMap(({ message }) => {
    const found = /(?:rule "([^"]+)"|`(default)`) has no provider for a payment such as/.exec(message)
    return found?.[1] ?? found?.[2] ?? []
  })

const sorted = (rules: Iterable<string>): ReadonlyArray<string> => [...new Set(rules)].sort()

describe("payments without a provider because of exclude and outages", () => {
  it.effect("are found exactly where routing every payment finds them, now and at planned times", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const counts = { configurations: 0, now: 0, planned: 0 }
      for (let seed = 0; counts.configurations < amount({ part: 12, all: 400 }); seed++) {
        const { config, providers } = withheldRules(drawFrom(seed * 7_919), NOW)
        const checked = yield* Effect.result(compileWithWarnings(config, providers))
        // Wrong for another reason.
        if (Result.isFailure(checked)) continue
        if (config.exclude === undefined && config.outages === undefined) continue
        counts.configurations++
        const { exclude: _, outages: __, ...free } = config
        const rules = { withheld: checked.success.routing, free: yield* compile(free, providers) }
        const lost = lostPayments(config, rules, NOW)
        const { noRoute, warnings } = checked.success
        const messages = [...noRoute, ...warnings].map(({ message }) => message)
        const shown = JSON.stringify({ seed, config, providers, messages }, null, 1)
        assert.deepStrictEqual(sorted(named(noRoute)), sorted(lost.now), `now: ${shown}`)
        assert.deepStrictEqual(sorted(named([...noRoute, ...warnings])), sorted(lost.ever), `planned: ${shown}`)
        if (lost.now.size > 0) counts.now++
        if (lost.ever.size > lost.now.size) counts.planned++
      }
      assert.isAbove(counts.now, counts.configurations / 10)
      assert.isAbove(counts.planned, counts.configurations / 10)
      assert.isBelow(counts.now, counts.configurations)
    })
  )
})
