/**
 * Reads webhooks that were stored while their provider instance was not configured: the adapter verifies the webhooks
 * as of their receipt, and their reports are applied like the reports of a new webhook. A webhook is deleted after its
 * reports are durable; reading a webhook twice is harmless.
 *
 * An instance may be configured again with a wrong secret, so a rejected webhook is retried for a day before it is
 * dropped. If an adapter does not verify webhooks as of their receipt, the time of the signature is unproven, so an
 * operator decides about the reports.
 */
import { Effect } from "effect"
import { withoutNextAction } from "../../../domain/erasure.ts"
import type { WebhookRefused } from "../../../provider/ProviderError.ts"
import type { ProviderRegistry } from "../../../provider/ProviderRegistry.ts"
import type { KeptWebhook } from "../../../store/KeptWebhookStore.ts"
import type { InboxEntry, PaymentStore, StoreUnavailable } from "../../../store/PaymentStore.ts"
import type { EngineMetrics } from "../../../telemetry/EngineMetrics.ts"
import { oncePerHour } from "./oncePerHour.ts"
import { webhookEntries } from "./webhookEntries.ts"

interface Services {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly metrics: EngineMetrics
}

/**
 * Creates the reader of stored webhooks. `apply` stores inbox entries and applies them, like the entries of a new
 * webhook.
 */
export const keptReader = (
  services: Services,
  apply: (entries: ReadonlyArray<InboxEntry>) => Effect.Effect<unknown, StoreUnavailable>
) => {
  const { registry, store } = services
  const logged = oncePerHour()

  const read = Effect.fnUntraced(function* (webhook: KeptWebhook) {
    const { body, headers, livemode, position, provider, receivedAt } = webhook
    const verify = registry.serving(provider, livemode)?.operations.webhook
    if (verify === undefined) return
    // The waiting time of reports about unknown payments starts now and not at the receipt: an inquiry, possible again
    // now, may find the payment's reference.
    const entries = yield* webhookEntries(services, provider, verify(body, headers, receivedAt), body, yield* store.now)
    if (verify.asOf === "receipt") yield* apply(entries)
    else yield* park(services, provider, entries)
    yield* store.keptWebhooks.remove(position)
  })

  return (webhook: KeptWebhook): Effect.Effect<void> =>
    read(webhook).pipe(
      Effect.catchTag("WebhookRefused", (refusal) =>
        Effect.andThen(
          logged(
            webhook.provider,
            Effect.logWarning(
              `"${webhook.provider}" rejected a kept webhook (${refusal.reason}). It is tried for a day. Check the webhook secrets of the instance.`
            )
          ),
          rejected(services, webhook, refusal)
        )
      ),
      Effect.catchCause((cause) =>
        Effect.andThen(
          logged(
            `${webhook.provider} broken`,
            Effect.logWarning(`A kept webhook of "${webhook.provider}" could not be read; it is tried again`, cause)
          ),
          // Does not count as a rejection: an error in the adapter or the database does not mean that the webhook is
          // invalid.
          Effect.ignore(postponed(services, webhook, webhook.rejections))
        )
      )
    )
}

const park = Effect.fnUntraced(function* ({ store }: Services, provider: string, entries: ReadonlyArray<InboxEntry>) {
  if (entries.length === 0) return
  yield* store.inbox.keep(
    entries.map((entry) => ({
      ...entry,
      evidence: withoutNextAction(entry.evidence),
      status: "parked" as const,
      nextTryAt: null
    }))
  )
  yield* Effect.logError(
    `A kept webhook of "${provider}" was parked: its adapter does not verify it as of its receipt. An operator has to match or dismiss it.`
  )
})

const rejected = Effect.fnUntraced(function* (services: Services, webhook: KeptWebhook, { reason }: WebhookRefused) {
  const rejections = webhook.rejections + 1
  if (rejections < mostRejections) return yield* postponed(services, webhook, rejections)
  yield* services.store.keptWebhooks.remove(webhook.position)
  services.metrics.keptWebhookDropped(webhook.provider, reason)
  yield* Effect.logWarning(`A kept webhook of "${webhook.provider}" was dropped: its instance rejects it (${reason})`)
})

const postponed = ({ store }: Services, { position }: KeptWebhook, rejections: number) =>
  Effect.flatMap(store.now, (now) => store.keptWebhooks.postpone({ position, rejections }, now + betweenTries))

/** The interval between tries to read a rejected webhook, ms. */
const betweenTries = 3_600_000
/** The number of rejections after which a webhook is dropped: about a day of hourly tries. */
const mostRejections = 24
