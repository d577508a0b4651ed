/** A condition on one fact that no payment can meet is named, with its place. */
import { assert, describe, it } from "@effect/vitest"
import type { Place } from "../fixtures.ts"
import { problems } from "../fixtures.ts"
import { when } from "../written.ts"

const usd = { payment_method: "card", currency: "USD" }

const refusals: ReadonlyArray<readonly [what: string, when: unknown, place: Place, predicate: string]> = [
  [
    "a lower limit above the upper one",
    { ...usd, amount: { gte: 500, lte: 100 } },
    ["amount"],
    "`when.amount` can never hold: `gte` and `lte` exclude each other"
  ],
  [
    "nothing between two whole numbers",
    { ...usd, amount: { gt: 5, lt: 6 } },
    ["amount"],
    "`when.amount` can never hold: `gt` and `lt` exclude each other"
  ],
  [
    "a range from its end to its beginning",
    { ...usd, amount: { between: [500, 100] } },
    ["amount", "between"],
    "`when.amount.between` can never hold: its first amount is above its second"
  ],
  [
    "less than nothing",
    { ...usd, amount: { lt: 0 } },
    ["amount", "lt"],
    "`when.amount.lt` can never hold: no payment has such a value"
  ],
  [
    "what every payment has, absent",
    { ...usd, amount: { exists: false } },
    ["amount", "exists"],
    "`when.amount.exists` can never hold: every payment has it"
  ],
  [
    "prefixes that exclude each other",
    { "card.bin": { starts_with: "41", in_prefixes: ["52", "55"] } },
    ["card.bin"],
    "`when.card.bin` can never hold: `starts_with` and `in_prefixes` exclude each other"
  ],
  [
    "all of several alternatives",
    { ...usd, all: [{ any: [{ amount: { gt: 9, lt: 9 } }] }] },
    ["all", 0, "any", 0, "amount"],
    "`when.all[0].any[0].amount` can never hold: `gt` and `lt` exclude each other"
  ]
]

describe("a condition that no payment can meet", () => {
  for (const [what, conditions, place, predicate] of refusals) {
    it(`is refused: ${what}`, () =>
      assert.deepStrictEqual(problems(when(conditions)), [[["rules", 0, "when", ...place], `rule "x": ${predicate}`]]))
  }

  it("is not refused beside an alternative that holds", () => {
    assert.deepStrictEqual(problems(when({ ...usd, any: [{ amount: { gt: 9, lt: 9 } }, { amount: 5 }] })), [])
  })
})
