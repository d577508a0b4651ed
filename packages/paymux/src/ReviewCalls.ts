/** What `paymux.reviews` does: what an operator has to resolve, and its resolution. */
import { Reviews } from "@paymux/core"
import type { PaymentId, Tenant } from "@paymux/core"
import { resolutions, reviewReasons } from "@paymux/core/store"
import { HostedPage, isPaymentId, paymentError, PaymentNotFound } from "@paymux/core/wire"
import { intendedOf, resolvedPayment, reviewedPayment, statementOf } from "@paymux/dashboard"
import type {
  IntendedReviewStatement,
  ResolvedPayment,
  ReviewConsequences,
  ReviewedPayment,
  ReviewStatement
} from "@paymux/dashboard"
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
  /** What a resolution would do to the payment, before it is given. Nothing is written. */
  readonly consequences: (paymentId: string, intended: IntendedReviewStatement) => Promise<ReviewConsequences>
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
  yield* PaymentCalls.onlyKnown(statement, [
    "review",
    "operation",
    "resolution",
    "evidence",
    "amount",
    "acceptance",
    "version"
  ])
  const { acceptance, evidence, version } = statement
  yield* checkIntended(statement)
  if (typeof evidence !== "string") return yield* PaymentCalls.invalid("/evidence", "must be text")
  if (acceptance !== undefined) yield* checkAcceptance(acceptance)
  if (version !== undefined && !Number.isSafeInteger(version)) {
    return yield* PaymentCalls.invalid("/version", "must be the version that reviews.get returned")
  }
  const known = statementOf(statement)
  if (known === null) return yield* PaymentCalls.invalid("", "must have one of review and operation")
  const id = yield* asPaymentId(paymentId)
  const record = yield* Reviews.use((reviews) => reviews.resolve(tenant, id, known))
  return resolvedPayment(record, yield* HostedPage)
})

export const consequences = Effect.fnUntraced(function* (
  tenant: Tenant,
  paymentId: string,
  intended: IntendedReviewStatement
) {
  yield* PaymentCalls.onlyKnown(intended, ["review", "operation", "resolution", "amount"])
  yield* checkIntended(intended)
  const known = intendedOf(intended)
  if (known === null) return yield* PaymentCalls.invalid("", "must have one of review and operation")
  const id = yield* asPaymentId(paymentId)
  return yield* Reviews.use((reviews) => reviews.consequences(tenant, id, known))
})

const checkIntended = Effect.fnUntraced(function* ({ operation, resolution, review }: IntendedReviewStatement) {
  for (const [name, text] of Object.entries({ review, operation })) yield* PaymentCalls.asText(text, `/${name}`)
  if (resolutions.includes(resolution)) return
  return yield* PaymentCalls.invalid("/resolution", `must be one of ${resolutions.join(", ")}`)
})

/** The program may not be typed. */
const checkAcceptance = Effect.fnUntraced(function* (acceptance: unknown) {
  if (typeof acceptance !== "object" || acceptance === null) {
    return yield* PaymentCalls.invalid("/acceptance", "must have an amount and a reason")
  }
  yield* PaymentCalls.onlyKnown(acceptance, ["amount", "reason"])
  const { amount, reason } = acceptance as { readonly amount?: unknown; readonly reason?: unknown }
  if (!Number.isSafeInteger(amount)) return yield* PaymentCalls.invalid("/acceptance/amount", "must be an integer")
  if (typeof reason !== "string") return yield* PaymentCalls.invalid("/acceptance/reason", "must be text")
})

const asPaymentId = (text: string): Effect.Effect<PaymentId, ReturnType<typeof paymentError>> =>
  isPaymentId(text) ? Effect.succeed(text) : Effect.fail(paymentError(new PaymentNotFound()))
