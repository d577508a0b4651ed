/** The handlers of reviews. */
import type { Reviews } from "@paymux/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { getReviews } from "../../operations/reviews/getReviews.ts"
import { listReviews } from "../../operations/reviews/listReviews.ts"
import { resolveReview } from "../../operations/reviews/resolveReview.ts"
import { reviewConsequences } from "../../operations/reviews/reviewConsequences.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"

export const reviewsHandlers = HttpApiBuilder.group(ControlApi, "reviews", (handlers) =>
  Effect.map(Effect.context<SqlClient.SqlClient | Reviews>(), (services) =>
    handlers
      .handle("list", served(listReviews, services))
      .handle("get", served(getReviews, services))
      .handle("consequences", served(reviewConsequences, services))
      .handleRaw("resolve", served(resolveReview, services))
  )
)
