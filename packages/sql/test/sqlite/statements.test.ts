import { assert, describe, it } from "@effect/vitest"
import * as Sql from "../../src/sqlite/statements.ts"

describe("the statements on SQLite", () => {
  it("have no numbered parameters, which Node 22.19 takes for names", () => {
    const texts = Object.entries(Sql).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    assert.isAbove(texts.length, 30)
    assert.deepStrictEqual(
      texts.filter(([, sql]) => /\?\d/.test(sql)).map(([name]) => name),
      []
    )
  })
})
