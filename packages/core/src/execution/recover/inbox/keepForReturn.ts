/**
 * Stores webhooks of an instance that is not configured but has operations: it was removed, or this server has another
 * configuration than the one that made them. They are read when the instance is configured again.
 *
 * Such a request cannot be verified before the instance returns, and any client can send one. So a stored webhook is
 * never replaced by a new one: at a limit the response asks the provider to send it again. A refused request costs one
 * index probe, and only a few run at once.
 */
import { Clock, Data, Effect, Semaphore } from "effect"
import { PaymentStore } from "../../../store/PaymentStore.ts"
import { WebhookNotTaken } from "./WebhookNotTaken.ts"
import { oncePerHour } from "./oncePerHour.ts"

/** The limit of stored webhooks of an instance that is not configured is reached; nothing was stored. */
export class KeptWebhooksFull extends Data.TaggedError("KeptWebhooksFull")<{ readonly provider: string }> {}

/** @internal Exported for its own test. */
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

/** Concurrent lookups and writes: a flood of requests must not take the database connections from payments. */
const mostAtOnce = 4
/** How long a refusal is cached in ms, and how many are cached. */
const refusedFor = 5_000
const mostRefusals = 1_000
/** The longest id of an instance. */
const longestId = 64
