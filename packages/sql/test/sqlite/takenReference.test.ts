import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { coreMigrations } from "../../src/index.ts"
import { checkpoint, selectPaymentIdByReference, selectTakenReference } from "../../src/sqlite/statements.ts"

type Values = ReadonlyArray<string | number> | { readonly [name: string]: string | number }

const planOf = (sql: string, values: Values): string => {
  const database = new DatabaseSync(":memory:")
  for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(Array.isArray(values) ? values : [values]))
  database.close()
  return plan.map(({ detail }) => String(detail)).join("\n")
}

describe("the check for a taken reference", () => {
  it.each([
    ["of an advance", selectTakenReference, ["pay_1", 1, 0, "acme", "charge", "pay_1"]],
    ["of a checkpoint", checkpoint, { reference: "charge", id: "op_1", expected: "order" }]
  ] as const)("%s uses the index of references", (_, sql, values) => {
    assert.match(
      planOf(sql, values),
      /SEARCH other (?:EXISTS )?USING INDEX operations_of_reference \(reference=\? AND provider=\?\)/
    )
  })
})

describe("the look-up of a payment by a reference", () => {
  it("uses the indexes of references, and sorts no former ones", () => {
    const plan = planOf(selectPaymentIdByReference, { provider: "acme", reference: "charge" })
    assert.match(plan, /SEARCH operations USING INDEX operations_of_reference \(reference=\? AND provider=\?\)/, plan)
    assert.match(plan, /SEARCH former_references USING PRIMARY KEY \(provider=\? AND reference=\?\)/, plan)
    assert.notMatch(plan, /SCAN (?:operations|former_references)/, plan)
  })
})
