import { eventTypes } from "@paymux/core/store"
import { listEvents as queryEvents } from "@paymux/sql"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { defaultLimit, pageOf, pageQuery, tenantParams, Text, Time, timeQuery } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"

const Event = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(eventTypes),
  paymentId: Schema.String,
  sequence: Schema.Int.annotate({ description: "The number of the payment's event, from 1 without gaps." }),
  createdAt: Time
}).annotate({ identifier: "LoggedEvent" })

/** Lists the events of an account and mode, as webhooks report them. */
export const listEvents = Operation.make(
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
  Effect.fnUntraced(function* ({ limit = defaultLimit, ...query }) {
    return yield* queryEvents(yield* CurrentTenant, { ...query, limit }).pipe(
      Effect.catchTag("EventCursorInvalid", Operation.refuseCursor)
    )
  }),
  {}
)
