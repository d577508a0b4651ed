/** Disputes that an operator records. Those that a provider reports are recorded automatically. */
import { disputeStatuses } from "@paymux/core/store"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { sensitiveWrite } from "../../access/Permission.ts"
import { changesVersion, described, sendsVersion } from "../described.ts"
import { idParams, Text } from "../fields.ts"
import { ResolvedPayment } from "../reviews/reviewsShapes.ts"

export const NewDispute = Schema.Struct({
  status: Schema.Literals(disputeStatuses).annotate({
    description: "`open` and `lost` reduce what can be refunded; `won` gives it back. Only an open dispute is won."
  }),
  reference: Schema.optionalKey(Text).annotate({
    description: "The provider's reference of the dispute. Absent: it is not known."
  }),
  amount: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Minor units of the payment's currency, at most what the charge captured. Absent: what is known of the dispute, or the whole charge."
  }),
  currency: Schema.optionalKey(Text).annotate({ description: "Must be the payment's." }),
  provider: Schema.optionalKey(Text).annotate({
    description: "The instance whose charge is disputed. Absent: the one that has the dispute, or the payment's own."
  }),
  evidence: Schema.String.annotate({
    description: "What shows it, such as the letter of the bank and who read it: 1 to 10,000 characters."
  })
}).annotate({ identifier: "NewDispute" })

export class DisputesGroup extends HttpApiGroup.make("disputes")
  .add(
    HttpApiEndpoint.post("record", "/payments/:id/disputes", {
      params: idParams,
      payload: NewDispute,
      success: ResolvedPayment
    })
      .annotateMerge(sensitiveWrite("operator"))
      .annotateMerge(changesVersion)
      .annotateMerge(sendsVersion)
      .annotateMerge(
        described(
          "Record a dispute",
          "Or its amount, or how it ended, where the provider does not report it. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is the payment."
        )
      )
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Disputes" })) {}
