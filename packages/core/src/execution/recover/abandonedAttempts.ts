/** Closes attempts that the payer abandoned, and opens a review if such an attempt cannot be closed. */
import { Effect } from "effect"
import { abandonment } from "../../domain/abandonment.ts"
import { questioned } from "../../domain/books/reviews.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import type { Ids } from "../../domain/Ids.ts"
import { ownOrigin } from "../../domain/origins.ts"
import { expired } from "../../domain/Outcome.ts"
import { changed } from "../../domain/transition/change.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { DueOperation, PaymentStore } from "../../store/PaymentStore.ts"
import { newOperation, planned } from "../begin/newRecords.ts"
import { writeAlone } from "../conclude/PaymentWriter.ts"
import type { PaymentWriter } from "../conclude/PaymentWriter.ts"
import type { Executor } from "../Executor.ts"
import { isSupported } from "../send/isSupported.ts"
import { timings } from "../timings.ts"

interface AbandonedServices {
  readonly executor: Executor["Service"]
  readonly ids: Ids["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly store: PaymentStore["Service"]
  readonly writer: PaymentWriter["Service"]
}

/**
 * Closes an attempt if the payer abandoned it; returns `true` if the attempt is given up. `abandonedAfterMs` is the age
 * from which an attempt counts as abandoned; `null` unless the provider has just answered that nothing was paid.
 */
export const closeAbandoned = Effect.fnUntraced(function* (
  { executor, ids, registry, store, writer }: AbandonedServices,
  { operation, record }: DueOperation,
  abandonedAfterMs: number | null
) {
  const now = yield* store.now
  const canCancel = isSupported(registry, operation.provider, "cancel", record)
  switch (abandonment(record, operation, { canCancel, abandonedAfterMs }, now, timings.closeAfterExpiry)) {
    case "wait":
      return false
    case "give_up":
      yield* executor.advance(fromAnswer("inquiry", operation.id, expired()))
      return true
    case "review": {
      const reviewed = questioned(record, "close_failed", operation, now)
      // Writes the payment only if the review is new. If the record is unchanged, the review is open already or was
      // resolved.
      if (reviewed !== record) yield* writeAlone(writer, record, changed(reviewed, now, {}, null))
      return false
    }
    case "close": {
      const { attemptSeq, minorUnits, paymentId, provider } = operation
      const what = { attemptSeq, kind: "cancel", purpose: "expiry" } as const
      const origin = ownOrigin(record, what)
      const asked = { ...what, paymentId, provider, minorUnits, owner: executor.owner, origin, now }
      const closing = planned(newOperation(ids, asked))
      yield* writeAlone(
        writer,
        record,
        changed({ ...record, operations: [...record.operations, closing] }, now, {}, null)
      )
      return false
    }
  }
})
