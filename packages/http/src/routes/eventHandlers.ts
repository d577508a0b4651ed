/** Handlers of events: they return each event exactly as in a webhook. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentStore } from "@paymux/core/store"
import { eventBody, isEventId } from "@paymux/core/wire"
import { currentTenant } from "../auth/Authentication.ts"
import { Api } from "./Api.ts"
import { ApiProblem, mapStoreError } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import { eventCursors } from "../request/Cursor.ts"
import { notePayment } from "../request/RequestNote.ts"
import { lineOf, ReadShare } from "../server/ReadShare.ts"
import { readEvents } from "./EventList.ts"
import { jsonResponse } from "./jsonResponse.ts"
import type { ReturnKey } from "../request/ReturnAddress.ts"
import { queryOf } from "../request/QueryParameters.ts"

/** Creates the handlers of events. Cursors of events are signed with `returnKey`. */
export const eventHandlers = (returnKey: ReturnKey) =>
  HttpApiBuilder.group(Api, "events", (handlers) =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const reads = yield* ReadShare
      const cursors = eventCursors(returnKey)
      return handlers
        .handleRaw(
          "list",
          Effect.fnUntraced(
            function* ({ request }) {
              const tenant = yield* currentTenant
              return jsonResponse(yield* reads.run(lineOf(tenant), readEvents(tenant, queryOf(request.url), cursors)))
            },
            Effect.provideService(PaymentStore, store),
            answered
          )
        )
        .handleRaw(
          "get",
          Effect.fnUntraced(function* ({ params: { id } }) {
            if (!isEventId(id)) return yield* notFound
            const { account, livemode } = yield* currentTenant
            const event = yield* mapStoreError(store.findEvent(id))
            if (event?.account !== account || event.livemode !== livemode) return yield* notFound
            yield* notePayment(event.paymentId)
            return jsonResponse(eventBody(event))
          }, answered)
        )
    })
  )

const notFound = new ApiProblem({ code: "not_found", detail: "There is no such event in this account and mode." })
