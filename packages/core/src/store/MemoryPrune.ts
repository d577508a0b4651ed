/** Retention over rows in memory: the reference for the SQL of other stores. */
import { firstPaymentId } from "../domain/Ids.ts"
import type { PaymentId } from "../domain/Ids.ts"
import type { KeptKey } from "./PaymentStore.ts"
import type { PrunedAnswers, PruneQuery } from "./RetentionStore.ts"

export const pruneAnswers = (
  keys: Map<string, KeptKey>,
  { after, before, limit }: PruneQuery & { readonly after: PaymentId | null }
): PrunedAnswers => {
  const bound = firstPaymentId(before)
  const looked = [...keys]
    .filter(
      ([, { answer, paymentId }]) => answer !== null && paymentId < bound && (after === null || paymentId > after)
    )
    .sort(([, one], [, other]) =>
      one.paymentId === other.paymentId ? one.createdAt - other.createdAt : one.paymentId < other.paymentId ? -1 : 1
    )
    .slice(0, limit)
  const due = looked.filter(([, { createdAt }]) => createdAt < before)
  for (const [place, kept] of due) keys.set(place, { ...kept, answer: null })
  return { pruned: due.length, next: looked.length < limit ? null : (looked.at(-1)?.[1].paymentId ?? null) }
}
