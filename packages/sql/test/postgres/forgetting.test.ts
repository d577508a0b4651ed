import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresDatabase } from "../../src/index.ts"
import type { StatementText } from "../../src/dialect/Fragments.ts"
import { statementOf } from "../../src/postgres/postgresDialect.ts"
import * as Erasure from "../../src/store/erasure.ts"
import { selectMode } from "../../src/store/keptWebhooks.ts"
import * as Retention from "../../src/store/retention.ts"

const { paymentId, tenant } = PaymentRecords

const database = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) =>
    PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 })
  )
)

describe("what erasing, the retention and the look-up of an instance ask of PostgreSQL", () => {
  it.live("goes by an index that holds only what there is to forget, or in the order of ids", () =>
    Effect.gen(function* () {
      const { query } = yield* PostgresDatabase
      // In an empty table a full scan is the cheapest plan; `EXPLAIN` shows which plan is possible.
      for (const way of ["seqscan", "bitmapscan", "sort"]) yield* query(`SET enable_${way} = off`, [])
      const stretch = { before: 1_000, after: null, limit: 200 }
      const statements: ReadonlyArray<readonly [string, StatementText]> = [
        ["answers_kept", Erasure.forgetAnswers("answer", paymentId(1))],
        ["answers_referred", Erasure.forgetAnswers("answer_event", paymentId(1))],
        ["answers_kept", Retention.selectStretch(stretch)],
        ["answers_referred", Retention.selectStretch(stretch)],
        ["answers_kept", Retention.forgetAnswers("answer", stretch, paymentId(1))],
        ["answers_referred", Retention.forgetAnswers("answer_event", stretch, paymentId(1))],
        ["provider_inbox_applied", Retention.forgetEntries({ before: 1_000, limit: 200 })],
        ["operations_of_instance", selectMode("acme")],
        ["payments_by_tenant", Erasure.selectWithPhone(tenant, { phone: "+919812345678", after: null, limit: 500 })]
      ]
      for (const [index, text] of statements) {
        const { params, sql } = statementOf(text)
        const plan = (yield* query(`EXPLAIN ${sql}`, params)).map((row) => String(row["QUERY PLAN"])).join("\n")
        assert.match(plan, new RegExp(`Index (?:Only )?Scan using (?:${index}|payments_pkey)`), plan)
        assert.notInclude(plan, "Seq Scan", plan)
        // `Merge Append` only names its key of sorting.
        assert.notMatch(plan, /Sort +\(/, plan)
      }
    }).pipe(Effect.provide(database))
  )
})
