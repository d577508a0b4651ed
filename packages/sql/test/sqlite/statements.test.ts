import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { coreMigrations } from "../../src/migrations/core.ts"
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

  it("find what may be claimed in the order of an index, and pass over nothing that is claimed", () => {
    const database = new DatabaseSync(":memory:")
    for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${Sql.selectDue}`).all(1, 1)
    database.close()
    assert.deepStrictEqual(
      plan.map(({ detail }) => detail),
      ["SEARCH operations USING INDEX operations_claimable (<expr><?)"]
    )
  })
})
