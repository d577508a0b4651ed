/** The operator: reads the list of reviews and resolves one of them. */
import type { PaymentId, PaymentRecord, Resolution, Reviews, Statement } from "@paymux/core"
import type { Operation, Review } from "@paymux/core/store"
import { Effect } from "effect"
import { tenant } from "../../packages/core/test/engine/fixtures.ts"

/** The charge or movement that the operator's statement is about. */
export interface Subject {
  readonly provider: string
  readonly reference: string
}

export const makeOperator = (reviews: Reviews["Service"]) => ({
  /** The payments on the list of reviews. */
  list: Effect.map(Effect.orDie(reviews.list(tenant, 100)), ({ records }) => records.map(({ payment }) => payment.id)),

  /** Resolves the review about `subject`; without a review, states the outcome of the latest operation there. */
  resolve: (id: PaymentId, resolution: Resolution, { provider, reference }: Subject) =>
    Effect.gen(function* () {
      const { record } = yield* reviews.get(tenant, id)
      const evidence = `${provider} dashboard, ${reference}: ${resolution}`
      const subject = subjectOf(record, { provider, reference }, resolution)
      return yield* reviews.resolve(tenant, id, { subject, resolution, evidence })
    }).pipe(
      Effect.result,
      Effect.map(({ _tag }) => _tag === "Success")
    )
})

const subjectOf = (
  record: PaymentRecord,
  { provider, reference }: Subject,
  resolution: Resolution
): Statement["subject"] => {
  const there = record.payment.reviews.filter((review) => review.provider === provider)
  const asked = (review: Review) => review.reason === "contradiction"
  const review =
    (resolution === "dismissed" ? there.find(asked) : undefined) ??
    there.find((each) => each.reference === reference) ??
    there[0]
  if (review !== undefined) return { review: review.id }
  const latest = record.operations.findLast((operation: Operation) => operation.provider === provider)
  if (latest === undefined) throw new Error(`The payment has no operation at ${provider}`)
  return { operation: latest.id }
}
