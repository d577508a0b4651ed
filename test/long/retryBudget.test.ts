/** P14 where the breaker does not help: half of an outage, and no breaker at all, for ten virtual minutes. */
import { assert, describe, it } from "@effect/vitest"
import { isWhole, slice } from "../support/amount.ts"
import { outage, withoutBreaker } from "../promises/outage.ts"

const plan = { minutes: 10, perSecond: isWhole() ? 100 : 25, canInquire: true, seed: 14 } as const

describe("ten minutes of a provider that fails", () => {
  const cases = [
    ["one send of five", { failing: 0.2, breaker: {} }],
    ["two sends of five", { failing: 0.4, breaker: {} }],
    ["every send, without a breaker", { failing: 1, breaker: withoutBreaker }]
  ] as const
  it.each(slice(cases, cases.length))("%s", async (name, how) => {
    const { asked, begun, inquiries, mostSends, sends } = await outage({ ...plan, ...how })
    process.stdout.write(`${name}: ${begun} of ${asked} begun, ${sends} sends, ${inquiries} inquiries\n`)
    assert.isAtMost(sends, 1.1 * begun + 10)
    assert.isAtMost(mostSends, 3)
  })
})
