/** P21: whatever is sent is answered, by a problem where it is not what is documented, and leaves nothing behind then. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { migrations } from "../../packages/paymux/src/Database.ts"
import { amount } from "../support/amount.ts"
import { temporaryDatabase } from "../support/PostgresDatabases.ts"
import { mutationRun } from "./mutations/run.ts"
import type { MutationReport } from "./mutations/run.ts"

const assertRefused = ({ asked, faults, rows, statuses }: MutationReport) => {
  assert.deepStrictEqual(faults, [])
  assert.deepStrictEqual(rows, [])
  // Each kind of answer is there in number, or the test would show little.
  const { "200": read = 0, "201": made = 0, "400": refused = 0, "404": absent = 0, "409": late = 0 } = statuses
  assert.isAbove(refused, asked / 4)
  assert.isAbove(Math.min(read, made, absent, late), asked / 100)
}

/** On SQLite the long tests send 100,000. */
const onSqlite = 1_500
const onPostgres = amount({ part: 750, all: 2_000 })

describe("requests that are hardly what is documented", () => {
  it(`get no 5xx, problems of the documented shape, no row and no key: ${onSqlite} on SQLite`, async () => {
    assertRefused(await mutationRun({ count: onSqlite, seed: 2026 }))
  })

  it.live(`get the same on PostgreSQL: ${onPostgres}`, () =>
    Effect.gen(function* () {
      const database = yield* temporaryDatabase(migrations)
      assertRefused(yield* Effect.promise(() => mutationRun({ count: onPostgres, seed: 27, database })))
    })
  )
})
