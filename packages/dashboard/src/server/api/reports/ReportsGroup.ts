/** Provider reports that match no payment. They belong to a mode and to no account: who may see them sees every account. */
import { reportStatuses } from "@paymux/sql"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { everyAccount, read, sensitiveWrite, write } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { idParams, pageOf, pageQuery, tenantParams, Text, Time, timeQuery } from "../fields.ts"

const NullableText = Schema.NullOr(Schema.String)

const Report = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  status: Schema.Literals(reportStatuses),
  kind: Schema.String.annotate({ description: "What is reported, such as `succeeded` or `refund_succeeded`." }),
  operationId: NullableText.annotate({ description: "The operation that it names." }),
  reference: NullableText.annotate({ description: "The provider's reference that it is about." }),
  amount: Schema.NullOr(Schema.Int).annotate({ description: "In the smallest unit of `currency`." }),
  currency: NullableText,
  vendorCode: NullableText,
  event: Schema.String.annotate({ description: "The provider's id of the event, or a digest." }),
  document: NullableText.annotate({ description: "`sha256:` of the webhook's bytes." }),
  receivedAt: Time,
  occurredAt: Schema.NullOr(Time).annotate({ description: "ms UTC, by the provider's clock." }),
  isComplete: Schema.Boolean.annotate({ description: "`false`: what was reported has been deleted." }),
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

export class ReportsGroup extends HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("list", "/reports", {
      params: tenantParams,
      query: {
        statuses: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(reportStatuses))),
        provider: Schema.optionalKey(Text),
        kind: Schema.optionalKey(Text),
        ...timeQuery,
        ...pageQuery
      },
      success: pageOf(Report)
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("List provider reports that match no payment", "Of the mode, newest first.")),
    HttpApiEndpoint.get("get", "/reports/:id", { params: idParams, success: Report })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("Get a report")),
    HttpApiEndpoint.post("match", "/reports/:id/match", { params: idParams, payload: Match, success: Report })
      .annotateMerge(everyAccount(sensitiveWrite("operator")))
      .annotateMerge(
        described(
          "Match a report to a payment",
          "The engine applies it like every report of the provider, within seconds; see `isApplied`. It cannot be undone."
        )
      ),
    HttpApiEndpoint.post("dismiss", "/reports/:id/dismiss", { params: idParams, payload: Dismissal, success: Report })
      .annotateMerge(everyAccount(write("operator")))
      .annotateMerge(described("Dismiss a report", "It is kept, and can still be matched."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Unmatched reports" })) {}
