import { assert, describe, it } from "@effect/vitest"
import * as FrequentTexts from "../../src/postgres/FrequentTexts.ts"
import { commitStatement, part } from "../../src/postgres/joined.ts"

const statement = (n: number, params: ReadonlyArray<unknown> = [n]) =>
  commitStatement([`${part("moved")} AS (SELECT $1::bigint + ${n})`], { done: part("moved"), kept: "$1::text" }, params)

describe("FrequentTexts", () => {
  it("commits follow each other in one text, each with parts and parameters of its own", () => {
    const text = FrequentTexts.make({ most: 1, period: 10 }).of(statement(5))
    assert.strictEqual(
      text?.joined(2),
      "WITH c0_moved AS (SELECT $1::bigint + 5), c1_moved AS (SELECT $2::bigint + 5) " +
        "SELECT c0_moved AS done_0, $1::text AS kept_0, c1_moved AS done_1, $2::text AS kept_1"
    )
  })

  it("of a thousand texts only the most frequent are joined, whichever came first", () => {
    const texts = FrequentTexts.make({ most: 2, period: 100 })
    for (let n = 0; n < 1_000; n++) {
      texts.of(statement(n))
      texts.of(statement(2_001))
      texts.of(statement(2_002))
    }
    assert.isNotNull(texts.of(statement(2_001)))
    assert.isNotNull(texts.of(statement(2_002)))
    assert.isNull(texts.of(statement(3)))
  })

  it("a statement with very many parameters is not joined", () => {
    const texts = FrequentTexts.make({ most: 2, period: 100 })
    const many = Array.from({ length: 1_001 }, (_, n) => n)
    assert.isNull(texts.of(statement(1, many)))
  })
})
