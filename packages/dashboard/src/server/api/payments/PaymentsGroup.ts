/** The payments of an account and mode: finding them, and what a person does with one. */
import { CancelPaymentJson, CapturePaymentJson, OperatorRefundJson, PaymentJson, RefundJson } from "@paymux/core/wire"
import { paymentFilters } from "@paymux/http"
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { movesMoney, read, sensitiveWrite, write } from "../../access/Permission.ts"
import { answers, changesVersion, described, sendsVersion } from "../described.ts"
import { requiresKey } from "../requiredKey.ts"
import { idParams, limitTo, pageOf, pageQuery, tenantParams, Time, timeQuery, whole } from "../fields.ts"
import { defaultOfTimeline, mostOfTimeline } from "../../payments/readTimeline.ts"
import { simulatedDecisions } from "../../payments/SimulatedPayer.ts"
import { TimelineItem } from "../../payments/TimelineItem.ts"
import { Explained } from "../rules/rulesShapes.ts"

/** The filters of `/v1`, as they stand in the address. */
const filters = {
  status: paymentFilters.status,
  paymentMethod: paymentFilters.payment_method,
  currency: paymentFilters.currency,
  provider: paymentFilters.provider,
  customerEmail: paymentFilters.customer_email,
  providerReference: paymentFilters.provider_reference,
  failureCode: paymentFilters.failure_code,
  cardFingerprint: paymentFilters.card_fingerprint,
  order: paymentFilters.order,
  amountMin: paymentFilters.amount_min,
  amountMax: paymentFilters.amount_max,
  metadata: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[^=\u0000-\u001f]{1,40}=[^\u0000]{0,500}$/s, {
          message: "must be a key of 1 to 40 characters, = and a value of at most 500"
        })
      )
    ).annotate({ description: "`key=value`. Several values of a key: any of them. Several keys: all of them." })
  ),
  inReview: Schema.optionalKey(
    Schema.Literals(["true", "false"]).annotate({ description: "`true`: only payments with open reviews." })
  )
}

const Amount = Schema.Int.annotate({ description: "In the smallest unit of the payment's currency." })

const Balance = Schema.Struct({
  currency: Schema.String,
  captured: Amount,
  refunded: Amount,
  refunding: Amount.annotate({ description: "Refunds that are requested, and not decided yet." }),
  refundedElsewhere: Amount.annotate({
    description:
      "Refunded outside of Paymux, such as in the provider's dashboard. Refunds of an excess are not included."
  }),
  held: Amount.annotate({ description: "Reserved at all providers, and not captured." }),
  overpaid: Amount.annotate({ description: "Captured in excess of the payment, and not returned." }),
  returning: Amount.annotate({ description: "The part of the excess that is being refunded automatically." }),
  inQuestion: Schema.Array(
    Schema.Struct({ review: Schema.String, amount: Schema.Int, currency: Schema.String })
  ).annotate({ description: "Of each open review, in the smallest unit of its own currency." })
}).annotate({ identifier: "PaymentBalance" })

/** In minor units, as in the problem `refund_exceeds_available`. */
const Refundable = Schema.Struct({
  captured: Amount.annotate({ description: "The captured amount of the charge." }),
  refunded: Amount.annotate({ description: "By refunds of this installation." }),
  pending: Amount.annotate({ description: "By refunds of this installation that are in progress." }),
  refundedElsewhere: Amount.annotate({
    description: "Outside of this installation, such as in the provider's dashboard."
  }),
  disputed: Amount.annotate({ description: "By disputes that are open or lost." }),
  available: Amount.annotate({ description: "The most that can be refunded without `override`." })
}).annotate({ identifier: "RefundableAmounts" })

const Action = Schema.Struct({
  kind: Schema.Literals(["capture", "cancel", "refund"]),
  amount: Schema.NullOr(Schema.Int).annotate({
    description: "The most that may be requested, in minor units; `null`: it would be refused."
  }),
  partial: Schema.Boolean.annotate({ description: "Whether less than `amount` may be requested." }),
  refusal: Schema.NullOr(Schema.String).annotate({ description: "Why it would be refused." }),
  override: Schema.NullOr(
    Schema.Struct({
      amount: Schema.Int.annotate({ description: "The most that may be requested with `override`, in minor units." }),
      partial: Schema.Boolean.annotate({ description: "Whether less than `amount` may be requested." }),
      refundable: Refundable
    })
  ).annotate({ description: "Of a refund: what an operator may request beyond `amount` with evidence." })
}).annotate({ identifier: "PaymentAction" })

const Details = Schema.Struct({
  payment: PaymentJson,
  version: Schema.Int.annotate({ description: "Increases with every change." }),
  balance: Balance,
  actions: Schema.Array(Action).annotate({ description: "What may be requested now." }),
  simulated: Schema.Boolean.annotate({ description: "Whether its payer can be simulated now: see `simulate`." })
}).annotate({ identifier: "PaymentDetails" })

const PaymentPage = Schema.Struct({
  ...pageOf(PaymentJson).fields,
  searchedUntil: Schema.optionalKey(
    Time.annotate({
      description:
        "ms UTC. Present if a search for metadata without an index ended before the page was full: older payments may match, and `next` continues with them."
    })
  )
})
export type PaymentPage = typeof PaymentPage.Type

export const Simulation = Schema.Struct({
  decision: Schema.Literals(simulatedDecisions)
}).annotate({ identifier: "PaymentSimulation" })

const onConflict =
  "`If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers."

/** Acts once for each key, and only on the version of the payment that the person has seen. */
const moneyWrite = Context.mergeAll(sensitiveWrite("operator"), movesMoney, requiresKey, changesVersion)

export class PaymentsGroup extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.get("list", "/payments", {
      params: tenantParams,
      query: { ...filters, ...timeQuery, ...pageQuery, limit: Schema.optionalKey(limitTo(100)) },
      success: PaymentPage
    })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "List payments",
          "Newest first. Filters combine with AND; a filter with several values takes any of them. A bound of the amount needs exactly one currency."
        )
      ),
    HttpApiEndpoint.get("get", "/payments/:id", { params: idParams, success: Details })
      .annotateMerge(read)
      .annotateMerge(sendsVersion)
      .annotateMerge(
        described(
          "Read a payment",
          "With its books, and what may be requested now. Capturing, canceling and refunding it require the `ETag`."
        )
      ),
    HttpApiEndpoint.get("timeline", "/payments/:id/timeline", {
      params: idParams,
      query: {
        ...pageQuery,
        limit: Schema.optionalKey(
          whole(1, mostOfTimeline).annotate({ description: `Items on a page. Default: ${defaultOfTimeline}.` })
        )
      },
      success: pageOf(TimelineItem)
    })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "Read the timeline of a payment",
          "Oldest first: its request, routing, attempts, operations, evidence, books, events and webhook deliveries."
        )
      ),
    HttpApiEndpoint.get("routing", "/payments/:id/routing", { params: idParams, success: Explained })
      .annotateMerge(read)
      .annotateMerge(
        described(
          "Explain how a payment was routed",
          "Rule by rule, by the rules that were in force when it was created."
        )
      ),
    HttpApiEndpoint.post("simulate", "/payments/:id/simulate", {
      params: idParams,
      payload: Simulation,
      success: PaymentJson
    })
      .annotateMerge(write("operator", "developer"))
      .annotateMerge(answers("operation_not_supported"))
      .annotateMerge(
        described(
          "Simulate the payer of a sandbox payment",
          "It happens at once, in place of what was to come. A payment that is decided is answered 409. No money moves."
        )
      ),
    HttpApiEndpoint.post("capture", "/payments/:id/capture", {
      params: idParams,
      payload: CapturePaymentJson,
      success: PaymentJson
    })
      .annotateMerge(moneyWrite)
      .annotateMerge(described("Capture a payment", `A partial capture releases the rest. ${onConflict}`)),
    HttpApiEndpoint.post("cancel", "/payments/:id/cancel", {
      params: idParams,
      payload: CancelPaymentJson,
      success: PaymentJson
    })
      .annotateMerge(moneyWrite)
      .annotateMerge(described("Cancel a payment", `The body is an empty object. ${onConflict}`)),
    HttpApiEndpoint.post("refund", "/payments/:id/refunds", {
      params: idParams,
      payload: OperatorRefundJson,
      success: RefundJson.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(moneyWrite)
      .annotateMerge(answers("refund_exceeds_available"))
      .annotateMerge(
        described(
          "Refund a payment",
          `The whole remaining amount, or a part of it. With \`override\`, also more than disputes, and refunds made outside of Paymux, leave. ${onConflict}`
        )
      )
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Payments" })) {}
