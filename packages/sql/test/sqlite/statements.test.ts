import { assert, describe, it } from "@effect/vitest"
import type { EventId } from "@paymux/core/store"
import { DatabaseSync } from "node:sqlite"
import { coreMigrations } from "../../src/migrations/core.ts"
import type { StatementText } from "../../src/dialect/Fragments.ts"
import { sqliteStatement } from "../../src/sqlite/sqliteDialect.ts"
import * as Sql from "../../src/sqlite/statements.ts"
import { selectDueInboxProviders, selectDueProviders } from "../../src/store/dueProviders.ts"
import { claimEntries } from "../../src/store/inbox.ts"
import { markDispatched } from "../../src/store/events.ts"
import { selectDue } from "../../src/store/operations.ts"

/** How SQLite runs the statement, with the tables of an installation. */
const planOf = (text: StatementText): ReadonlyArray<string> => {
  const { sql, values } = sqliteStatement(text)
  const database = new DatabaseSync(":memory:")
  for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values)
  database.close()
  return plan.map(({ detail }) => String(detail))
}

const claim = { provider: "acme", owner: "engine", now: 1, until: 2, limit: 1 }

describe("the statements on SQLite", () => {
  it("have no numbered parameters, which Node 22.19 takes for names", () => {
    const texts = Object.entries(Sql).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    assert.isAbove(texts.length, 13)
    assert.deepStrictEqual(
      [...texts.map(([, sql]) => sql), sqliteStatement(claimEntries(claim)).sql].filter((sql) => /\?\d/.test(sql)),
      []
    )
  })

  it("find what may be claimed in the order of an index, and pass over nothing that is claimed or of another instance", () => {
    assert.deepStrictEqual(
      planOf((statement) => selectDue(statement, claim)),
      ["SEARCH operations USING INDEX operations_due (provider=? AND <expr><?)"]
    )
    const claimed = planOf(claimEntries(claim))
    assert.deepStrictEqual(
      claimed.filter((detail) => /^(?:SCAN|SEARCH|USE) /.test(detail)),
      [
        "SEARCH provider_inbox USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH provider_inbox USING INDEX provider_inbox_waiting (provider=? AND next_try_at<?)"
      ],
      claimed.join("\n")
    )
  })

  it("mark events by their ids, and not by a walk of all that wait", () => {
    const plan = planOf(markDispatched(["evt_1" as EventId], 1))
    assert.isTrue(
      plan.some((detail) => detail.startsWith("SEARCH payment_events USING INDEX sqlite_autoindex_payment_events_")),
      plan.join("\n")
    )
  })

  it("find the instances with due work by one probe of an index each", () => {
    const ofOperations = planOf(({ bind }) => selectDueProviders(bind(1, "bigint")))
    const ofEntries = planOf(({ bind }) => selectDueInboxProviders(bind(1, "bigint")))
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
