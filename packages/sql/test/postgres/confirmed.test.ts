/** What is read for a decision after a commit without a reply is all of one moment. */
import { assert, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { Clock, Context, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresDatabase, PostgresPaymentStore } from "../../src/index.ts"

const { aRecord, paymentId } = PaymentRecords

it.live("a payment that another session is changing is read with its operations, once that has committed", () =>
  Effect.gen(function* () {
    const url = yield* temporaryDatabase([coreMigrations])
    const context = yield* Layer.build(PostgresClient.layer({ url: Redacted.make(url) }))
    const sql = Context.get(context, SqlClient.SqlClient)
    const database = Context.get(context, PostgresDatabase)
    const store = PostgresPaymentStore.make(database, Clock.currentTimeMillis)
    yield* store.begin({ record: aRecord(1), binding: null })
    // On a session of its own: within a transaction the view does not change.
    const waits = database.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      []
    )
    const reading = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT 1 FROM payments WHERE id = ${paymentId(1)} FOR UPDATE`
        const fiber = yield* Effect.forkDetach(store.getConfirmed(paymentId(1)))
        yield* Effect.repeat(waits, { until: (rows) => rows.length > 0, schedule: Schedule.spaced("20 millis") })
        yield* sql`UPDATE payments SET version = 7 WHERE id = ${paymentId(1)}`
        yield* sql`UPDATE operations SET checks = 7 WHERE payment_id = ${paymentId(1)}`
        return fiber
      })
    )
    const record = yield* Fiber.join(reading)
    assert.deepStrictEqual([record?.payment.version, record?.operations[0]?.checks], [7, 7])
  })
)
