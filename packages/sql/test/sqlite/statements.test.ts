import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { coreMigrations } from "../../src/migrations/core.ts"
import * as Sql from "../../src/sqlite/statements.ts"

/** How SQLite runs the statement, with the tables of an installation. */
const planOf = (sql: string, parameters: ReadonlyArray<string | number>): ReadonlyArray<string> => {
  const database = new DatabaseSync(":memory:")
  for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters)
  database.close()
  return plan.map(({ detail }) => String(detail))
}

describe("the statements on SQLite", () => {
  it("have no numbered parameters, which Node 22.19 takes for names", () => {
    const texts = Object.entries(Sql).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    assert.isAbove(texts.length, 30)
    assert.deepStrictEqual(
      texts.filter(([, sql]) => /\?\d/.test(sql)).map(([name]) => name),
      []
    )
  })

  it("find what may be claimed in the order of an index, and pass over nothing that is claimed or of another instance", () => {
    assert.deepStrictEqual(planOf(Sql.selectDue, ["acme", 1, 1]), [
      "SEARCH operations USING INDEX operations_due (provider=? AND <expr><?)"
    ])
    assert.deepStrictEqual(planOf(Sql.selectDueInbox, ["acme", 1, 1, 1]), [
      "SEARCH provider_inbox USING INDEX provider_inbox_waiting (provider=? AND next_try_at<?)"
    ])
  })

  it("find the instances with due work by one probe of an index each", () => {
    const [ofOperations, ofEntries] = [planOf(Sql.dueProviders, [1]), planOf(Sql.dueInboxProviders, [1, 1])]
    const probes = (plan: ReadonlyArray<string>) => plan.filter((detail) => detail.startsWith("SEARCH "))
    assert.deepStrictEqual(probes(ofOperations), [
      "SEARCH operations USING INDEX operations_due (provider>?)",
      "SEARCH operations EXISTS USING INDEX operations_due (provider=? AND <expr><?)"
    ])
    assert.deepStrictEqual(probes(ofEntries), [
      "SEARCH provider_inbox USING COVERING INDEX provider_inbox_waiting (provider>?)",
      "SEARCH provider_inbox EXISTS USING INDEX provider_inbox_waiting (provider=? AND next_try_at<?)"
    ])
  })
})
