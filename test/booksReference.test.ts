/** The page about amounts shows what the engine makes of each combination, whatever the order of the reports. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { noHostedPage } from "../packages/core/src/wire/HostedPage.ts"
import { paymentJson } from "../packages/core/src/wire/PaymentJson.ts"
import {
  AMOUNT,
  CAPTURED,
  combinations,
  DISPUTED,
  EXCESS,
  page,
  paymentAfter,
  REFUNDED,
  returned,
  withTables
} from "../scripts/books-reference.ts"
import type { Fact, History } from "../scripts/books-reference.ts"

describe("docs/reference/books.md", () => {
  it("gets its tables back where they were changed", () => {
    const text = readFileSync(page, "utf8")
    const changed = text.replace("| 6000 | 0 |", "| 6001 | 0 |")
    assert.notStrictEqual(changed, text)
    assert.strictEqual(withTables(changed), text)
  })

  it("shows every combination, by amounts that follow from what was reported", () => {
    assert.strictEqual(new Set(combinations.map((history) => history.join())).size, 32)
    for (const history of combinations) {
      const { amount_captured, amount_disputed, amount_refunded, disputed_at, overpayment, reviews, status } =
        paymentJson(paymentAfter(history), noHostedPage)
      const has = (fact: Fact) => history.includes(fact)
      const expected = [
        ...(has("late charge") ? ["duplicate_capture acme ch_1 10000"] : []),
        ...(has("excess capture") ? [`excess_capture globex ch_2 ${EXCESS}`] : []),
        ...(has("duplicate") ? ["duplicate_capture globex ch_3 10000"] : [])
      ]
      const excess =
        (has("late charge") ? AMOUNT : 0) + (has("duplicate") ? AMOUNT : 0) + (has("excess capture") ? EXCESS : 0)
      const name = history.join(", ")
      assert.strictEqual(status, "succeeded", name)
      assert.strictEqual(amount_captured, CAPTURED, name)
      assert.strictEqual(amount_refunded, has("refund") ? REFUNDED : 0, name)
      assert.strictEqual(overpayment, excess === 0 ? undefined : excess, name)
      assert.strictEqual(disputed_at !== undefined, has("dispute"), name)
      assert.strictEqual(amount_disputed, has("dispute") ? DISPUTED : undefined, name)
      assert.deepStrictEqual(
        reviews.map(({ amount, provider, reason, reference }) => `${reason} ${provider} ${reference} ${amount}`),
        expected,
        name
      )
    }
  })

  it("gives the same amounts in every order of the reports", () => {
    for (const history of combinations) {
      const amounts = amountsOf(history)
      for (const order of orders(history)) assert.deepStrictEqual(amountsOf(order), amounts, order.join(", "))
    }
  })

  it("leaves neither overpayment nor reviews once every excess is returned, and the payment's amounts as they were", () => {
    for (const history of combinations) {
      const before = paymentJson(paymentAfter(history), noHostedPage)
      const after = paymentJson(returned(paymentAfter(history)), noHostedPage)
      const name = history.join(", ")
      assert.deepStrictEqual([after.overpayment, after.reviews], [undefined, []], name)
      assert.deepInclude(
        after,
        {
          status: before.status,
          amount_captured: before.amount_captured,
          amount_refunded: before.amount_refunded
        },
        name
      )
    }
  })
})

const amountsOf = (history: History) => {
  const { amount_captured, amount_disputed, amount_refunded, overpayment, reviews } = paymentJson(
    paymentAfter(history),
    noHostedPage
  )
  const shown = reviews.map(({ amount, id, reason, reference }) => [id, reason, reference, amount].join(" ")).toSorted()
  return { amount_captured, amount_disputed, amount_refunded, overpayment, reviews: shown }
}

const orders = (facts: History): ReadonlyArray<History> =>
  facts.length === 0
    ? [[]]
    : facts.flatMap((first) => orders(facts.filter((fact) => fact !== first)).map((rest) => [first, ...rest]))
