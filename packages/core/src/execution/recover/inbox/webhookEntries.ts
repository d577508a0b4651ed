/** Converts the events of a webhook, as its adapter reads them, to new entries of the inbox. */
import { Effect, Predicate } from "effect"
import { sha256 } from "../../../domain/sha256.ts"
import type { Evidence } from "../../../domain/Evidence.ts"
import type { WebhookRefused } from "../../../provider/ProviderError.ts"
import { logUnusableAction } from "../../../provider/logUnusableAction.ts"
import type { ProviderRegistry } from "../../../provider/ProviderRegistry.ts"
import { readEvidence } from "../../../provider/validity.ts"
import { withDeadline } from "../../../resilience/deadline.ts"
import { eventKey } from "../../../store/eventKey.ts"
import type { InboxEntry } from "../../../store/PaymentStore.ts"
import { matchDelay } from "./matchDelay.ts"
import { timings } from "../../timings.ts"

interface Services {
  readonly registry: ProviderRegistry["Service"]
}

/**
 * Creates the inbox entries of a webhook. `verify` is the adapter's verification of `body`, and `now` the start of the
 * entries' waiting time.
 */
export const webhookEntries = Effect.fnUntraced(function* (
  services: Services,
  provider: string,
  verify: Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>,
  body: Uint8Array,
  now: number
): Effect.fn.Return<ReadonlyArray<InboxEntry>, WebhookRefused> {
  const reported = yield* verified(provider, verify)
  const document = `sha256:${yield* sha256(body)}`
  return yield* Effect.forEach(withOwnIds(reported), (evidence, place) =>
    Effect.map(eventKey(evidence, `${document}:${place}`), (key) =>
      newEntry(services, provider, { ...evidence, source: "webhook" }, key, document, now)
    )
  )
})

const verified = Effect.fnUntraced(function* (
  provider: string,
  verify: Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>
) {
  const ended = yield* withDeadline(verify, timings.inquiry)
  if (ended === null) return yield* Effect.die(new Error(`${provider} did not verify a webhook in time`))
  const reported: ReadonlyArray<unknown> = yield* ended
  for (const each of reported) {
    if (Predicate.isObject(each)) yield* logUnusableAction(provider, each["outcome"])
  }
  const read = reported.flatMap((each) => readEvidence(each) ?? [])
  return read.length === reported.length
    ? read
    : yield* Effect.die(new Error(`${provider} returned invalid evidence for a webhook`))
})

/** Gives each report its own event id, since one event of a provider may contain several reports. */
const withOwnIds = (reported: ReadonlyArray<Evidence>): ReadonlyArray<Evidence> =>
  reported.map((evidence, place) => {
    const { eventId } = evidence
    const earlier = reported.slice(0, place).filter((other) => eventId !== null && other.eventId === eventId).length
    return earlier === 0 ? evidence : { ...evidence, eventId: `${String(eventId)}#${earlier + 1}` }
  })

export const newEntry = (
  { registry }: Services,
  provider: string,
  evidence: Evidence,
  key: string,
  document: string | null,
  now: number
): InboxEntry => ({
  provider,
  eventKey: key,
  evidence,
  document,
  status: "waiting",
  tries: 0,
  // The entry is applied immediately; `nextTryAt` is used only if the process crashes before.
  nextTryAt: now + matchDelay(0),
  receivedAt: now,
  livemode: modeOf(registry, provider),
  disposition: null
})

const modeOf = (registry: ProviderRegistry["Service"], provider: string): boolean | null => {
  const running = registry.get(provider)
  return running === null ? null : running.provider.mode === "live"
}
