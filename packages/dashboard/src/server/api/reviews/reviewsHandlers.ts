/** The handlers of reviews. */
import { Reviews } from "@paymux/core"
import type { ReviewRefused } from "@paymux/core"
import { HostedPage, isPaymentId } from "@paymux/core/wire"
import type { HostedUrl } from "@paymux/core/wire"
import { ApiProblem } from "@paymux/http"
import { listReviews } from "@paymux/sql"
import type { ReviewQuery } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { reviewedPayment } from "../../reviews/reviewedPayment.ts"
import { intendedOf, resolvedPayment, statementOf } from "../../reviews/ReviewStatement.ts"
import type { IntendedReviewStatement } from "../../reviews/ReviewStatement.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, control, expectedVersion, invalid, missing, withVersion } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"
import { NewResolution } from "./reviewsShapes.ts"

export const reviewsHandlers = HttpApiBuilder.group(ControlApi, "reviews", (handlers) =>
  Effect.gen(function* () {
    const hostedUrl = yield* HostedPage
    const services = yield* Effect.context<SqlClient.SqlClient | Reviews>()
    return handlers
      .handle("list", ({ query }) => control(Effect.provideContext(list({ limit: defaultLimit, ...query }), services)))
      .handle("get", ({ params }) =>
        control(
          Effect.tap(Effect.provideContext(get(params.id, hostedUrl), services), ({ version }) => withVersion(version))
        )
      )
      .handle("consequences", ({ params, query }) =>
        control(
          Effect.tap(Effect.provideContext(consequences(params.id, query), services), ({ version }) =>
            withVersion(version)
          )
        )
      )
      .handleRaw("resolve", ({ params }) => control(Effect.provideContext(resolve(params.id, hostedUrl), services)))
  })
)

const list = Effect.fnUntraced(function* (query: ReviewQuery) {
  const { next, reviews } = yield* Effect.mapError(listReviews(yield* CurrentTenant, query), (error) =>
    error._tag === "ReviewQueryInvalid"
      ? invalid({ pointer: error.reason === "cursor" ? "after" : "currency", message: error.message })
      : error
  )
  return { data: reviews, next }
})

const get = Effect.fnUntraced(function* (id: string, hostedUrl: HostedUrl) {
  const payment = yield* paymentIdOf(id)
  const tenant = yield* CurrentTenant
  const found = yield* Reviews.use((reviews) => reviews.get(tenant, payment)).pipe(
    Effect.catchTag("ReviewRefused", () => Effect.fail(missing("payment")))
  )
  return reviewedPayment(found, hostedUrl)
})

const consequences = Effect.fnUntraced(function* (id: string, query: IntendedReviewStatement) {
  const intended = intendedOf(query)
  if (intended === null) return yield* invalid(oneSubject)
  const payment = yield* paymentIdOf(id)
  const tenant = yield* CurrentTenant
  return yield* Reviews.use((reviews) => reviews.consequences(tenant, payment, intended)).pipe(
    Effect.catchTag("ReviewRefused", (refused) => Effect.fail(problemOf(refused)))
  )
})

const oneSubject = { pointer: "/review", message: "must be given, or `operation`, and not both" }

const resolve = Effect.fnUntraced(function* (id: string, hostedUrl: HostedUrl) {
  const version = yield* expectedVersion
  const statement = statementOf({ ...(yield* bodyOf(NewResolution)), version })
  if (statement === null) {
    return yield* invalid(oneSubject)
  }
  const payment = yield* paymentIdOf(id)
  const tenant = yield* CurrentTenant
  const record = yield* Reviews.use((reviews) => reviews.resolve(tenant, payment, statement)).pipe(
    Effect.catchTag("ReviewRefused", (refused) =>
      refused.reason === "changed" ? changed(id, hostedUrl) : Effect.fail(problemOf(refused))
    )
  )
  yield* withVersion(record.payment.version)
  return resolvedPayment(record, hostedUrl)
})

/** Without the evidence: the problem says what is to be decided now, and a page that shows more reads it again. */
const changed = (id: string, hostedUrl: HostedUrl) =>
  Effect.flatMap(get(id, hostedUrl), ({ evidence: _, ...current }) =>
    Effect.fail(new ApiProblem({ code: "version_conflict", current }))
  )

const problemOf = ({ message, reason }: ReviewRefused): ApiProblem =>
  reason === "not_found" || reason === "changed" ? missing("payment") : invalid({ pointer: places[reason], message })

const places = {
  not_in_review: "/review",
  no_operation: "/operation",
  no_evidence: "/evidence",
  invalid_amount: "/amount",
  amount_does_not_fit: "/amount",
  needs_amount: "/amount",
  amount_below_reports: "/amount",
  operation_in_review: "/operation",
  acceptance_required: "/acceptance",
  acceptance_differs: "/acceptance/amount",
  no_acceptance_reason: "/acceptance/reason",
  reason_names_customer: "/acceptance/reason",
  nothing_to_accept: "/acceptance",
  does_not_fit: "/resolution"
} as const

const paymentIdOf = (id: string) => (isPaymentId(id) ? Effect.succeed(id) : Effect.fail(missing("payment")))
