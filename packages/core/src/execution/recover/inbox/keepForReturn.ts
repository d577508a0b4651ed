/**
 * Stores webhooks for a provider instance that is not configured but has operations: the instance was removed, or this
 * server has another configuration than the server that made the operations. The webhooks are read when the instance is
 * configured again.
 *
 * Such a webhook cannot be verified before the instance is configured again, and any client can send one. So a new
 * webhook never replaces a stored webhook: at a limit the response asks the provider to send the new webhook again. A
 * refused request costs one index probe, and only a few such requests run at once.
 */
import { Clock, Data, Effect, Semaphore } from "effect"
import { PaymentStore } from "../../../store/PaymentStore.ts"
import { WebhookNotTaken } from "./WebhookNotTaken.ts"
import { oncePerHour } from "./oncePerHour.ts"

/** The error if too many webhooks are stored for a provider instance that is not configured. Nothing was stored. */
export class KeptWebhooksFull extends Data.TaggedError("KeptWebhooksFull")<{ readonly provider: string }> {}

/**
 * The limits on stored webhooks of a provider instance, in number and bytes.
 *
 * @internal Exported for its own test.
 */
export const keptWebhookLimits = { requests: 1_000, bytes: 16 * 1024 * 1024 } as const

export const keepForReturn = Effect.gen(function* () {
  const { keptWebhooks, now } = yield* PaymentStore
  const refusals = new Map<string, { readonly until: number; readonly refusal: WebhookNotTaken | KeptWebhooksFull }>()
  const logged = oncePerHour()
  const few = Semaphore.makeUnsafe(mostAtOnce).withPermits(1)

  const refuse = Effect.fnUntraced(function* (provider: string, refusal: WebhookNotTaken | KeptWebhooksFull) {
    if (refusals.size >= mostRefusals) refusals.clear()
    refusals.set(provider, { until: (yield* Clock.currentTimeMillis) + refusedFor, refusal })
    return yield* refusal
  })

  const keep = Effect.fnUntraced(function* (
    provider: string,
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ) {
    const livemode = yield* keptWebhooks.modeOf(provider)
    if (livemode === null) return yield* refuse(provider, new WebhookNotTaken({ provider }))
    const webhook = { provider, livemode, body, headers, receivedAt: yield* now }
    if (!(yield* keptWebhooks.keep(webhook, keptWebhookLimits))) {
      return yield* refuse(provider, new KeptWebhooksFull({ provider }))
    }
    yield* logged(
      provider,
      Effect.logWarning(
        `A webhook of "${provider}" was kept: the instance is not configured and has payments. It is verified when the instance is configured again.`
      )
    )
    return "kept" as const
  }, few)

  return Effect.fnUntraced(function* (
    provider: string,
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ) {
    if (provider.length > longestId) return yield* new WebhookNotTaken({ provider })
    const refused = refusals.get(provider)
    if (refused !== undefined && refused.until > (yield* Clock.currentTimeMillis)) return yield* refused.refusal
    return yield* keep(provider, body, headers)
  })
})

/**
 * The maximum number of concurrent look-ups and writes: a flood of requests must not take the database connections from
 * payments.
 */
const mostAtOnce = 4
/** The time for which a refusal is cached, ms, and the maximum number of cached refusals. */
const refusedFor = 5_000
const mostRefusals = 1_000
/** The maximum length of a provider instance's id. */
const longestId = 64
