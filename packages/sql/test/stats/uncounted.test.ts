/** What is not counted yet is never reported as counted, also while it is being counted. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { statisticsSeries, statisticsTotals, stepMs } from "../../src/index.ts"
import { rollUp } from "../../src/stats/rollUp.ts"
import { postgres, sqlite } from "./databases.ts"
import { insert, start, succeededEvent } from "./History.ts"

const tenant = { account: "shop", livemode: false }
const query = { of: "payments", from: start, until: start + stepMs.day } as const

const event = (n: number) => succeededEvent(tenant, n)

const totals = Effect.map(statisticsTotals(tenant, query), ({ groups, uncountedSince }) => ({
  count: groups[0]?.count ?? 0,
  uncountedSince
}))

const series = Effect.map(statisticsSeries(tenant, { ...query, step: "hour" }), ({ points, uncountedSince }) => ({
  count: points[0]?.count ?? 0,
  uncountedSince
}))

const later = <A, E, R>(turns: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  turns === 0 ? effect : Effect.andThen(Effect.yieldNow, later(turns - 1, effect))

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("statistics that are read while they are counted, on %s", (_, database) => {
  it.live.each([
    ["totals", totals],
    ["a series", series]
  ] as const)("miss nothing that %s report as counted", ([, read]) =>
    Effect.gen(function* () {
      for (let n = 1; n <= 60; n++) {
        yield* insert([event(n)])
        const [{ count, uncountedSince }] = yield* Effect.all([read, later(n % 12, rollUp("active", "one"))], {
          concurrency: "unbounded"
        })
        assert.isTrue(uncountedSince !== null || count === n, `${count} of ${n} are counted`)
      }
    }).pipe(Effect.provide(database()))
  )
})
