/** P20: what was committed before page 1 was read is shown exactly once, whatever is inserted meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { amount } from "../support/amount.ts"
import { temporaryDatabase } from "../support/PostgresDatabases.ts"
import { walksWhileInserting } from "./pages.ts"
import type { PagesReport, Walk } from "./pages.ts"

const walks: ReadonlyArray<Walk> = [
  { query: [], cursor: "starting_after" },
  { query: [], cursor: "ending_before" },
  { query: [["currency", "EUR"]], cursor: "starting_after" },
  { query: [["metadata[order_id]", "even"]], cursor: "ending_before" },
  {
    query: [
      ["status", "pending"],
      ["created_after", "1970-01-01T00:00:00Z"]
    ],
    cursor: "starting_after"
  }
]

const options = { inserts: amount({ part: 2_500, all: 10_000 }), walks, seed: 20 }

const assertWhole = ({ inserted, walks: found }: PagesReport) => {
  assert.strictEqual(inserted, options.inserts)
  for (const [index, { disordered, pages, repeated, skipped }] of found.entries()) {
    assert.deepStrictEqual(
      { skipped, repeated, disordered },
      { skipped: 0, repeated: 0, disordered: 0 },
      `walk ${index}`
    )
    assert.isAtLeast(pages, 30)
  }
}

describe(`the list, while ${options.inserts.toLocaleString("en")} payments are inserted out of order`, () => {
  it.live("skips and repeats nothing on SQLite", () =>
    Effect.gen(function* () {
      const sqlite = SqlitePaymentStore.layer.pipe(
        Layer.provide(
          Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
            Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
          )
        )
      )
      const store = Context.get(yield* Layer.build(sqlite), PaymentStore)
      assertWhole(yield* walksWhileInserting([store], options))
    })
  )

  it.live("skips and repeats nothing on PostgreSQL, from two machines", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* temporaryDatabase([coreMigrations]))
      const machine = PostgresPaymentStore.layer.pipe(Layer.provide(PostgresClient.layer({ url, maxConnections: 8 })))
      const stores = yield* Effect.all([Layer.build(Layer.fresh(machine)), Layer.build(Layer.fresh(machine))])
      const machines = stores.map((context) => Context.get(context, PaymentStore))
      assertWhole(yield* walksWhileInserting(machines, options))
    })
  )
})
