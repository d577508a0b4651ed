/** P21 with 100,000 requests in all. The ordinary tests send 1,500 such requests. */
import { assert, describe, it } from "@effect/vitest"
import { mutationRun } from "../promises/mutations/run.ts"
import { slice } from "../support/amount.ts"

const seeds = Array.from({ length: 10 }, (_, index) => 21 + index)

describe("10,000 requests that are hardly what is documented", () => {
  it.each(slice(seeds, 10))(
    "get no 5xx, problems of the documented shape, no row and no key, and leave no memory behind: seed %d",
    async (seed) => {
      const report = await mutationRun({ count: 10_000, seed })
      const { asked, compared, heapGrowth, statuses } = report
      process.stdout.write(
        `${asked} requests, ${JSON.stringify(statuses)}, ${compared} rows compared, heap ${(heapGrowth / 1e6).toFixed(1)} MB more\n`
      )
      assert.deepStrictEqual(report.faults, [])
      assert.deepStrictEqual(report.rows, [])
      assert.isBelow(heapGrowth, 50_000_000)
    }
  )
})
