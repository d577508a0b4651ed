import type { Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { EventId } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import { Effect } from "effect"

/** The body of an event, as it is delivered: JSON text. `null`: this account and mode has no such event. */
export const findEvent = Effect.fnUntraced(function* ({ account, livemode }: Tenant, id: string) {
  // Boundary: another text is the id of no event. PostgreSQL refuses one with a NUL.
  if (!/^evt_[0-9a-z]{1,40}$/.test(id)) return null
  const event = yield* PaymentStore.use((store) => store.findEvent(id as EventId))
  return event === null || event.account !== account || event.livemode !== livemode ? null : eventBody(event)
})
