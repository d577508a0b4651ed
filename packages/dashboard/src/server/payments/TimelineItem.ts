/**
 * The items of a payment's timeline. Times are ms UTC. None has a secret. None has a field about the customer; what an operator
 * wrote as evidence stands in `document`, for viewers too, as with the reviews: it says why the payment is as it is. An erasure
 * removes it.
 */
import {
  entryBases,
  entryKinds,
  eventTypes,
  operationKinds,
  operationPurposes,
  reviewReasons
} from "@paymux/core/store"
import { Schema } from "effect"

const Time = Schema.Int.annotate({ description: "ms UTC" })
const Text = Schema.NullOr(Schema.String)
const Provider = Schema.String.annotate({ description: "The provider instance." })
const Amount = Schema.Int.annotate({ description: "In the smallest unit of the currency." })
const Providers = Schema.Array(Schema.Struct({ provider: Provider, reason: Schema.String }))

const item = <Kind extends string, Fields extends Schema.Struct.Fields>(
  kinds: readonly [Kind, ...ReadonlyArray<Kind>],
  fields: Fields
) => Schema.Struct({ at: Time, kind: Schema.Literals(kinds), ...fields })

const Review = Schema.Struct({
  id: Schema.String,
  reason: Schema.Literals(reviewReasons),
  amount: Schema.Int,
  currency: Schema.String,
  resolution: Text.annotate({ description: "By an operator; `null`: open, or resolved by a later report." })
})

export const TimelineItem = Schema.Union([
  item(["created"], {
    amount: Amount,
    currency: Schema.String,
    paymentMethod: Schema.String,
    captureMethod: Schema.String
  }),
  item(["routed"], {
    rule: Schema.String,
    ruleset: Schema.String,
    reason: Schema.String,
    candidates: Providers,
    dropped: Providers.annotate({ description: "Providers that were not candidates, and why." })
  }),
  item(["attempt_started"], { attempt: Schema.Int, provider: Provider, reason: Schema.String }),
  item(["attempt_ended"], {
    attempt: Schema.Int,
    provider: Provider,
    status: Schema.String,
    code: Text,
    vendorCode: Text
  }),
  item(["operation_started", "operation_ended"], {
    operation: Schema.String,
    operationKind: Schema.Literals(operationKinds),
    purpose: Schema.Literals(operationPurposes),
    attempt: Schema.Int,
    provider: Provider,
    amount: Amount,
    currency: Schema.String,
    status: Schema.String.annotate({ description: "As it is now." }),
    code: Text,
    vendorCode: Text,
    reference: Text
  }),
  item(["evidence"], {
    operation: Schema.String,
    source: Schema.String,
    outcome: Schema.String,
    vendorCode: Text,
    eventId: Text.annotate({ description: "The provider's id of its event." }),
    document: Text.annotate({
      description: "The digest of a webhook, or the text of an operator, who may have named the customer."
    }),
    occurredAt: Schema.NullOr(Time).annotate({ description: "By the provider's clock." })
  }),
  item(["entry"], {
    entry: Schema.Literals(entryKinds),
    basis: Schema.Literals(entryBases),
    amount: Amount,
    currency: Schema.String,
    attempt: Schema.Int,
    operation: Text,
    provider: Provider,
    reference: Text,
    source: Schema.String
  }),
  item(["event"], {
    event: Schema.String,
    type: Schema.Literals(eventTypes),
    sequence: Schema.Int,
    review: Schema.NullOr(Review).annotate({ description: "Of the events that open and resolve a review." })
  }),
  item(["delivery"], {
    event: Schema.String,
    endpoint: Schema.String,
    status: Schema.String,
    attempts: Schema.Int,
    nextTryAt: Schema.NullOr(Time)
  }),
  item(["delivery_attempt"], {
    event: Schema.String,
    endpoint: Schema.String,
    attempt: Schema.Int,
    duration: Schema.Number.annotate({ description: "ms" }),
    status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null`: no response." }),
    error: Text
  })
]).annotate({ identifier: "TimelineItem" })
export type TimelineItem = typeof TimelineItem.Type
export type TimelineReview = typeof Review.Type
