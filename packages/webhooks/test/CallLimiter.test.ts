import { assert, describe, it } from "@effect/vitest"
import * as CallLimiter from "../src/delivery/CallLimiter.ts"
import type { OrderedTries } from "../src/index.ts"

const begun = (tries: OrderedTries, ...times: ReadonlyArray<number>) => {
  const calls = CallLimiter.make()
  const ends = times.map((time) => calls.begin(tries, time))
  return { calls, ends }
}
const times = (count: number, at: number) => Array.from({ length: count }, () => at)

describe("CallLimiter", () => {
  it("eight run at once; one that lasts for longer than two seconds leaves its place", () => {
    const { calls } = begun("first", ...times(5, 0), ...times(3, 1000))
    assert.strictEqual(calls.room("first", 2000), 0)
    assert.strictEqual(calls.room("first", 2001), 5)
    assert.strictEqual(calls.room("first", 3001), 8)
  })

  it("but 64 at most, however long they last", () => {
    const { calls } = begun("first", ...times(60, 0))
    assert.strictEqual(calls.room("first", 9000), 4)
    for (let n = 0; n < 4; n++) calls.begin("first", 9000)
    assert.isAtMost(calls.room("first", 99_000), 0)
  })

  it("those that failed before have four places apart, and 16 at most", () => {
    const { calls } = begun("further", ...times(4, 0))
    assert.deepStrictEqual([calls.room("further", 0), calls.room("first", 0)], [0, 8])
    assert.strictEqual(calls.room("further", 2001), 4)
    for (let n = 0; n < 11; n++) calls.begin("further", 0)
    assert.deepStrictEqual([calls.room("further", 2001), calls.room("first", 2001)], [1, 8])
  })

  it("what has ended makes room", () => {
    const { calls, ends } = begun("first", ...times(64, 0))
    for (const end of ends.slice(0, 3)) end()
    assert.strictEqual(calls.room("first", 9000), 3)
  })
})
