/** The events of an account and mode, as webhooks report them. */
import { EventJson } from "@paymux/core/wire"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { listEvents } from "../../operations/events/listEvents.ts"
import { described } from "../described.ts"
import { idParams } from "../fields.ts"

export class EventsGroup extends HttpApiGroup.make("events")
  .add(
    listEvents.endpoint,
    HttpApiEndpoint.get("get", "/events/:id", { params: idParams, success: EventJson })
      .annotateMerge(read)
      .annotateMerge(described("Read an event", "Its body, as it is delivered."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Events" })) {}
