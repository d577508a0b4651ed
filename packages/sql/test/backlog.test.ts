/** How what waits is found: by indexes that hold nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { selectBacklog } from "../src/store/backlog.ts"
import { coreMigrations } from "../src/migrations/core.ts"

describe("selectBacklog", () => {
  it("walks no table on SQLite, and no index of more than what waits", () => {
    const database = new DatabaseSync(":memory:")
    for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${selectBacklog("?")}`).all(1, 1)
    database.close()
    const walks = plan.map(({ detail }) => String(detail)).filter((detail) => /^(?:SCAN|SEARCH) /.test(detail))
    const indexes = walks.map((detail) => /USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? detail)
    assert.deepStrictEqual(
      indexes.filter((index) => index !== "SCAN CONSTANT ROW" && !index.endsWith(" instances")),
      [
        "payment_events_undispatched",
        // The first instance, the next one, and what is due at each.
        "operations_due",
        "operations_due",
        "operations_due",
        "provider_inbox_waiting",
        "provider_inbox_waiting",
        "provider_inbox_waiting",
        "attempts_unknown",
        "attempts_unknown",
        "payments_in_review",
        "provider_inbox_parked"
      ]
    )
  })
})
