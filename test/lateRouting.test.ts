/** Success rates through the engine where an outage shows in payments that stay open: failures are expiries. */
import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment } from "@paymux/core"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Effect } from "effect"
import { memory, sqlite } from "./bench/routing/late/databases.ts"
import type { LateEngine } from "./bench/routing/late/LateEngine.ts"
import { lateWorlds, outage } from "./bench/routing/late/lateWorlds.ts"
import { request, tenant, traffic } from "./bench/routing/late/Traffic.ts"

/** The first provider is down: its payers have 20 minutes, so that no failure ends before minute 80. */
const [, world] = lateWorlds

/** The candidates and the reasons for each that an engine has for the same 30 payments. */
const plans = Effect.fnUntraced(function* ({ router }: LateEngine) {
  const payment = yield* Effect.orDie(decodeCreatePayment(request))
  const now = yield* Clock.currentTimeMillis
  const ids = SeededRandom.ids(SeededRandom.stream(1, "asked"), () => now)
  return Array.from({ length: 30 }, () => {
    const planned = router.plan({ id: ids.payment(null), tenant, payment, demotionOf: () => null })
    return planned._tag === "Plan" ? planned.candidates : []
  })
})

/** In percent, as the explanation says it. */
const rateOf = (id: string, [candidates = []]: Effect.Success<ReturnType<typeof plans>>): number => {
  const { reason = "" } = candidates.find(({ provider }) => provider === id) ?? {}
  return Number(/^success_rate ([\d.]+)%/.exec(reason)?.[1])
}

describe("an outage at a provider of UPI intents, 10 payments a minute", () => {
  for (const [reporting, database, name, second] of [
    ["webhooks", sqlite, "SQLite", 4],
    ["inquiries", memory, "memory", 2]
  ] as const) {
    it.effect(`is seen within five minutes, and alike by a second and a restarted engine: ${reporting}, ${name}`, () =>
      Effect.gen(function* () {
        const { choices, start, until } = yield* traffic({ world, perMinute: 10, seed: 1, reporting, database })
        const first = yield* start
        // Every engine reads at even seconds. At this one no payment ends, which might be before or after it.
        yield* until(100 + second / 60, [first])
        for (const [end, count] of [
          [outage.from + 20, 150],
          [101, 351]
        ] as const) {
          const seen = choices.filter(({ minute }) => minute >= outage.from + 5 && minute < end)
          const down = seen.filter(({ provider }) => provider === 0)
          assert.lengthOf(seen, count)
          assert.isBelow(down.length / seen.length, 0.3)
        }

        const known = yield* plans(first)
        for (const candidates of known) {
          assert.lengthOf(candidates, 2)
          for (const { reason } of candidates) assert.match(reason, /^success_rate .* of \d+ UPI intents.*, drawn /)
        }
        assert.deepStrictEqual(yield* plans(yield* start), known)
        yield* first.end
        assert.deepStrictEqual(yield* plans(yield* start), known)
      })
    )
  }

  it.effect("shows in the rate of the provider that has the payments before the first failure of it has ended", () =>
    Effect.gen(function* () {
      const options = { world, perMinute: 10, seed: 1, reporting: "inquiries", database: memory } as const
      const { start, until } = yield* traffic(options)
      const engine = yield* start
      yield* until(outage.from + 10, [engine])
      assert.isBelow(rateOf("cashfree", yield* plans(engine)), 60)
    })
  )
})
