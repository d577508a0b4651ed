/** A process that commits events: several writers at once, each to payments of its own. */
import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { PostgresClient, PostgresPaymentStore, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { anEvent, aRecord, nextVersion } from "../../suites/src/paymentStore/records.ts"
import { eventOf, eventsOfPayment } from "../plan.ts"
import type { WriterPlan } from "../plan.ts"

// Boundary: the argument of our own parent.
const plan: WriterPlan = JSON.parse(process.argv[2] ?? "")

const storeOf = (database: string) =>
  database.startsWith("postgres:")
    ? PostgresPaymentStore.layer.pipe(
        Layer.provide(PostgresClient.layer({ url: Redacted.make(database), deadlineMs: 60_000 }))
      )
    : SqlitePaymentStore.layer.pipe(
        Layer.provide(SqliteClient.layer({ filename: database.replace("sqlite:", ""), busyTimeoutMs: 60_000 }))
      )

const write = Effect.fnUntraced(function* (payment: number) {
  const { advance, begin } = yield* PaymentStore
  // Without an operation: the engine of the server has nothing to do for it, and so writes no event.
  let record: PaymentRecord = { ...aRecord(payment), attempts: [], operations: [] }
  yield* begin({ record, binding: null })
  for (let sequence = 1; sequence <= eventsOfPayment; sequence += 1) {
    const after = nextVersion(record, { eventSequence: sequence })
    const commit = (id: ReturnType<typeof eventOf>) => ({
      before: record,
      after,
      events: [anEvent(after, "payment.pending", { id, sequence })],
      evidence: null,
      binding: null,
      answer: null
    })
    // Is rolled back, since the first event is there already: its position stays empty.
    if (sequence % 4 === 0) yield* Effect.ignore(advance(commit(eventOf(payment, 1))))
    const result = yield* advance(commit(eventOf(payment, sequence)))
    if (result._tag !== "Advanced") return yield* Effect.die(new Error(`Payment ${payment}: ${result._tag}`))
    record = after
  }
})

const writers = Effect.forEach(plan.writers, (payments) => Effect.forEach(payments, write, { discard: true }), {
  concurrency: "unbounded",
  discard: true
})

await Effect.runPromise(Effect.provide(writers, storeOf(plan.database)))
process.exit(0)
