/** The shapes of reviews: of their list, of a payment with all that is known about it, and of a resolution. */
import {
  entryBases,
  entryKinds,
  operationKinds,
  operationPurposes,
  resolutions,
  reviewReasons
} from "@paymux/core/store"
import { PaymentJson } from "@paymux/core/wire"
import { Schema } from "effect"
import { Text, Time } from "../fields.ts"

const Amount = Schema.Int.annotate({ description: "In the smallest unit of the currency." })
const NullableText = Schema.NullOr(Schema.String)

const inQuestion = {
  id: Schema.String,
  reason: Schema.Literals(reviewReasons),
  provider: Schema.String.annotate({ description: "The instance that has the money." }),
  reference: NullableText.annotate({ description: "Of the charge or movement in question." }),
  operationId: NullableText.annotate({ description: "The operation in question." }),
  amount: Amount,
  currency: Schema.String,
  since: Time
}

export const Review = Schema.Struct({
  paymentId: Schema.String,
  ...inQuestion,
  source: NullableText.annotate({ description: "Of the report in question." })
}).annotate({ identifier: "Review" })

const Reported = Schema.Struct({
  kind: Schema.Literals(entryKinds),
  basis: Schema.Literals(entryBases).annotate({
    description: "`movement`: of money, once. `total`: all that its charge has captured so far."
  }),
  amount: Amount,
  currency: Schema.String,
  reference: NullableText,
  source: Schema.String,
  recordedAt: Time
}).annotate({ identifier: "ReportedMoney" })

const Details = Schema.Struct({
  ...inQuestion,
  resolutions: Schema.Array(
    Schema.Struct({ resolution: Schema.Literals(resolutions), takesAmount: Schema.Boolean })
  ).annotate({ description: "Those that fit." }),
  reported: Schema.Array(Reported).annotate({ description: "About the attempt in question." })
}).annotate({ identifier: "ReviewDetails" })

const Operation = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(operationKinds),
  purpose: Schema.Literals(operationPurposes),
  status: Schema.String,
  provider: Schema.String,
  amount: Amount,
  reference: NullableText
}).annotate({ identifier: "ReviewedOperation" })

const Evidence = Schema.Struct({
  operationId: Schema.String,
  source: Schema.String,
  kind: Schema.String,
  vendorCode: NullableText,
  eventId: NullableText,
  document: NullableText.annotate({ description: "`sha256:` of the webhook's bytes, or the text of an operator." }),
  occurredAt: Schema.NullOr(Time).annotate({ description: "ms UTC, by the provider's clock." }),
  recordedAt: Time
}).annotate({ identifier: "ReviewEvidence" })

const Version = Schema.Int.annotate({ description: "As in the `ETag`." })

export const ReviewedPayment = Schema.Struct({
  payment: PaymentJson,
  version: Version,
  reviews: Schema.Array(Details).annotate({ description: "Those that are open." }),
  resolved: Schema.Array(
    Schema.Struct({ review: Schema.String, resolution: Schema.Literals(resolutions), resolvedAt: Time })
  ),
  operations: Schema.Array(Operation),
  evidence: Schema.Array(Evidence).annotate({
    description: "What has changed the payment, in order: the last 500. Its timeline has all."
  })
}).annotate({ identifier: "ReviewedPayment" })

export const NewResolution = Schema.Struct({
  review: Schema.optionalKey(Text).annotate({ description: "This, or `operation`." }),
  operation: Schema.optionalKey(Text).annotate({ description: "One without a review, whose outcome is wrong here." }),
  resolution: Schema.Literals(resolutions),
  evidence: Schema.String.annotate({
    description: "What proves it, such as the provider's reference and who looked it up: 1 to 10,000 characters."
  }),
  amount: Schema.optionalKey(Schema.Int).annotate({
    description: "What the provider's dashboard shows, in minor units, of a resolution that `takesAmount`."
  })
}).annotate({ identifier: "NewReviewResolution" })

export const ResolvedPayment = Schema.Struct({ payment: PaymentJson, version: Version }).annotate({
  identifier: "ResolvedPayment"
})
