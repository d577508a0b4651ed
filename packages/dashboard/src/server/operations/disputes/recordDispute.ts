import { Reviews } from "@paymux/core"
import type { DisputeRefused } from "@paymux/core/store"
import { disputeStatuses } from "@paymux/core/store"
import { HostedPage } from "@paymux/core/wire"
import { ApiProblem } from "@paymux/http"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { sensitiveWrite } from "../../access/Permission.ts"
import { missing } from "../../api/controlHandler.ts"
import { changesVersion, described, sendsVersion } from "../../api/described.ts"
import { idParams, Text } from "../../api/fields.ts"
import { ResolvedPayment } from "../../api/reviews/reviewsShapes.ts"
import { disputeStatementOf } from "../../reviews/DisputeStatement.ts"
import { resolvedPayment } from "../../reviews/ReviewStatement.ts"
import * as Operation from "../Operation.ts"
import { paymentIdOf } from "../reviews/paymentIdOf.ts"

const NewDispute = Schema.Struct({
  status: Schema.Literals(disputeStatuses).annotate({
    description: "`open` and `lost` reduce what can be refunded; `won` gives it back. Only an open dispute is won."
  }),
  reference: Schema.optionalKey(Text).annotate({
    description: "The provider's reference of the dispute. Absent: it is not known."
  }),
  amount: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Minor units of the payment's currency, at most the captured amount of the charge. Absent: the known amount of the dispute, or the whole charge."
  }),
  currency: Schema.optionalKey(Text).annotate({ description: "Must be the payment's." }),
  provider: Schema.optionalKey(Text).annotate({
    description: "The instance whose charge is disputed. Absent: the one that has the dispute, or the payment's own."
  }),
  evidence: Schema.String.annotate({
    description: "What shows it, such as the letter of the bank and who read it: 1 to 10,000 characters."
  })
}).annotate({ identifier: "NewDispute" })

/** Records a dispute of a payment, its amount, or how it ended. Disputes that a provider reports are recorded automatically. */
export const recordDispute = Operation.make(
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
    ),
  Effect.fnUntraced(function* ({ id, ...statement }) {
    const payment = yield* paymentIdOf(id)
    const tenant = yield* CurrentTenant
    const changed = yield* Reviews.use((reviews) =>
      reviews.recordDispute(tenant, payment, disputeStatementOf(statement))
    )
    return resolvedPayment(changed, yield* HostedPage)
  }),
  {
    DisputeRefused: (refused, { id }) => (refused.reason === "changed" ? outdated(id) : refuseDispute(refused))
  }
)

const outdated = Effect.fnUntraced(function* (id: string) {
  const payment = yield* paymentIdOf(id)
  const tenant = yield* CurrentTenant
  const { record } = yield* Reviews.use((reviews) => reviews.get(tenant, payment)).pipe(
    Effect.catchTag("ReviewRefused", () => Effect.fail(missing("payment")))
  )
  const current = resolvedPayment(record, yield* HostedPage)
  return yield* new ApiProblem({ code: "version_conflict", current })
})

const refuseDispute = ({ message, reason }: DisputeRefused) =>
  reason === "not_found" || reason === "changed"
    ? Effect.fail(missing("payment"))
    : Effect.fail(Operation.refuse(places[reason], message))

const places = {
  no_evidence: "/evidence",
  invalid_reference: "/reference",
  no_charge: "/provider",
  invalid_amount: "/amount",
  above_charge: "/amount",
  other_currency: "/currency",
  reference_needed: "/reference",
  not_opened: "/status",
  unchanged: "/status"
} as const
