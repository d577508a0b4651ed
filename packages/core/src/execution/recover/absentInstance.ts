/**
 * Handles open operations whose provider instance is not configured. The engine can send nothing and make no inquiry,
 * so after a day each of these operations gets a review that names the instance. When the instance is configured again,
 * the review ends and the operation is checked.
 */
import { Effect } from "effect"
import { changed } from "../../domain/transition/change.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { questioned, withoutQuestion } from "../../domain/books/reviews.ts"
import { absentSince } from "../../provider/absence.ts"
import type { DueOperation, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import { isCommitted } from "../conclude/PaymentWriter.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import { timings } from "../timings.ts"

export interface AbsenceServices {
  readonly store: PaymentStore["Service"]
  readonly writer: PaymentWriter["Service"]
  /** The time, ms, for which a provider instance may be absent before its open operations are put in review. */
  readonly reviewAbsentAfter: number
}

export const awaitInstance = Effect.fnUntraced(function* (
  { reviewAbsentAfter, store, writer }: AbsenceServices,
  { operation, record }: DueOperation
): Effect.fn.Return<void, StoreUnavailable> {
  const now = yield* store.now
  const since = yield* absentSince(store, operation.provider, record.payment.livemode, now)
  const isReviewDue = now - since >= reviewAbsentAfter
  if (isReviewDue) yield* write(writer, record, questioned(record, "instance_not_configured", operation, now), now)
  const delay = isReviewDue ? timings.absentInstance : timings.absentProvider
  yield* store.reschedule(operation, operation.checks, now + delay)
})

/**
 * Ends the review that an absent provider instance caused, because the instance is configured again. `null` if the
 * payment was changed concurrently: the operation then stays due.
 */
export const instanceReturned = Effect.fnUntraced(function* (
  { store, writer }: AbsenceServices,
  { operation, record }: DueOperation
): Effect.fn.Return<DueOperation | null, StoreUnavailable> {
  const after = withoutQuestion(record, "instance_not_configured", operation)
  if (after === record) return { operation, record }
  const written = yield* write(writer, record, after, yield* store.now)
  return written === null ? null : { operation: currentOf(written, operation), record: written }
})

const currentOf = ({ operations }: PaymentRecord, operation: Operation): Operation =>
  operations.find(({ id }) => id === operation.id) ?? operation

const write = Effect.fnUntraced(function* (
  writer: PaymentWriter["Service"],
  before: PaymentRecord,
  after: PaymentRecord,
  now: number
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  if (after === before) return before
  const written = yield* writer.write(before, changed(after, now, {}, null), { cause: null, binding: null })
  return isCommitted(written) ? written.record : null
})
