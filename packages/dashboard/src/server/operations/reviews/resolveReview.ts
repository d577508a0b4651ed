import { Reviews } from "@paymux/core"
import { HostedPage } from "@paymux/core/wire"
import { ApiProblem } from "@paymux/http"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { sensitiveWrite } from "../../access/Permission.ts"
import { changesVersion, described, sendsVersion } from "../../api/described.ts"
import { idParams } from "../../api/fields.ts"
import { NewResolution, ResolvedPayment } from "../../api/reviews/reviewsShapes.ts"
import { resolvedPayment, statementOf } from "../../reviews/ReviewStatement.ts"
import * as Operation from "../Operation.ts"
import { getReviews } from "./getReviews.ts"
import { paymentIdOf } from "./paymentIdOf.ts"
import { oneSubject, refuseReview } from "./refuseReview.ts"

/** Resolves one open review, or corrects the outcome of one operation (`succeeded` or `not_done`). */
export const resolveReview = Operation.make(
  HttpApiEndpoint.post("resolve", "/reviews/:id/resolve", {
    params: idParams,
    payload: NewResolution,
    success: ResolvedPayment
  })
    .annotateMerge(sensitiveWrite("operator"))
    .annotateMerge(changesVersion)
    .annotateMerge(sendsVersion)
    .annotateMerge(
      described(
        "Resolve a review",
        "Or correct the outcome of an operation. By the id of the payment. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is the payment with its reviews, without the evidence."
      )
    ),
  Effect.fnUntraced(function* ({ id, ...given }) {
    const statement = statementOf(given)
    if (statement === null) return yield* oneSubject
    const payment = yield* paymentIdOf(id)
    const tenant = yield* CurrentTenant
    const record = yield* Reviews.use((reviews) => reviews.resolve(tenant, payment, statement))
    return resolvedPayment(record, yield* HostedPage)
  }),
  {
    ReviewRefused: (refused, { id }) => (refused.reason === "changed" ? changed(id) : refuseReview(refused))
  }
)

/** Without the evidence: the problem shows the reviews to decide now, and a page that shows more reads it again. */
const changed = (id: string) =>
  Effect.flatMap(getReviews.run({ id }), ({ evidence: _, ...current }) =>
    Effect.fail(new ApiProblem({ code: "version_conflict", current }))
  )
