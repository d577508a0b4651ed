/** The handlers of disputes. */
import { Reviews } from "@paymux/core"
import type { PaymentId } from "@paymux/core"
import type { DisputeRefused } from "@paymux/core/store"
import { HostedPage, isPaymentId } from "@paymux/core/wire"
import type { HostedUrl } from "@paymux/core/wire"
import { ApiProblem } from "@paymux/http"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { disputeStatementOf } from "../../reviews/DisputeStatement.ts"
import { resolvedPayment } from "../../reviews/ReviewStatement.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, control, expectedVersion, invalid, missing, withVersion } from "../controlHandler.ts"
import { NewDispute } from "./DisputesGroup.ts"

export const disputesHandlers = HttpApiBuilder.group(ControlApi, "disputes", (handlers) =>
  Effect.gen(function* () {
    const hostedUrl = yield* HostedPage
    const reviews = yield* Reviews
    return handlers.handleRaw("record", ({ params }) => control(record(reviews, params.id, hostedUrl)))
  })
)

const record = Effect.fnUntraced(function* (reviews: Reviews["Service"], text: string, hostedUrl: HostedUrl) {
  const version = yield* expectedVersion
  const statement = disputeStatementOf({ ...(yield* bodyOf(NewDispute)), version })
  if (!isPaymentId(text)) return yield* Effect.fail(missing("payment"))
  const tenant = yield* CurrentTenant
  const changed = yield* reviews
    .recordDispute(tenant, text, statement)
    .pipe(
      Effect.catchTag("DisputeRefused", (refused) =>
        refused.reason === "changed" ? outdated(reviews, text, hostedUrl) : Effect.fail(problemOf(refused))
      )
    )
  yield* withVersion(changed.payment.version)
  return resolvedPayment(changed, hostedUrl)
})

const outdated = Effect.fnUntraced(function* (reviews: Reviews["Service"], id: PaymentId, hostedUrl: HostedUrl) {
  const found = yield* reviews
    .get(yield* CurrentTenant, id)
    .pipe(Effect.catchTag("ReviewRefused", () => Effect.fail(missing("payment"))))
  return yield* new ApiProblem({ code: "version_conflict", current: resolvedPayment(found.record, hostedUrl) })
})

const problemOf = ({ message, reason }: DisputeRefused): ApiProblem =>
  reason === "not_found" || reason === "changed" ? missing("payment") : invalid({ pointer: places[reason], message })

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
