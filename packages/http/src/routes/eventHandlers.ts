/** Handlers of events: they return each event exactly as in a webhook. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentStore } from "@paymux/core/store"
import { eventBody, isEventId } from "@paymux/core/wire"
import { currentTenant } from "../auth/Authentication.ts"
import { Api } from "./Api.ts"
import { ApiProblem, mapStoreError } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import { eventCursors } from "../request/Cursor.ts"
import type { EventCursors } from "../request/Cursor.ts"
import { CurrentRequestNote } from "../request/RequestNote.ts"
import { ReadShare } from "../server/ReadShare.ts"
import { readEvents } from "./EventList.ts"
import { jsonResponse } from "./jsonResponse.ts"
import type { ReturnKey } from "../request/ReturnAddress.ts"
import { queryOf } from "../request/QueryParameters.ts"

/** `returnKey`: signs cursors. */
export const eventHandlers = (returnKey: ReturnKey) =>
  HttpApiBuilder.group(Api, "events", (handlers) =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const list = answerList(yield* ReadShare, eventCursors(returnKey))
      return handlers
        .handleRaw("list", ({ request }) => answered(Effect.provideService(list(request), PaymentStore, store)))
        .handleRaw("get", ({ params }) => answered(getEvent(store, params.id)))
    })
  )

const answerList = (reads: ReadShare["Service"], cursors: EventCursors) =>
  Effect.fnUntraced(function* ({ url }: HttpServerRequest.HttpServerRequest) {
    const tenant = yield* currentTenant
    const list = Effect.map(readEvents(tenant, queryOf(url), cursors), (body) => jsonResponse(body))
    return yield* reads.run(`/v1 ${tenant.account} ${tenant.livemode}`, list)
  })

const getEvent = Effect.fnUntraced(function* (store: PaymentStore["Service"], id: string) {
  if (!isEventId(id)) return yield* notFound
  const tenant = yield* currentTenant
  const event = yield* mapStoreError(store.findEvent(id))
  const isOwn = event?.account === tenant.account && event.livemode === tenant.livemode
  if (event === null || !isOwn) return yield* notFound
  const note = yield* CurrentRequestNote
  if (note !== null) note.paymentId = event.paymentId
  return jsonResponse(eventBody(event))
})

const notFound = new ApiProblem({ code: "not_found", detail: "There is no such event in this account and mode." })
