import { Reviews } from "@paymux/core"
import type { ReviewRefused } from "@paymux/core"
import { HostedPage, paymentError, PaymentNotFound } from "@paymux/core/wire"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described, sendsVersion } from "../../api/described.ts"
import { idParams } from "../../api/fields.ts"
import { ReviewedPayment } from "../../api/reviews/reviewsShapes.ts"
import { reviewedPayment } from "../../reviews/reviewedPayment.ts"
import * as Operation from "../Operation.ts"
import { paymentIdOf } from "./paymentIdOf.ts"

/** Reads a payment with its open reviews, the resolutions that fit each, and everything known about it on both sides. */
export const getReviews = Operation.make(
  HttpApiEndpoint.get("get", "/reviews/:id", { params: idParams, success: ReviewedPayment })
    .annotateMerge(read)
    .annotateMerge(sendsVersion)
    .annotateMerge(
      described("Get a payment with its reviews", "By the id of the payment. The `ETag` is what resolving requires.")
    ),
  Effect.fnUntraced(function* ({ id }) {
    const payment = yield* paymentIdOf(id)
    const tenant = yield* CurrentTenant
    const found = yield* Reviews.use((reviews) => reviews.get(tenant, payment)).pipe(
      Effect.catchTag("ReviewRefused", (_: ReviewRefused) => Effect.fail(paymentError(new PaymentNotFound())))
    )
    return reviewedPayment(found, yield* HostedPage)
  }),
  {}
)
