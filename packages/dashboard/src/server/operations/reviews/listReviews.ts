import { reviewReasons } from "@paymux/core/store"
import { listReviews as queryReviews } from "@paymux/sql"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { defaultLimit, pageOf, pageQuery, tenantParams, Text, timeQuery } from "../../api/fields.ts"
import { Review } from "../../api/reviews/reviewsShapes.ts"
import * as Operation from "../Operation.ts"

/** Lists open reviews: payments of an account and mode that wait for the decision of an operator. */
export const listReviews = Operation.make(
  HttpApiEndpoint.get("list", "/reviews", {
    params: tenantParams,
    query: {
      order: Schema.optionalKey(Schema.Literals(["age", "amount"])).annotate({
        description: "The oldest first (default), or the largest amount first, which needs a `currency`."
      }),
      reason: Schema.optionalKey(Schema.Literals(reviewReasons)),
      provider: Schema.optionalKey(Text),
      currency: Schema.optionalKey(Text),
      ...timeQuery,
      ...pageQuery
    },
    success: pageOf(Review)
  })
    .annotateMerge(read)
    .annotateMerge(described("List open reviews", "A payment may have several.")),
  Effect.fnUntraced(function* ({ limit = defaultLimit, ...query }) {
    return yield* Effect.mapError(queryReviews(yield* CurrentTenant, { ...query, limit }), (error) =>
      error._tag === "ReviewQueryInvalid"
        ? Operation.refuse(error.reason === "cursor" ? "/after" : "/currency", error.message)
        : error
    )
  }),
  {}
)
