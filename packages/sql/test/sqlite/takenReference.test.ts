import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { DatabaseSync } from "node:sqlite"
import { coreMigrations } from "../../src/index.ts"
import { selectRecord } from "../../src/store/records.ts"
import { sqliteStatement } from "../../src/sqlite/sqliteDialect.ts"
import { selectTakenReference } from "../../src/sqlite/statements.ts"
import { checkpoint } from "../../src/store/operations.ts"
import { hasReference } from "../../src/store/payments.ts"

const { operationId } = PaymentRecords

type Planned = {
  readonly sql: string
  readonly values: ReadonlyArray<string | number> | ReturnType<typeof sqliteStatement>["values"]
}

const planOf = ({ sql, values }: Planned): string => {
  const database = new DatabaseSync(":memory:")
  for (const { sqlite } of coreMigrations.migrations) for (const statement of sqlite) database.exec(statement)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(Array.isArray(values) ? values : [values]))
  database.close()
  return plan.map(({ detail }) => String(detail)).join("\n")
}

describe("the check for a taken reference", () => {
  it.each<[string, Planned]>([
    ["of an advance", { sql: selectTakenReference, values: ["pay_1", 1, 0, "acme", "charge", "pay_1"] }],
    ["of a checkpoint", sqliteStatement(checkpoint(operationId(1), "order", "charge"))]
  ])("%s uses the index of references", (_, statement) => {
    assert.match(
      planOf(statement),
      /SEARCH other (?:EXISTS )?USING INDEX operations_of_reference \(reference=\? AND provider=\?\)/
    )
  })
})

describe("the look-up of a payment by a reference", () => {
  it("uses the indexes of references, and sorts no former ones", () => {
    const plan = planOf(sqliteStatement(selectRecord(hasReference("acme", "charge"))))
    assert.match(plan, /SEARCH p USING INDEX sqlite_autoindex_payments_1 \(id=\?\)/, plan)
    assert.match(plan, /SEARCH operations USING INDEX operations_of_reference \(reference=\? AND provider=\?\)/, plan)
    assert.match(plan, /SEARCH former_references USING PRIMARY KEY \(provider=\? AND reference=\?\)/, plan)
    assert.notMatch(plan, /SCAN (?:operations|former_references)/, plan)
  })
})
