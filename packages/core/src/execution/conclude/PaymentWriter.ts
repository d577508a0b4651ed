/**
 * Writes a decided change of a payment in one commit: the record, the event rows, the evidence, and the response to
 * store.
 */
import { Context, Effect, Layer } from "effect"
import { Ids } from "../../domain/Ids.ts"
import { holds } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { PaymentEvent } from "../../domain/PaymentEvent.ts"
import { isRefund } from "../../domain/Refund.ts"
import { withEvents } from "../../domain/books/events.ts"
import type { ChangeEvent } from "../../domain/books/events.ts"
import { canonicalJson } from "../../domain/sha256.ts"
import type { Changed } from "../../domain/transition/change.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type {
  AdvanceCommit,
  AdvanceResult,
  EvidenceRow,
  KeyBinding,
  StoreUnavailable
} from "../../store/PaymentStore.ts"
import { wordOf } from "../../store/StoredEvidence.ts"
import { engineMetrics } from "../../telemetry/EngineMetrics.ts"
import { disputeJson } from "../../wire/DisputeJson.ts"
import { reviewBody } from "../../wire/EventJson.ts"
import { HostedPage } from "../../wire/HostedPage.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { paymentBody } from "../../wire/PaymentJson.ts"
import { refundBody } from "../../wire/RefundJson.ts"
import type { PaymentResult } from "../PaymentResult.ts"
import type { Report } from "./Report.ts"

export interface WriteContext {
  /** The report that caused the change, whose evidence is stored unless it is a reply to our own call. */
  readonly cause: WriteCause | null
  /**
   * The idempotency key's binding, with which the response that this change produces is stored; `null` if the change
   * answers no request.
   */
  readonly binding: KeyBinding | null
}

type WriteCause = Pick<Report, "evidence" | "operation" | "document">

/**
 * The result of a write. `PaymentResult`: the change was written. Its `body` is the stored response to the request;
 * without a request, it is the payment's JSON if a payment event was written, otherwise `null`. In the other cases
 * nothing was written: `null` if the payment was changed concurrently, `reference_taken` and `order_taken` as in
 * `AdvanceResult`.
 */
export type Written = PaymentResult | "reference_taken" | "order_taken" | null

export const isCommitted = (written: Written): written is PaymentResult =>
  typeof written === "object" && written !== null

export class PaymentWriter extends Context.Service<
  PaymentWriter,
  {
    readonly write: (
      before: PaymentRecord,
      change: Changed,
      context: WriteContext
    ) => Effect.Effect<Written, StoreUnavailable>
    /** Registers a listener that runs when the event rows of a commit are durable, so that polling is not necessary. */
    readonly onEvent: (listener: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@paymux/core/execution/PaymentWriter") {
  static readonly layer = Layer.effect(
    PaymentWriter,
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const ids = yield* Ids
      const hostedUrl = yield* HostedPage
      const metrics = yield* engineMetrics
      const listeners: Array<Effect.Effect<void>> = []
      return PaymentWriter.of({
        onEvent: (listener) => Effect.sync(() => void listeners.push(listener)),
        write: Effect.fnUntraced(function* (before, change, { binding, cause }) {
          const { body, events, record } = eventRows({ ids, hostedUrl }, before, change)
          const answer = binding === null ? null : answerOf(record, binding, hostedUrl, body)
          const commit: AdvanceCommit = {
            before,
            after: record,
            events,
            evidence: cause === null || cause.evidence.source === "reply" ? null : evidenceRow(record, cause),
            binding: null,
            answer: binding === null || answer === null ? null : { ...binding, body: answer }
          }
          const result = yield* Effect.catch(store.advance(commit), (unavailable) => stands(store, commit, unavailable))
          if (result._tag !== "Advanced") return refusals[result._tag]
          metrics.changed(before, record)
          if (before.payment.reviews !== record.payment.reviews) yield* alert(before, record)
          if (events.length > 0) for (const listener of listeners) yield* listener
          // Without a stored response, the JSON is returned only if the change has an event about the payment: a
          // payment that stays pending is announced later.
          return { record, body: result.answer ?? (change.event === null ? null : body) }
        })
      })
    })
  )
}

const refusals = {
  Conflict: null,
  KeyTaken: null,
  ReferenceTaken: "reference_taken",
  OrderTaken: "order_taken"
} as const

/** Logs new reviews at error level: an operator must act, and may not watch the list of reviews. */
const alert = ({ payment: { reviews: before } }: PaymentRecord, { payment }: PaymentRecord) =>
  Effect.forEach(
    payment.reviews.filter(({ id, reason }) => !before.some((each) => each.id === id && each.reason === reason)),
    ({ id, reason }) =>
      Effect.logError(`Payment ${payment.id} is in review: ${reason} (${id}). An operator has to look.`),
    { discard: true }
  )

/**
 * Checks whether a commit is durable after the store's reply was lost. If the commit creates an operation, that
 * operation must be found; otherwise the stored payment must equal the payment that the commit was to write.
 */
const stands = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  { after, answer, before }: AdvanceCommit,
  unavailable: StoreUnavailable
): Effect.fn.Return<AdvanceResult, StoreUnavailable> {
  const found = yield* store.getConfirmed(after.payment.id)
  if (found === null || found.payment.version < after.payment.version) return yield* unavailable
  const made = after.operations.find(({ id }) => !before.operations.some((known) => known.id === id))
  const isOurs = made === undefined ? canonicalJson(found) === canonicalJson(after) : holds(found, made)
  if (!isOurs) return { _tag: "Conflict" }
  // Returns the response that the store has for the idempotency key, because another engine may have stored one before.
  return { _tag: "Advanced", answer: answer === null ? null : yield* store.keepAnswer(answer) }
})

/** The public JSON of the object that was requested: the payment, or one of its refunds. */
const answerOf = (
  record: PaymentRecord,
  { operationId }: KeyBinding,
  hostedUrl: HostedUrl,
  body: string | null
): string => {
  const refund = record.operations.find((each) => each.id === operationId && isRefund(each))
  return refund === undefined ? (body ?? paymentBody(record, hostedUrl)) : refundBody(record, refund)
}

const evidenceRow = ({ payment }: PaymentRecord, { document, evidence, operation }: WriteCause): EvidenceRow => ({
  paymentId: payment.id,
  operationId: operation.id,
  source: evidence.source,
  kind: wordOf(evidence.outcome),
  vendorCode: evidence.outcome.vendorCode ?? null,
  eventId: evidence.eventId,
  document,
  occurredAt: evidence.occurredAt,
  recordedAt: payment.updatedAt
})

/** The services that are needed to generate event rows. */
export interface EventServices {
  readonly ids: Ids["Service"]
  readonly hostedUrl: HostedUrl
}

/**
 * Generates the event rows of a change. `record` in the result is the changed record, whose event sequence includes
 * these events. `body` is the public JSON of the payment, if the change has an event.
 */
export const eventRows = ({ hostedUrl, ids }: EventServices, before: PaymentRecord, change: Changed): EventRows => {
  const { events, record } = withEvents(before, change)
  if (events.length === 0) return { record, events: [], body: null }
  const body = paymentBody(record, hostedUrl)
  return { record, events: events.map((event) => rowOf(ids.event(), event, record, body)), body }
}

interface EventRows {
  readonly record: PaymentRecord
  readonly events: ReadonlyArray<PaymentEvent>
  readonly body: string | null
}

const rowOf = (
  id: PaymentEvent["id"],
  { dispute, refund, review, sequence, type }: ChangeEvent,
  record: PaymentRecord,
  payment: string
): PaymentEvent => {
  const { account, id: paymentId, livemode, updatedAt } = record.payment
  const refunded = record.operations.find((operation) => operation.id === refund)
  return {
    id,
    account,
    livemode,
    paymentId,
    sequence,
    type,
    payment,
    refund: refunded === undefined ? null : refundBody(record, refunded),
    review: review === null ? null : reviewBody(review),
    dispute: dispute === null ? null : JSON.stringify(disputeJson(dispute)),
    createdAt: updatedAt
  }
}

/** Writes a change that has no evidence and no idempotency key. `false` if the payment was changed concurrently. */
export const writeAlone = (writer: PaymentWriter["Service"], record: PaymentRecord, change: Changed) =>
  Effect.map(writer.write(record, change, { cause: null, binding: null }), isCommitted)
