/** The shapes of provider reports that match no payment. */
import { reportStatuses } from "@paymux/sql"
import { Schema } from "effect"
import { Text, Time } from "../../api/fields.ts"

const NullableText = Schema.NullOr(Schema.String)

export const Report = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  status: Schema.Literals(reportStatuses),
  kind: Schema.String.annotate({ description: "The reported event, such as `succeeded` or `refund_succeeded`." }),
  operationId: NullableText.annotate({ description: "The operation that it names." }),
  reference: NullableText.annotate({ description: "The provider's reference that it is about." }),
  amount: Schema.NullOr(Schema.Int).annotate({ description: "In the smallest unit of `currency`." }),
  currency: NullableText,
  vendorCode: NullableText,
  event: Schema.String.annotate({ description: "The provider's id of the event, or a digest." }),
  document: NullableText.annotate({ description: "`sha256:` of the webhook's bytes." }),
  receivedAt: Time,
  occurredAt: Schema.NullOr(Time).annotate({ description: "ms UTC, by the provider's clock." }),
  isComplete: Schema.Boolean.annotate({ description: "`false`: the content of the report has been deleted." }),
  paymentId: NullableText.annotate({ description: "The payment that it was matched to." }),
  isApplied: Schema.Boolean.annotate({ description: "`true`: it has been applied to that payment." }),
  note: NullableText.annotate({ description: "Why it was dismissed." }),
  decidedAt: Schema.NullOr(Time)
}).annotate({ identifier: "UnmatchedReport" })

export const Match = Schema.Struct({
  paymentId: Text.annotate({ description: "Of this account and mode." }),
  operationId: Schema.optionalKey(Text).annotate({
    description: "Such as a refund. Default: the create operation at the provider of the report."
  })
}).annotate({ identifier: "ReportMatch" })

export const Dismissal = Schema.Struct({
  note: Schema.String.annotate({ description: "Why: 1 to 1000 characters." })
}).annotate({ identifier: "ReportDismissal" })
