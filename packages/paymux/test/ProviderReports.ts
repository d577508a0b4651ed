/** Reports of a provider, written to the database as a server writes them. */
import { assert } from "@effect/vitest"
import { Ids } from "@paymux/core"
import type { CurrencyCode, OperationId, Outcome, PaymentRecord } from "@paymux/core"
import { PaymentWriter, transition } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import { Effect, Layer, Logger } from "effect"
import { databaseLayer } from "../src/Database.ts"
import { parseDatabaseUrl } from "../src/options/DatabaseUrl.ts"

const onDatabase = <A, E>(url: string, effect: Effect.Effect<A, E, PaymentStore | PaymentWriter>): Promise<A> => {
  const database = parseDatabaseUrl(url)
  if (database._tag === "Refused") return assert.fail(database.sentence)
  const writer = PaymentWriter.layer.pipe(Layer.provide(Ids.layer), Layer.provideMerge(databaseLayer(database)))
  return Effect.runPromise(Effect.provide(effect, Layer.merge(writer, Logger.layer([]))))
}

/** A webhook about the create operation of a payment. */
export const report = (
  url: string,
  payment: string,
  reported: (amount: PaymentRecord["payment"]["amount"]) => Outcome.Outcome
): Promise<void> =>
  onDatabase(
    url,
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const record = isPaymentId(payment) ? yield* store.get(payment) : null
      const operation = record?.operations.find(({ kind }) => kind === "create")
      if (record === null || operation === undefined) return assert.fail(`no create of ${payment}`)
      const about = { operation: operation.id }
      const outcome = reported(record.payment.amount)
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
    })
  )

/** Another charge under a reference of its own; of the whole amount unless `minorUnits` says otherwise. */
export const reportDuplicate = (url: string, payment: string, reference: string, minorUnits?: number): Promise<void> =>
  report(url, payment, (amount) => ({
    _tag: "Succeeded",
    amount: { ...amount, ...(minorUnits !== undefined && { minorUnits }) },
    reference
  }))

/** A charge of a payment that the database has lost. */
export const reportLost = (url: string, event: string, { currency = "EUR", livemode = false } = {}): Promise<unknown> =>
  onDatabase(
    url,
    PaymentStore.use((store) =>
      store.inbox.keep([
        {
          provider: "sandbox_card_a",
          eventKey: event,
          evidence: {
            source: "webhook",
            about: { operation: "op_01jd8w6x2vh6k9v0q3f7m5t1ac" as OperationId },
            outcome: {
              _tag: "Succeeded",
              reference: `ch_${event}`,
              amount: { minorUnits: 1200, currency: currency as CurrencyCode }
            },
            eventId: event,
            occurredAt: null
          },
          document: null,
          status: "parked",
          tries: 1,
          nextTryAt: null,
          receivedAt: Date.now(),
          livemode,
          disposition: null
        }
      ])
    )
  )
