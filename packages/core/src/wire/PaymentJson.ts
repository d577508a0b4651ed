/**
 * The public JSON of a payment, in HTTP responses, event rows and webhooks.
 *
 * `paymentJson` writes it; the Schema describes it in the OpenAPI document, the API reference and the client's types. A
 * test compares the two.
 */
import { Schema } from "effect"
import type { Attempt } from "../domain/Attempt.ts"
import { chargesOf, isPlain, overpaid, overpayment, reversalsOf } from "../domain/books/balance.ts"
import { createOf, paymentStatuses, pendingReasons } from "../domain/Payment.ts"
import { isOpen } from "../domain/Operation.ts"
import type { Operation } from "../domain/Operation.ts"
import type { Customer, Payment, PaymentRecord } from "../domain/Payment.ts"
import { rails } from "../domain/PaymentMethod.ts"
import type { PaymentMethod } from "../domain/PaymentMethod.ts"
import { isHoldWanted } from "../domain/books/reversal.ts"
import { reviewReasons } from "../domain/Review.ts"
import type { Review } from "../domain/Review.ts"
import { isBeingConfirmed } from "../domain/books/reviews.ts"
import { disputesJson, DisputeJson } from "./DisputeJson.ts"
import type { HostedUrl } from "./HostedPage.ts"
import {
  described,
  EndTime,
  failureJson,
  integer,
  iso,
  isoOrNull,
  Livemode,
  methodDescriptions,
  MinorUnits,
  optional,
  Provider,
  textField,
  textOrNull,
  Time
} from "./fields.ts"
import { NextActionJson, nextActionJson } from "./NextActionJson.ts"

const FailureCode = textOrNull("Why it failed: one of the codes of `failure`.")

const DetailsJson = Schema.Struct({
  upi: optional(
    Schema.Struct({
      flow: described(Schema.Literals(["intent", "qr", "collect"]), methodDescriptions.flow),
      vpa: optional(Schema.String, "The payer's UPI id.")
    }),
    "For a UPI payment."
  ),
  card: optional(
    Schema.Struct({
      network: textOrNull(methodDescriptions.cardNetwork),
      country: textOrNull(methodDescriptions.country),
      funding: textOrNull(methodDescriptions.funding),
      bin: textOrNull(methodDescriptions.bin)
    }),
    "For a card payment."
  ),
  stablecoin: optional(
    Schema.Struct({
      asset: textOrNull("The coin, such as `USDC`; `null`: not chosen yet."),
      network: textOrNull("The chain, such as `base`; `null`: not chosen yet.")
    }),
    "For a stablecoin payment."
  )
})

export const ReviewJson = Schema.Struct({
  id: textField("`rev_…`. It does not change while the review is open."),
  reason: described(
    Schema.Literals(reviewReasons),
    "Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome. `instance_not_configured`: the provider instance is not configured, so nothing can be inquired."
  ),
  provider: textField("The provider instance that has the money."),
  reference: textOrNull(
    "The provider's reference of the charge, capture or refund in question. `null`: the provider reported none."
  ),
  operation: textOrNull("The operation in question, `op_…`. `null`: the payment has no operation for it."),
  amount: integer("The amount in question, in the smallest unit of the review's `currency`."),
  currency: textField("ISO 4217, as the provider reported it: it may differ from the payment's."),
  since: described(Time, "RFC 3339, UTC. When the review was opened.")
})
export type ReviewJson = typeof ReviewJson.Type

const Reference = textOrNull("The provider's reference, such as `pi_…`. `null`: the provider reported none.")

const AttemptJson = Schema.Struct({
  seq: integer("From 1."),
  provider: Provider,
  reference: Reference,
  status: textField(
    "The attempt's status. `not_executed`: the provider proved that it did nothing; the next one was tried."
  ),
  reason: textField("Why this provider was chosen."),
  code: FailureCode,
  vendor_code: textOrNull("The provider's own code."),
  reversal: optional(
    Schema.Literals(["pending", "succeeded", "failed"]),
    "The status of the reversal, for an attempt whose money is in excess of the payment."
  ),
  started_at: Time,
  ended_at: EndTime
})

const OperationJson = Schema.Struct({
  id: textField("`op_` and 26 characters that sort by time; in a cell also `_` and its name."),
  kind: described(Schema.Literals(["capture", "cancel"]), "The requested operation."),
  status: described(Schema.Literals(["pending", "succeeded", "failed"]), "The operation's status."),
  amount: MinorUnits,
  reference: Reference,
  code: FailureCode,
  created_at: Time,
  ended_at: EndTime
})

const AddressJson = Schema.Struct({
  line1: textField("Street and number."),
  line2: textOrNull("Apartment, floor or company."),
  city: textOrNull("City, town or village."),
  state: textOrNull("State, province or region."),
  postal_code: textOrNull("Postal code."),
  country: textField("ISO 3166-1, two capitals.")
})

export const PaymentJson = Schema.Struct({
  id: textField("`pay_` and 26 characters that sort by time; in a cell also `_` and its name."),
  object: described(Schema.Literal("payment"), "The type of the object."),
  livemode: Livemode,
  status: described(
    Schema.Literals(paymentStatuses),
    "`succeeded`, `failed` and `canceled` are final, except for money that arrives late. `authorized`: the money is held and waits for a capture."
  ),
  pending_reason: described(
    Schema.NullOr(Schema.Literals(pendingReasons)),
    "Set only while the payment is pending. `outcome_unknown`: a provider has not reported the outcome; the server inquires until it is known."
  ),
  amount: MinorUnits,
  amount_captured: integer("The captured amount."),
  amount_refunded: integer("The refunded amount."),
  amount_received: optional(
    Schema.Int,
    "The received amount, where it differs from `amount`. If it is less than `amount` on a succeeded payment, an operator has accepted it. While a stablecoin payment is pending, it is the amount detected so far, final or not."
  ),
  currency: textField("ISO 4217, in capitals."),
  payment_method: described(Schema.Literals(rails), "How the payer pays."),
  payment_method_details: described(
    DetailsJson,
    "Details under the name of the payment method. Tokens are not returned."
  ),
  capture_method: described(Schema.Literals(["automatic", "manual"]), "As requested."),
  description: textOrNull("As requested."),
  customer: described(
    Schema.Struct({
      email: textOrNull("The payer's e-mail address."),
      phone: textOrNull("The payer's phone number: `+`, country code and digits, without separators."),
      name: textOrNull("The payer's name."),
      address: described(Schema.NullOr(AddressJson), "The billing address.")
    }),
    "As requested."
  ),
  metadata: described(Schema.Record(Schema.String, Schema.String), "As requested."),
  return_url: textOrNull("As requested."),
  order: optional(Schema.String, "As requested. Absent: none."),
  next_action: described(Schema.NullOr(NextActionJson), "The next step of the payer, by its `type`. `null`: none."),
  hosted_url: textOrNull(
    "A page on which the payer completes the payment and sees its result. Anyone with the link can open it. `null`: this server serves no payment page."
  ),
  failure: failureJson("Whether a new payment may succeed."),
  overpayment: optional(
    Schema.Int,
    "Captured in excess of the payment and not returned yet, at all its providers together. Absent: nothing. Not part of `amount_captured`."
  ),
  reviews: described(
    Schema.Array(ReviewJson),
    "The open questions for an operator: one review for each charge or operation in question."
  ),
  late: optional(Schema.Boolean, "`true`: the money arrived after the payment had failed."),
  disputed_at: optional(Time, "RFC 3339, UTC. When the payer first disputed it."),
  amount_disputed: optional(
    Schema.Int,
    "The disputed amount of open and lost disputes together, at most the captured amount. It reduces the refundable amount. Absent: none."
  ),
  disputes: optional(Schema.Array(DisputeJson), "One for each dispute of its charges. Absent: there was none."),
  provider: textField("The provider instance that took the money, otherwise the latest that was tried."),
  routing: described(
    Schema.Struct({
      rule: textField("The routing rule that matched; `default` if none did."),
      ruleset: textField("The digest of the rules that were in force."),
      reason: textField("How the rule chose, such as `priority` or `split`."),
      dropped: described(
        Schema.Array(
          Schema.Struct({
            provider: textField("A provider instance that the rule named."),
            reason: textField(
              "Why it was not a candidate, such as `currency_not_supported`, `amount_too_large`, `excluded`, `outage: maintenance` or `breaker_open`."
            )
          })
        ),
        "Providers that were not candidates, and why."
      ),
      experiment: Schema.optionalKey(
        described(
          Schema.Struct({
            name: textField("Its name in the rules."),
            arm: textField("The provider that the payment was assigned to, whichever provider took it.")
          }),
          "The experiment that the payment is part of, if the rule is one."
        )
      )
    }),
    "Why the providers were tried in this order."
  ),
  attempts: described(Schema.Array(AttemptJson), "One for each provider that was tried, in order."),
  operations: described(Schema.Array(OperationJson), "The requested captures and cancels."),
  version: integer("Increases with every change: of two copies, the greater version is the newer."),
  created_at: Time,
  updated_at: Time
}).annotate({ identifier: "Payment" })
export type PaymentJson = typeof PaymentJson.Type

/** The schema of a payment. Its keys are in a fixed order, so that equal payments have equal bytes. */
export const paymentJson = (record: PaymentRecord, hostedUrl: HostedUrl): PaymentJson => {
  const { attempts, operations, payment } = record
  const { routing, state } = payment
  const { dropped, experiment, reason, rule, ruleset } = routing
  const page = hostedUrl(payment.id)
  const tooMuch = isPlain(record) ? 0 : overpayment(record)
  return {
    id: payment.id,
    object: "payment",
    livemode: payment.livemode,
    status: state.status,
    pending_reason: state.status === "pending" ? state.reason : null,
    amount: payment.amount.minorUnits,
    amount_captured: payment.amountCaptured,
    amount_refunded: payment.amountRefunded,
    ...amountReceived(payment),
    currency: payment.amount.currency,
    payment_method: payment.method.rail,
    payment_method_details: details(payment.method),
    capture_method: payment.captureMethod,
    description: payment.description,
    customer: customerJson(payment.customer),
    metadata: payment.metadata,
    return_url: payment.returnUrl,
    ...(payment.order !== null && { order: payment.order }),
    next_action: nextAction(payment, page),
    hosted_url: page,
    failure: state.status === "failed" ? state.failure : null,
    ...(tooMuch !== 0 && { overpayment: tooMuch }),
    reviews: payment.reviews.map(reviewJson),
    ...(state.status === "succeeded" && state.late && { late: true }),
    ...disputesJson(record),
    provider: payment.provider,
    routing: {
      rule,
      ruleset,
      reason,
      dropped,
      ...(experiment !== undefined && { experiment: { name: experiment.name, arm: experiment.arm } })
    },
    attempts: attempts.map((attempt) => ({
      seq: attempt.seq,
      provider: attempt.provider,
      reference: createOf(record, attempt.seq)?.reference ?? null,
      status: attempt.status,
      reason: attempt.reason,
      code: attempt.code,
      vendor_code: attempt.vendorCode,
      ...(attempt.isOverpayment && { reversal: reversalOf(record, attempt) }),
      started_at: iso(attempt.startedAt),
      ended_at: isoOrNull(attempt.endedAt)
    })),
    operations: operations.flatMap(operationJson),
    version: payment.version,
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.updatedAt)
  }
}

const customerJson = ({ address, email, name, phone }: Customer): PaymentJson["customer"] => ({
  email,
  phone,
  name,
  address:
    address === null
      ? null
      : {
          line1: address.line1,
          line2: address.line2,
          city: address.city,
          state: address.state,
          postal_code: address.postalCode,
          country: address.country
        }
})

/** The received amount; while a transfer is awaited, the amount detected on the chain so far. */
const amountReceived = ({ amountReceived, state }: Payment): { readonly amount_received?: number } => {
  const received = amountReceived ?? (state.status === "pending" ? state.detected : undefined)
  return received === undefined ? {} : { amount_received: received }
}

export const reviewJson = (review: Review): ReviewJson => ({
  id: review.id,
  reason: review.reason,
  provider: review.provider,
  reference: review.reference,
  operation: review.operationId,
  amount: review.minorUnits,
  currency: review.currency,
  since: iso(review.since)
})

/**
 * The status of an attempt's reversal. If the engine cannot return an excess amount, the status is `failed` until the
 * amount is returned manually.
 */
const reversalOf = (record: PaymentRecord, attempt: Attempt) => {
  const isUnderWay = (["refund", "cancel"] as const).some((kind) => reversalsOf(record, attempt, kind).some(isOpen))
  if (isUnderWay || isBeingConfirmed(record, attempt)) return "pending"
  const isLeft = chargesOf(record, attempt).some(
    (charge) => overpaid(charge) > 0 || (charge.held > 0 && !isHoldWanted(attempt))
  )
  return isLeft ? "failed" : "succeeded"
}

const operationJson = (operation: Operation): PaymentJson["operations"] => {
  const { code, createdAt, endedAt, id, kind, minorUnits, purpose, reference, status } = operation
  if (purpose !== "requested" || (kind !== "capture" && kind !== "cancel")) return []
  return [
    {
      id,
      kind,
      status: isOpen(operation) ? "pending" : status === "succeeded" ? "succeeded" : "failed",
      amount: minorUnits,
      reference,
      code,
      created_at: iso(createdAt),
      ended_at: isoOrNull(endedAt)
    }
  ]
}

/** The bytes of the public JSON, for responses, idempotency keys and event rows. */
export const paymentBody = (record: PaymentRecord, hostedUrl: HostedUrl): string =>
  JSON.stringify(paymentJson(record, hostedUrl))

/** The details of a payment method, without tokens, which are credentials. */
const details = (method: PaymentMethod): PaymentJson["payment_method_details"] => {
  switch (method.rail) {
    case "upi":
      return { upi: { flow: method.flow, ...(method.vpa !== null && { vpa: method.vpa }) } }
    case "card": {
      const { bin, country, funding, network } = method
      return { card: { network, country, funding, bin } }
    }
    case "stablecoin":
      return { stablecoin: { asset: method.asset, network: method.network } }
  }
}

const nextAction = ({ state }: Payment, page: string | null): PaymentJson["next_action"] =>
  state.status === "pending" && state.nextAction !== null
    ? nextActionJson(state.nextAction, page === null ? null : `${page}/qr.svg`)
    : null
