/** The events of an account and mode, as webhooks report them. */
import { eventTypes } from "@paymux/core/store"
import { EventJson } from "@paymux/core/wire"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { idParams, pageOf, pageQuery, tenantParams, Text, Time, timeQuery } from "../fields.ts"

const Event = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(eventTypes),
  paymentId: Schema.String,
  sequence: Schema.Int.annotate({ description: "The number of the payment's event, from 1 without gaps." }),
  createdAt: Time
}).annotate({ identifier: "LoggedEvent" })

export class EventsGroup extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/events", {
      params: tenantParams,
      query: {
        types: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(eventTypes))),
        paymentId: Schema.optionalKey(Text),
        ...timeQuery,
        ...pageQuery
      },
      success: pageOf(Event)
    })
      .annotateMerge(read)
      .annotateMerge(described("List events", "Newest first, without their bodies.")),
    HttpApiEndpoint.get("get", "/events/:id", { params: idParams, success: EventJson })
      .annotateMerge(read)
      .annotateMerge(described("Read an event", "Its body, as it is delivered."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Events" })) {}
