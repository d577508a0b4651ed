/** The queue of reviews: payments of an account and mode that wait for the decision of an operator. */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { getReviews } from "../../operations/reviews/getReviews.ts"
import { listReviews } from "../../operations/reviews/listReviews.ts"
import { resolveReview } from "../../operations/reviews/resolveReview.ts"
import { reviewConsequences } from "../../operations/reviews/reviewConsequences.ts"

export class ReviewsGroup extends HttpApiGroup.make("reviews")
  .add(listReviews.endpoint, getReviews.endpoint, reviewConsequences.endpoint, resolveReview.endpoint)
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Reviews" })) {}
