/** Writes of this version's store to the tables of an earlier one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { charges } from "../src/migrations/charges.ts"
import { orders } from "../src/migrations/orders.ts"
import { restoration } from "../src/migrations/restoration.ts"

/**
 * For as long as `writes` takes, operations have the charge that they refund, payments have their order, and on PostgreSQL the mark of a restored database is
 * there, which each payment compares.
 */
export const onEarlierTables = <A, E, R>(writes: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statements: ReadonlyArray<string>) =>
      Effect.forEach(statements, (text) => sql.unsafe(text), { discard: true })
    const inEach = (statements: { readonly pg?: ReadonlyArray<string>; readonly sqlite?: ReadonlyArray<string> }) =>
      sql.onDialectOrElse({
        pg: () => run(statements.pg ?? []),
        orElse: () => run(statements.sqlite ?? [])
      })
    yield* inEach({ pg: restoration.pg ?? [] })
    yield* inEach(charges)
    yield* inEach(orders)
    const written = yield* writes
    yield* run([
      "ALTER TABLE operations DROP COLUMN charge",
      "DROP INDEX payments_order_held",
      "DROP INDEX payments_by_order",
      "ALTER TABLE payments DROP COLUMN order_ref",
      "ALTER TABLE payments DROP COLUMN order_held"
    ])
    yield* inEach({ pg: ["DROP TABLE restoration", "DROP FUNCTION paymux_timeline()"] })
    return written
  })
