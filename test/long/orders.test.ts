/** Orders with two to five payments each: 10,000 on each database; in CI, 500 of them on each. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { postgres, sqlite } from "../orders/databases.ts"
import { faultsOf } from "../orders/orderJudge.ts"
import { runOrders } from "../orders/OrderRun.ts"
import { slice } from "../support/amount.ts"

const seeds = slice(
  Array.from({ length: 20 }, (_, index) => 100 + index),
  20
)

describe.each([
  ["SQLite", sqlite, 1],
  ["PostgreSQL, two servers", postgres, 2]
] as const)("orders with several payments on %s", (name, database, servers) => {
  it.live.each(seeds)("keep the payer's money once (seed %i)", (seed) =>
    Effect.gen(function* () {
      const plan = { seed, orders: 500, servers, loses: seed % 2 === 0 }
      const run = yield* runOrders(plan, yield* database, faultsOf)
      process.stdout.write(`${name}, seed ${seed}: ${JSON.stringify(run.counts)}\n`)
      assert.deepStrictEqual(faultsOf(run), [])
    }).pipe(Effect.scoped)
  )
})
