/** The operator: reads the list of reviews and resolves one of them. */
import type { PaymentId, Resolution, Reviews } from "@paymux/core"
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

  /**
   * Resolves one review: the one about `subject`. Returns whether the engine accepted the statement.
   *
   * Today a payment has one review that names no charge, so `subject` is only part of the evidence.
   */
  resolve: (id: PaymentId, resolution: Resolution, { provider, reference }: Subject) =>
    Effect.map(
      Effect.result(
        reviews.resolve(tenant, id, { resolution, evidence: `${provider} dashboard, ${reference}: ${resolution}` })
      ),
      ({ _tag }) => _tag === "Success"
    )
})
