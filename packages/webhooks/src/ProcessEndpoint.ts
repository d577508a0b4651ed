/** The endpoint that stands for the program itself, for as long as the program listens. */
import { Clock, Effect } from "effect"
import { WebhookEndpoints } from "./Endpoints.ts"
import type { ProcessListener } from "./ProcessTry.ts"

/** `stay`: somebody may remove it while the program runs, and events would pass the program by until its next start. */
export const make = Effect.fnUntraced(function* ({ tenant }: ProcessListener, every: number) {
  const endpoints = yield* WebhookEndpoints
  const { id } = yield* endpoints.addProcess(tenant)
  let lookedAt = yield* Clock.currentTimeMillis
  const stay = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - lookedAt < every) return
    const { added } = yield* endpoints.addProcess(tenant)
    lookedAt = now
    if (added) {
      yield* Effect.logWarning(
        `Webhooks: ${id} was removed while this program listens to it (onEvent), so it was added again. To end it, first ` +
          `start the program without onEvent. What was canceled: paymux webhooks resend --since … --endpoint ${id}.`
      )
    }
  })
  return { id, stay }
})
