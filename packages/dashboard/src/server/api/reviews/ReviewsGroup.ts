/** Reviews: what an operator has to decide about payments of an account and mode. */
import { resolutions, reviewReasons } from "@paymux/core/store"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read, sensitiveWrite } from "../../access/Permission.ts"
import { changesVersion, described, sendsVersion } from "../described.ts"
import { idParams, pageOf, pageQuery, tenantParams, Text, timeQuery, whole } from "../fields.ts"
import { NewResolution, ResolvedPayment, Review, ReviewConsequences, ReviewedPayment } from "./reviewsShapes.ts"

export class ReviewsGroup extends HttpApiGroup.make("reviews")
  .add(
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
    HttpApiEndpoint.get("get", "/reviews/:id", { params: idParams, success: ReviewedPayment })
      .annotateMerge(read)
      .annotateMerge(sendsVersion)
      .annotateMerge(
        described("Get a payment with its reviews", "By the id of the payment. The `ETag` is what resolving requires.")
      ),
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
          "What the resolution would do to the payment, before it is given. By the id of the payment. Nothing is written."
        )
      ),
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
      )
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Reviews" })) {}
