/** Payments that exclusions and outages leave without a provider: found by the check, and by routing every payment. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { amount } from "../../../test/support/amount.ts"
import { compile } from "../src/CompiledRouting.ts"
import { compileWithWarnings } from "../src/check/warnings/routingWarnings.ts"
import type { RoutingWithWarnings } from "../src/check/warnings/routingWarnings.ts"
import { anyCard, provider } from "./fixtures.ts"
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

const two = [provider("stripe", { card: anyCard }), provider("adyen", { card: anyCard })]
const ofAdyen = [{ name: "euros", when: { currency: "EUR" }, choose: { priority: ["adyen"] } }]
const outage = { provider: "adyen", from: "2026-12-01T00:00:00Z", to: "2026-12-01T02:00:00Z" }

const foundIn = (config: object) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const { noRoute, warnings } = yield* compileWithWarnings({ version: 1, ...config }, two)
    const shown = (problems: typeof noRoute) => problems.map(({ message, path }) => [path, message] as const)
    return { noRoute: shown(noRoute), warnings: shown(warnings) }
  })

describe("payments without a provider because of exclude and outages", () => {
  it.effect("are found exactly where routing every payment finds them, now and at planned times", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const counts = { configurations: 0, now: 0, planned: 0 }
      for (let seed = 0; counts.configurations < amount({ part: 40, all: 400 }); seed++) {
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

  it.effect("are an error at what takes the provider away, with the rule, an example and the provider", () =>
    Effect.gen(function* () {
      const found = yield* foundIn({ rules: ofAdyen, default: { priority: ["stripe"] }, exclude: ["adyen"] })
      assert.deepStrictEqual(found.noRoute, [
        [
          ["exclude", 0],
          'rule "euros" has no provider for a payment such as a test card payment of 0.01 EUR (hosted): "adyen" is excluded. Add another provider that takes this payment, or remove this entry'
        ]
      ])
    })
  )

  it.effect("are a warning with the times of a planned outage", () =>
    Effect.gen(function* () {
      const found = yield* foundIn({ rules: ofAdyen, default: { priority: ["stripe"] }, outages: [outage] })
      assert.deepStrictEqual(found.noRoute, [])
      assert.deepStrictEqual(found.warnings, [
        [
          ["outages", 0],
          'from 2026-12-01T00:00:00Z to 2026-12-01T02:00:00Z, rule "euros" has no provider for a payment such as a test card payment of 0.01 EUR (hosted): "adyen" has an outage. Add another provider that takes this payment, or remove this entry'
        ]
      ])
    })
  )

  it.effect("are neither where another provider of the rule takes them, or where none ever did", () =>
    Effect.gen(function* () {
      const both = { priority: ["adyen", "stripe"] }
      assert.deepStrictEqual(yield* foundIn({ default: both, exclude: ["adyen"], outages: [outage] }), {
        noRoute: [],
        warnings: []
      })
      // Of UPI, which neither takes, nothing is said.
      assert.deepStrictEqual((yield* foundIn({ default: both, exclude: ["adyen"] })).noRoute, [])
    })
  )

  it.effect("are found of each method, and each has its own error", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const providers = [
        provider("stripe", { card: anyCard }),
        provider("razorpay", { upi: { currencies: ["INR"], flows: { intent: {} } } })
      ]
      const config = { version: 1, default: { priority: ["stripe", "razorpay"] }, exclude: ["razorpay", "stripe"] }
      const { noRoute } = yield* compileWithWarnings(config, providers)
      assert.deepStrictEqual(
        noRoute.map(({ path }) => path),
        [
          ["exclude", 0],
          ["exclude", 1]
        ]
      )
      const outages = [{ provider: "stripe", from: outage.from, to: outage.to }]
      const planned = yield* compileWithWarnings({ ...config, exclude: ["razorpay"], outages }, providers)
      assert.deepStrictEqual(named(planned.noRoute), ["default"])
      assert.deepStrictEqual(
        named(planned.warnings),
        ["default"],
        "an accepted rejection of UPI hides no outage of cards"
      )
    })
  )

  it.effect("are found in `default` behind rules that take long to search, which are named", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const currencies = ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF"]
      const amounts = currencies
        .slice(0, 9)
        .map((code, index) => ({ currency: code, min: String(1 + index), max: String(100 * (index + 1)) }))
      const able = { currencies, flows: { hosted: {}, token: {} }, amounts }
      const providers = [
        provider("adyen", { card: able }),
        provider("stripe", { card: { currencies: currencies.slice(0, 9), flows: { hosted: {}, token: {} } } })
      ]
      const rules = Array.from({ length: 60 }, (_, rule) => ({
        name: `bins ${rule}`,
        when: {
          currency: currencies.slice(0, 9),
          "card.bin": Array.from({ length: 1_000 }, (__, bin) => String(400_000 + rule * 1_000 + bin))
        },
        choose: { priority: ["adyen", "stripe"] }
      }))
      const { noRoute, warnings } = yield* compileWithWarnings(
        { version: 1, rules, default: { priority: ["adyen"] }, exclude: ["adyen"] },
        providers
      )
      assert.deepStrictEqual(named(noRoute), ["default"])
      assert.match(
        warnings.map(({ message }) => message).join("\n"),
        /rule "bins \d+" has too many conditions for this check/
      )
    })
  )

  it.effect("are found of a planned outage, whatever hours the rules have", () =>
    Effect.gen(function* () {
      const hours = Array.from({ length: 80 }, (_, rule) => ({
        name: `hours ${rule}`,
        when: {
          time: {
            between: [`0${rule % 9}:${10 + (rule % 40)}`, `1${2 + (rule % 7)}:${10 + (rule % 40)}`],
            zone: "Europe/Berlin"
          },
          "metadata.shop": `shop-${rule}`
        },
        choose: { priority: ["stripe", "adyen"] }
      }))
      const found = yield* foundIn({
        rules: [...hours, ...ofAdyen],
        default: { priority: ["adyen"] },
        outages: [{ ...outage, from: "2026-12-03T00:00:00Z", to: "2026-12-03T02:00:00Z" }]
      })
      assert.include(
        found.warnings.map(([, message]) => message).join("\n"),
        "`default` has no provider for a payment such as"
      )
    })
  )
})
