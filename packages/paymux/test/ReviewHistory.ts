/** Provider reports that open reviews, written to the database as a server writes them. */
import { assert } from "@effect/vitest"
import { Ids } from "@paymux/core"
import { PaymentWriter, transition } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import { Effect, Layer } from "effect"
import { databaseLayer } from "../src/Database.ts"
import type { DatabaseChoice } from "../src/options/DatabaseUrl.ts"

export const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" }
} as const

/** The provider reports another charge of the whole amount, under a reference of its own. */
export const reportDuplicate = (database: DatabaseChoice, payment: string, reference: string): Promise<void> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const record = isPaymentId(payment) ? yield* store.get(payment) : null
      const operation = record?.operations.find(({ kind }) => kind === "create")
      if (record === null || operation === undefined) return assert.fail(`no create of ${payment}`)
      const outcome = { _tag: "Succeeded", amount: record.payment.amount, reference } as const
      const about = { operation: operation.id }
      const evidence = { source: "webhook", about, outcome, eventId: null, occurredAt: null } as const
      const change = transition(record, operation, evidence, {
        now: record.payment.updatedAt + 1,
        next: null,
        failure: null,
        nextCheckAt: null,
        retryAt: null,
        lateSuccess: "succeed",
        reports: "movement",
        canInquire: false,
        cancelIsFinal: false
      })
      if (change._tag === "Unchanged") return assert.fail(change.because)
      const cause = { evidence, operation, document: null }
      const written = yield* PaymentWriter.use((writer) => writer.write(record, change, { cause, binding: null }))
      assert.isNotNull(written)
    }).pipe(
      Effect.provide(PaymentWriter.layer.pipe(Layer.provide(Ids.layer), Layer.provideMerge(databaseLayer(database))))
    )
  )
