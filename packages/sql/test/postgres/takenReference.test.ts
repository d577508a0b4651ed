/** A provider's reference of a charge belongs to one payment, also where several machines assign it at the same moment. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresPaymentStore } from "../../src/index.ts"
import { otherPaymentWith } from "../../src/migrations/referenceIsTaken.ts"

const { aRecord, nextVersion, operationId, paymentId } = PaymentRecords

/** A store and its SQL client, with a pool of their own, as another machine has them. */
const machine = (url: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        PostgresPaymentStore.layer.pipe(Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) })))
      )
    ),
    (context) => ({ store: Context.get(context, PaymentStore), sql: Context.get(context, SqlClient.SqlClient) })
  )

/** Gives the first operation of a payment this reference. */
const giving = (before: PaymentRecord, reference: string): AdvanceCommit => ({
  before,
  after: {
    ...nextVersion(before),
    operations: before.operations.map((operation) => ({ ...operation, reference }))
  },
  events: [],
  evidence: null,
  binding: null,
  answer: null
})

const together = { concurrency: "unbounded" } as const

const begin = (store: PaymentStore["Service"], numbers: ReadonlyArray<number>) =>
  Effect.forEach(numbers, (n) => store.begin({ record: aRecord(n), binding: null }), together)

const referenceOf = (store: PaymentStore["Service"], n: number) =>
  Effect.map(store.get(paymentId(n)), (record) => record?.operations[0]?.reference ?? null)

/** Statements on this database that wait for a lock. */
const waiting = (sql: SqlClient.SqlClient) =>
  sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

const untilWaiting = (sql: SqlClient.SqlClient, count: number) =>
  Effect.repeat(waiting(sql), { until: (rows) => rows.length >= count })

const database = temporaryDatabase([coreMigrations])

describe("a reference that two transactions give to two payments at the same time", () => {
  for (const other of ["commit", "checkpoint"] as const) {
    it.live(`is given to one of them, by a commit that began before the ${other} of the other one ended`, () =>
      Effect.gen(function* () {
        const url = yield* database
        const [one, two, watching] = [yield* machine(url), yield* machine(url), yield* machine(url)]
        yield* begin(one.store, [1, 2])
        // A statement sees what was committed before it began: this one begins, and then has to wait for its payment.
        const first = yield* watching.sql.withTransaction(
          Effect.gen(function* () {
            yield* watching.sql`SELECT 1 FROM payments WHERE id = ${paymentId(1)} FOR UPDATE`
            const first = yield* Effect.forkDetach(one.store.advance(giving(aRecord(1), "charge")))
            yield* untilWaiting(one.sql, 1)
            const second = yield* Effect.forkDetach(
              other === "commit"
                ? Effect.map(two.store.advance(giving(aRecord(2), "charge")), ({ _tag }) => _tag === "Advanced")
                : two.store.checkpoint(operationId(2), null, "charge")
            )
            yield* Effect.race(Fiber.await(second), untilWaiting(one.sql, 2))
            return { first, second }
          })
        )
        const isFirst = (yield* Fiber.join(first.first))._tag === "Advanced"
        const isSecond = yield* Fiber.join(first.second)
        assert.notStrictEqual(isFirst, isSecond, "one of them has it, and not both")
        const references = [yield* referenceOf(one.store, 1), yield* referenceOf(one.store, 2)]
        assert.deepStrictEqual(references, [isFirst ? "charge" : null, isSecond ? "charge" : null])
      })
    )
  }

  it.live("is given to one of many payments on two machines, round after round", () =>
    Effect.gen(function* () {
      const url = yield* database
      const machines = [yield* machine(url), yield* machine(url)] as const
      const [{ store }] = machines
      for (let round = 0; round < 20; round++) {
        const numbers = Array.from({ length: 12 }, (_, n) => 100 * round + n)
        yield* begin(store, numbers)
        const reference = `charge ${round}`
        yield* Effect.forEach(
          numbers,
          (n) => {
            const own = (machines[n % 2] ?? machines[0]).store
            return n % 3 === 0
              ? Effect.asVoid(own.checkpoint(operationId(n), null, reference))
              : Effect.asVoid(own.advance(giving(aRecord(n), reference)))
          },
          together
        )
        const references = yield* Effect.forEach(numbers, (n) => referenceOf(store, n), together)
        assert.deepStrictEqual(
          references.filter((each) => each !== null),
          [reference]
        )
      }
    })
  )
})

describe("the check for a taken reference", () => {
  it.live("uses the index of references", () =>
    Effect.gen(function* () {
      const { sql } = yield* machine(yield* database)
      const plan = yield* sql.withTransaction(
        Effect.andThen(
          sql`SELECT set_config(name, 'off', true) FROM (VALUES ('enable_seqscan'), ('enable_bitmapscan')) AS ways (name)`,
          sql.unsafe<{ readonly "QUERY PLAN": string }>(
            `EXPLAIN SELECT ${otherPaymentWith("$1::text", "$2::text", "$3::text")}`,
            ["acme", "ch_1", "pay_1"]
          )
        )
      )
      const steps = plan.map((row) => row["QUERY PLAN"]).join("\n")
      assert.match(steps, /Index Scan using operations_of_reference on operations other/, steps)
      assert.notInclude(steps, "Seq Scan", steps)
    })
  )
})
