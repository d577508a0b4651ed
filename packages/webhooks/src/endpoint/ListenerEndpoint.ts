/** The endpoint that represents the embedding program while it has an `onEvent` listener. */
import { Clock, Effect } from "effect"
import { WebhookEndpoints } from "./Endpoints.ts"
import type { EventListener } from "../delivery/ListenerAttempt.ts"

/**
 * Adds the endpoint. The returned `stay` adds it again if it is removed while the program runs, since the listener
 * would otherwise miss events until the next start.
 */
export const make = Effect.fnUntraced(function* ({ tenant }: EventListener, every: number) {
  const endpoints = yield* WebhookEndpoints
  const { id } = yield* endpoints.addProcess(tenant)
  let lookedAt = yield* Clock.currentTimeMillis
  const stay = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // Checks once per interval. The difference is absolute, since the clock may have been set back.
    if (Math.abs(now - lookedAt) < every) return
    const { added } = yield* endpoints.addProcess(tenant)
    lookedAt = now
    if (added) {
      yield* Effect.logWarning(
        `Webhooks: ${id} was removed while this program uses it (onEvent), so it was added again. To remove it, first start ` +
          `the program without onEvent. To resend canceled events: paymux webhooks resend --since … --endpoint ${id}.`
      )
    }
  })
  return { id, stay }
})
