/** Lists of texts that a database cannot hold as they are, in a condition. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isOneOf } from "../../src/statement/conditions.ts"
import { postgres, sqlite } from "../databases.ts"

const references = ["ch_1", "ch\u0000", "ch\u001a0000", "ch 😀"]

for (const [name, database] of [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const) {
  describe.each(references)("isOneOf with %j", (reference) => {
    layer(database)((it) => {
      it.effect(`finds the row that was stored with it on ${name}, and no other`, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE TABLE charges (id INTEGER, reference TEXT)`
          for (const [id, text] of references.entries()) yield* sql`INSERT INTO charges VALUES (${id}, ${text})`
          const rows = yield* sql`SELECT id FROM charges WHERE ${isOneOf(sql, "reference", [reference, "other"])}`
          assert.deepStrictEqual(rows, [{ id: references.indexOf(reference) }])
        })
      )
    })
  })
}
