/** Turns a decided change into one commit: the record, its event row, its evidence, and the answer to keep. */
import { Context, Effect, Layer } from "effect"
import { Ids } from "../domain/Ids.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { EventType, PaymentEvent } from "../domain/PaymentEvent.ts"
import type { Transition } from "../domain/transition.ts"
import type { Evidence } from "../provider/Evidence.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { EvidenceRow, KeyBinding, StoreUnavailable } from "../store/PaymentStore.ts"
import { paymentBody } from "../wire/PaymentJson.ts"

export type Change = Extract<Transition, { readonly _tag: "Changed" }>

export interface WriteContext {
  /** What convinced us, where it was more than our own call's reply. */
  readonly cause: { readonly evidence: Evidence; readonly operation: Operation } | null
  /** The key whose first answer this change is. */
  readonly binding: KeyBinding | null
}

/** `null`: someone else changed the payment first, and nothing was written. */
export type Written = { readonly record: PaymentRecord; readonly body: string | null } | null

export class PaymentWriter extends Context.Service<
  PaymentWriter,
  {
    readonly write: (
      before: PaymentRecord,
      change: Change,
      context: WriteContext
    ) => Effect.Effect<Written, StoreUnavailable>
    /** Runs once an event row is durable, so that nobody has to poll for it. */
    readonly onEvent: (listener: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@paymux/core/execution/PaymentWriter") {
  static readonly layer = Layer.effect(
    PaymentWriter,
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const ids = yield* Ids
      const listeners: Array<Effect.Effect<void>> = []
      return PaymentWriter.of({
        onEvent: (listener) => Effect.sync(() => void listeners.push(listener)),
        write: Effect.fnUntraced(function* (before, { event, record }, { binding, cause }) {
          const body = event === null && binding === null ? null : paymentBody(record)
          const result = yield* store.advance({
            before,
            after: record,
            event: event === null || body === null ? null : eventRow(yield* ids.event, event, record, body),
            evidence: cause === null || cause.evidence.source === "reply" ? null : evidenceRow(record, cause),
            answer: binding === null || body === null ? null : { ...binding, body }
          })
          if (result._tag === "Conflict") return null
          if (event !== null) for (const listener of listeners) yield* listener
          return { record, body }
        })
      })
    })
  )
}

const eventRow = (id: PaymentEvent["id"], type: EventType, { payment }: PaymentRecord, body: string): PaymentEvent => ({
  id,
  account: payment.account,
  livemode: payment.livemode,
  paymentId: payment.id,
  sequence: payment.eventSequence,
  type,
  payment: body,
  createdAt: payment.updatedAt
})

const evidenceRow = (
  { payment }: PaymentRecord,
  { evidence, operation }: NonNullable<WriteContext["cause"]>
): EvidenceRow => ({
  paymentId: payment.id,
  operationId: operation.id,
  source: evidence.source,
  kind: evidence.claim.kind,
  vendorCode: evidence.vendorCode,
  eventId: evidence.eventId,
  recordedAt: payment.updatedAt
})
