/** The shapes of reviews: of their list, of a payment with all that is known about it, and of a resolution. */
import {
  entryBases,
  entryKinds,
  eventTypes,
  operationKinds,
  operationPurposes,
  paymentStatuses,
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

const beforeAndAfter = <S extends Schema.Top>(value: S) => Schema.Struct({ before: value, after: value })

const Consequences = Schema.Struct({
  status: beforeAndAfter(Schema.Literals(paymentStatuses)).annotate({ description: "Of the payment." }),
  events: Schema.Array(Schema.Literals(eventTypes)).annotate({ description: "Sent to the merchant, in this order." }),
  currency: Schema.String,
  amount: Amount.annotate({ description: "Of the payment, as requested." }),
  captured: beforeAndAfter(Amount),
  refunded: beforeAndAfter(Amount),
  overpaid: beforeAndAfter(Amount).annotate({ description: "Captured in excess of the payment, and not returned." }),
  received: Schema.NullOr(Amount).annotate({
    description: "`amount_received` of the payment in the events; `null`: they have none."
  }),
  acceptance: Schema.NullOr(Schema.Struct({ amount: Amount, requested: Amount })).annotate({
    description:
      "Another amount than requested is accepted: the resolution needs this amount and a reason in `acceptance`. `null`: it is not."
  }),
  operations: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.Literals(operationKinds),
      purpose: Schema.Literals(operationPurposes),
      provider: Schema.String,
      amount: Amount,
      status: beforeAndAfter(Schema.String)
    })
  ).annotate({ description: "Those whose status changes." }),
  closed: Schema.Array(Schema.Struct({ review: Schema.String, reason: Schema.Literals(reviewReasons) })),
  opened: Schema.Array(
    Schema.Struct({
      review: Schema.String,
      reason: Schema.Literals(reviewReasons),
      amount: Amount,
      currency: Schema.String
    })
  ).annotate({ description: "New reviews, and those that then have another reason or amount." }),
  automatic: Schema.Array(
    Schema.Struct({
      action: Schema.Literals(["refund", "release", "inquire"]),
      provider: Schema.String,
      amount: Amount,
      at: Schema.NullOr(Time).annotate({ description: "`null`: with the next report of the provider." })
    })
  ).annotate({
    description:
      "What Paymux does next: `refund` and `release` return money or a hold in excess, if the provider supports it. `inquire`: it asks the provider about an operation."
  })
}).annotate({ identifier: "Consequences" })

const Details = Schema.Struct({
  ...inQuestion,
  resolutions: Schema.Array(
    Schema.Struct({
      resolution: Schema.Literals(resolutions),
      takesAmount: Schema.Boolean,
      consequences: Schema.NullOr(Consequences).annotate({
        description: "Without an `amount`. `null`: the resolution needs one."
      })
    })
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
  }),
  acceptance: Schema.optionalKey(
    Schema.Struct({
      amount: Schema.Int.annotate({ description: "Exactly the amount of the consequences' `acceptance`." }),
      reason: Schema.String.annotate({
        description:
          "Why this amount is enough, in 1 to 500 characters. It is kept in the audit log, which has no data of customers."
      })
    })
  ).annotate({ description: "Required where the consequences have an `acceptance`, and rejected elsewhere." })
}).annotate({ identifier: "NewReviewResolution" })

export const ReviewConsequences = Schema.Struct({ version: Version, consequences: Consequences }).annotate({
  identifier: "ReviewConsequences"
})

export const ResolvedPayment = Schema.Struct({ payment: PaymentJson, version: Version }).annotate({
  identifier: "ResolvedPayment"
})
