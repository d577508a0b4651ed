/** What was sent to the webhook endpoints of an account and mode. */
import { eventTypes } from "@paymux/core/store"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read, write } from "../../access/Permission.ts"
import { described } from "../described.ts"
import {
  idParams,
  pageOf,
  pageQuery,
  tenantParams,
  Text,
  Time,
  TimeOfBody,
  TimeParameter,
  timeQuery
} from "../fields.ts"

const Delivery = Schema.Struct({
  eventId: Schema.String,
  type: Schema.NullOr(Schema.Literals(eventTypes)).annotate({ description: "Of the event." }),
  paymentId: Schema.NullOr(Schema.String).annotate({ description: "Of the event." }),
  endpointId: Schema.String,
  status: Schema.Literals(["pending", "delivered", "dead", "canceled"]),
  happenedAt: Time,
  attempts: Schema.Int,
  nextTryAt: Schema.NullOr(Time),
  lastAt: Schema.NullOr(Time),
  lastStatus: Schema.NullOr(Schema.Int),
  lastError: Schema.NullOr(Schema.String),
  lastAnswer: Schema.NullOr(Schema.String).annotate({ description: "The beginning of the last response body." })
}).annotate({ identifier: "WebhookDelivery" })

const Attempt = Schema.Struct({
  attempt: Schema.Int,
  endedAt: Time,
  duration: Schema.Number.annotate({ description: "ms" }),
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebhookAttempt" })

export const Resend = Schema.Struct({
  endpointId: Schema.optionalKey(Schema.String).annotate({ description: "Default: all that it was for." })
}).annotate({ identifier: "Resend" })

const Resent = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      endpointId: Schema.String,
      outcome: Schema.Literals(["resent", "endpoint_disabled", "endpoint_removed", "in_flight"])
    })
  )
}).annotate({ identifier: "Resent" })

export const ResendSince = Schema.Struct({
  since: TimeOfBody,
  endpointId: Schema.optionalKey(Schema.String).annotate({ description: "Default: all." })
}).annotate({ identifier: "ResendSince" })

const Count = Schema.Struct({ count: Schema.Int })

export class DeliveriesGroup extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/deliveries", {
      params: tenantParams,
      query: {
        endpointId: Schema.optionalKey(Text),
        status: Schema.optionalKey(Schema.Literals(["pending", "delivered", "dead", "canceled", "failed"])),
        eventId: Schema.optionalKey(Text),
        paymentId: Schema.optionalKey(Text),
        types: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(eventTypes))),
        ...timeQuery,
        ...pageQuery
      },
      success: pageOf(Delivery)
    })
      .annotateMerge(read)
      .annotateMerge(described("List webhook deliveries", "By the time of the event, latest first.")),
    HttpApiEndpoint.get("attempts", "/events/:id/attempts", {
      params: idParams,
      query: { endpointId: Text },
      success: Schema.Struct({ data: Schema.Array(Attempt) })
    })
      .annotateMerge(read)
      .annotateMerge(described("List the attempts of a delivery", "First to last.")),
    HttpApiEndpoint.post("resend", "/events/:id/resend", { params: idParams, payload: Resend, success: Resent })
      .annotateMerge(write("developer"))
      .annotateMerge(described("Send an event again", "Under its id, with the full retry schedule.")),
    HttpApiEndpoint.get("countSince", "/deliveries/undelivered", {
      params: tenantParams,
      query: { since: TimeParameter, endpointId: Schema.optionalKey(Text) },
      success: Count
    })
      .annotateMerge(read)
      .annotateMerge(described("Count undelivered events", "What `resend` would send again.")),
    HttpApiEndpoint.post("resendSince", "/deliveries/resend", {
      params: tenantParams,
      payload: ResendSince,
      success: Count
    })
      .annotateMerge(write("developer"))
      .annotateMerge(described("Send undelivered events again", "To endpoints that are not disabled."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Webhook deliveries" })) {}
