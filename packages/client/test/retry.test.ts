import { assert, describe, it } from "@effect/vitest"
import { PaymuxAbortError, PaymuxConnectionError, PaymuxServerError, PaymuxUsageError } from "../src/index.ts"
import { retryWait } from "../src/retry.ts"

const lost = new PaymuxConnectionError({ code: "connection_failed", message: "lost" })
const reported = (retryAfter: number) =>
  new PaymuxServerError({ code: "service_unavailable", message: "later", status: 503, retryAfter })

describe("the wait before a retry", () => {
  it("doubles from half a second to eight, and is randomly up to half shorter", () => {
    const waits = (chance: number) => [0, 1, 2, 3, 4, 5, 9].map((retry) => retryWait(lost, retry, 10, chance))
    assert.deepStrictEqual(waits(0), [250, 500, 1000, 2000, 4000, 4000, 4000])
    assert.deepStrictEqual(waits(1), [500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it("is at least what the server says, and differs between clients", () => {
    assert.strictEqual(retryWait(reported(3000), 0, 3, 0), 3000)
    assert.strictEqual(retryWait(reported(3000), 0, 3, 0.5), 3125)
    assert.strictEqual(retryWait(reported(0), 0, 3, 0), 250)
    assert.strictEqual(retryWait(reported(20_000), 0, 3, 0), 20_000)
  })

  it("is none where nothing is to be tried", () => {
    assert.isNull(retryWait(lost, 3, 3, 0))
    assert.isNull(retryWait(lost, 0, 0, 0))
    assert.isNull(retryWait(reported(20_001), 0, 3, 0))
    assert.isNull(retryWait(new PaymuxAbortError({ code: "aborted", message: "x" }), 0, 3, 0))
    assert.isNull(retryWait(new PaymuxUsageError("x"), 0, 3, 0))
  })
})
