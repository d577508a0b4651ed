import { assert, describe, it } from "@effect/vitest"
import { firstRequestId, newRequestId, requestTimeOf } from "../../src/request/RequestId.ts"

const time = 1_700_000_000_123

describe("request ids", () => {
  it("of one millisecond sort in the order in which they were made, and after all of the millisecond before", () => {
    const times = [time, time + 1, time + 3]
    const made = times.flatMap((each) => Array.from({ length: 1_000 }, () => newRequestId(each)))
    assert.deepStrictEqual(made.toSorted(), made)
  })

  it("are UUIDs of version 7 with their time, and all different, however many one millisecond has", () => {
    const made = Array.from({ length: 10_000 }, () => newRequestId(time))
    assert.strictEqual(new Set(made).size, made.length)
    for (const id of made) {
      assert.match(id, /^req_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
      assert.strictEqual(requestTimeOf(id), time)
      assert.isTrue(id > firstRequestId(time) && id < firstRequestId(time + 1), id)
    }
  })
})
