/** The query of `GET /v1/events`, decoded strictly: an unknown or malformed parameter is rejected, not ignored. */
import type { Tenant } from "@paymux/core"
import { clockTolerance, eventTypes, PaymentStore, timeOfEventId } from "@paymux/core/store"
import type { EventsQuery } from "@paymux/core/store"
import { isEventId, isPaymentId } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import { mapStoreError } from "../problems/ApiProblem.ts"
import type { EventCursors } from "./Cursor.ts"
import { Limit } from "./ListParameters.ts"
import { queryDecoder, queryRefusal } from "./QueryParameters.ts"
import type { QueryValues } from "./QueryParameters.ts"

const Fields = Schema.Struct({
  after: Schema.optionalKey(Schema.String),
  types: Schema.optionalKey(
    Schema.Array(Schema.Literals(eventTypes)).check(
      Schema.isMaxLength(100, { message: "may be repeated 100 times at most" })
    )
  ),
  payment: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text: string) => isPaymentId(text) || "must be the id of a payment: pay_…"))
  ),
  limit: Schema.optionalKey(Limit)
})

const decode = queryDecoder(Fields, ["types"])

export const eventsQuery = Effect.fnUntraced(function* (values: QueryValues, tenant: Tenant, cursors: EventCursors) {
  const { after, limit = "20", payment, types = [] } = yield* decode(values)
  return {
    after: after === undefined ? null : yield* startOf(after, tenant, cursors),
    types,
    paymentId: payment !== undefined && isPaymentId(payment) ? payment : null,
    limit: Number(limit)
  } satisfies EventsQuery
})

/**
 * Returns the id of the event after which the page begins, from a cursor or from the id of an event of the same account
 * and mode.
 */
const startOf = Effect.fnUntraced(function* (after: string, tenant: Tenant, cursors: EventCursors) {
  const start = cursors.read(tenant, after)
  if (start !== null) return start
  if (!isEventId(after)) return yield* notOwn
  const store = yield* PaymentStore
  const event = yield* mapStoreError(store.findEvent(after))
  // An unknown event id is accepted, since its event may have been deleted. An id whose time is in the future is
  // rejected, since it was never issued.
  if (event === null) return timeOfEventId(after) > (yield* store.now) + clockTolerance ? yield* ofTheFuture : after
  const isOwn = event.account === tenant.account && event.livemode === tenant.livemode
  return isOwn ? after : yield* notOwn
})

const ofTheFuture = queryRefusal([{ pointer: "after", message: "is an event of the future" }])

const notOwn = queryRefusal([
  { pointer: "after", message: "must be a next_cursor or the id of an event, both of this account and mode" }
])
