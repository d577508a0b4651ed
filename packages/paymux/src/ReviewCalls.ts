/** What `paymux.reviews` does: what an operator has to resolve, and its resolution. */
import { Reviews } from "@paymux/core"
import type { PaymentId, Tenant } from "@paymux/core"
import { resolutions, reviewReasons } from "@paymux/core/store"
import { HostedPage, isPaymentId, paymentError, PaymentNotFound } from "@paymux/core/wire"
import { resolvedPayment, reviewedPayment, statementOf } from "@paymux/dashboard"
import type { ResolvedPayment, ReviewedPayment, ReviewStatement } from "@paymux/dashboard"
import { listReviews } from "@paymux/sql"
import type { ReviewPage, ReviewQuery } from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** Refusals are `ReviewRefused`; its `reason` says why, and `present` is the version if it may have changed since. */
export interface ReviewOperations {
  /** Open reviews, the oldest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<ReviewQuery>) => Promise<ReviewPage>
  /** A payment with its open reviews, the resolutions that fit each, and everything known about it on both sides. */
  readonly get: (paymentId: string) => Promise<ReviewedPayment>
  /** Resolves one open review, or corrects the outcome of one operation (`succeeded` or `not_done`). */
  readonly resolve: (paymentId: string, statement: ReviewStatement) => Promise<ResolvedPayment>
}

export const list = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<ReviewQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["order", "reason", "provider", "currency", "from", "until", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of ["provider", "currency", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  yield* PaymentCalls.asOneOf(query.order, ["age", "amount"], "/order")
  yield* PaymentCalls.asOneOf(query.reason, reviewReasons, "/reason")
  return yield* listReviews(tenant, { ...query, limit })
})

export const get = Effect.fnUntraced(function* (tenant: Tenant, paymentId: string) {
  const id = yield* asPaymentId(paymentId)
  const reviewed = yield* Reviews.use((reviews) => reviews.get(tenant, id))
  return reviewedPayment(reviewed, yield* HostedPage)
})

export const resolve = Effect.fnUntraced(function* (tenant: Tenant, paymentId: string, statement: ReviewStatement) {
  yield* PaymentCalls.onlyKnown(statement, ["review", "operation", "resolution", "evidence", "amount", "version"])
  const { evidence, operation, resolution, review, version } = statement
  for (const [name, text] of Object.entries({ review, operation })) yield* PaymentCalls.asText(text, `/${name}`)
  if (typeof evidence !== "string") return yield* PaymentCalls.invalid("/evidence", "must be text")
  if (!resolutions.includes(resolution)) {
    return yield* PaymentCalls.invalid("/resolution", `must be one of ${resolutions.join(", ")}`)
  }
  if (version !== undefined && !Number.isSafeInteger(version)) {
    return yield* PaymentCalls.invalid("/version", "must be the version that reviews.get returned")
  }
  const known = statementOf(statement)
  if (known === null) return yield* PaymentCalls.invalid("", "must have one of review and operation")
  const id = yield* asPaymentId(paymentId)
  const record = yield* Reviews.use((reviews) => reviews.resolve(tenant, id, known))
  return resolvedPayment(record, yield* HostedPage)
})

const asPaymentId = (text: string): Effect.Effect<PaymentId, ReturnType<typeof paymentError>> =>
  isPaymentId(text) ? Effect.succeed(text) : Effect.fail(paymentError(new PaymentNotFound()))
