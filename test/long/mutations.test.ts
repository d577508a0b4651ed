/** P21 at its full size. The ordinary tests send 1,500 such requests. */
import { assert, describe, it } from "@effect/vitest"
import { mutationRun } from "../promises/mutations/run.ts"

describe("100,000 requests that are hardly what is documented", () => {
  it("get no 5xx, problems of the documented shape, no row and no key, and leave no memory behind", async () => {
    const report = await mutationRun({ count: 100_000, seed: 21 })
    const { asked, compared, heapGrowth, statuses } = report
    process.stdout.write(
      `${asked} requests, ${JSON.stringify(statuses)}, ${compared} rows compared, heap ${(heapGrowth / 1e6).toFixed(1)} MB more\n`
    )
    assert.deepStrictEqual(report.faults, [])
    assert.deepStrictEqual(report.rows, [])
    assert.isBelow(heapGrowth, 50_000_000)
  })
})
