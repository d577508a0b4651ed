/** A payout is found by its index, beside any number of other movements of the provider. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { coreMigrations, runMigrations, SqliteClient } from "../../src/index.ts"
import { payoutStatements } from "../../src/statement/payouts.ts"
import { movementsStatement } from "../../src/statement/statementLists.ts"

const sqlite = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.orDie
)

it.effect("a payout is read by its index on SQLite, although the table has no statistics", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const query = { of: "payout", provider: "acme", payout: "po_1", limit: 50 } as const
    const statements = [
      movementsStatement(sql, query, null),
      movementsStatement(sql, query, { at: 5, id: "m1" }),
      ...payoutStatements(sql, "acme", "po_1")
    ]
    for (const statement of statements) {
      const [text, parameters] = statement.compile()
      const plan = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
      const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes("statement_movements"))
      assert.deepStrictEqual(steps, [
        "SEARCH statement_movements USING INDEX statement_movements_of_payout (provider=? AND payout=?)"
      ])
    }
  }).pipe(Effect.provide(sqlite))
)
