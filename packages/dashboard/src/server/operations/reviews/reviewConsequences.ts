import { Reviews } from "@paymux/core"
import { resolutions } from "@paymux/core/store"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described, sendsVersion } from "../../api/described.ts"
import { idParams, Text, whole } from "../../api/fields.ts"
import { ReviewConsequences } from "../../api/reviews/reviewsShapes.ts"
import { intendedOf } from "../../reviews/ReviewStatement.ts"
import * as Operation from "../Operation.ts"
import { paymentIdOf } from "./paymentIdOf.ts"
import { oneSubject, refuseReview } from "./refuseReview.ts"

/** Computes the effect of a resolution on the payment, before it is given. Nothing is written. */
export const reviewConsequences = Operation.make(
  HttpApiEndpoint.get("consequences", "/reviews/:id/consequences", {
    params: idParams,
    query: {
      review: Schema.optionalKey(Text).annotate({ description: "This, or `operation`." }),
      operation: Schema.optionalKey(Text),
      resolution: Schema.Literals(resolutions),
      amount: Schema.optionalKey(whole(1, Number.MAX_SAFE_INTEGER)).annotate({
        description: "As in the resolution, in minor units."
      })
    },
    success: ReviewConsequences
  })
    .annotateMerge(read)
    .annotateMerge(sendsVersion)
    .annotateMerge(
      described(
        "Get the consequences of a resolution",
        "The effect of the resolution on the payment, before it is given. By the id of the payment. Nothing is written."
      )
    ),
  Effect.fnUntraced(function* ({ id, ...query }) {
    const intended = intendedOf(query)
    if (intended === null) return yield* oneSubject
    const payment = yield* paymentIdOf(id)
    const tenant = yield* CurrentTenant
    return yield* Reviews.use((reviews) => reviews.consequences(tenant, payment, intended))
  }),
  { ReviewRefused: refuseReview }
)
