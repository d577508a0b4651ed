/**
 * The inbox for provider webhooks, and for evidence from processes that adapters run (such as chain scanners). It
 * verifies, stores, and then applies them.
 *
 * Each event in a webhook is stored once, before the webhook is acknowledged. A report about an unknown payment waits,
 * since the report may arrive before the answer with the payment's reference.
 */
import { Context, Effect, Layer } from "effect"
import type { Cause } from "effect"
import { withoutNextAction } from "../../../domain/erasure.ts"
import { canonicalJson, sha256 } from "../../../domain/sha256.ts"
import type { Evidence } from "../../../domain/Evidence.ts"
import type { WebhookRefused } from "../../../provider/ProviderError.ts"
import { ProviderRegistry } from "../../../provider/ProviderRegistry.ts"
import type { KeptWebhook } from "../../../store/KeptWebhookStore.ts"
import { eventKey } from "../../../store/eventKey.ts"
import { PaymentStore } from "../../../store/PaymentStore.ts"
import type { InboxEntry, StoreUnavailable } from "../../../store/PaymentStore.ts"
import { encodeEvidence, wordOf } from "../../../store/StoredEvidence.ts"
import { engineMetrics } from "../../../telemetry/EngineMetrics.ts"
import type { EngineMetrics } from "../../../telemetry/EngineMetrics.ts"
import { Executor } from "../../Executor.ts"
import type { Advanced } from "../../conclude/advance.ts"
import { keepForReturn } from "./keepForReturn.ts"
import type { KeptWebhooksFull } from "./keepForReturn.ts"
import { logUnmatched } from "./keepUnmatched.ts"
import { matchDelay } from "./matchDelay.ts"
import { keptReader } from "./keptReader.ts"
import { WebhookNotTaken } from "./WebhookNotTaken.ts"
import { newEntry, webhookEntries } from "./webhookEntries.ts"
import { timings } from "../../timings.ts"

export { WebhookNotTaken } from "./WebhookNotTaken.ts"

/**
 * The result of receiving a webhook or evidence. `applied`: every report was applied, now or before. `kept`: some
 * reports wait, or the provider instance is not configured.
 */
type Received = "applied" | "kept"

export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Receives a provider's webhook, with its unchanged bytes and lower-case header names. If the adapter throws, the
     * effect dies with a defect, and the provider sends the webhook again. If the provider instance is not configured
     * and has operations, the webhook is stored until the instance is configured again.
     */
    readonly receive: (
      provider: string,
      body: Uint8Array,
      headers: { readonly [name: string]: string }
    ) => Effect.Effect<Received, WebhookNotTaken | WebhookRefused | KeptWebhooksFull | StoreUnavailable>
    /** Receives evidence from a process that an adapter runs. Returns when the evidence is applied or stored. */
    readonly observe: (provider: string, evidence: Evidence) => Effect.Effect<Received, StoreUnavailable>
    /** Applies a waiting inbox entry that was claimed. If this fails, the entry is due again when its claim ends. */
    readonly applyClaimed: (entry: InboxEntry) => Effect.Effect<void>
    /**
     * Verifies a stored webhook as of its receipt, because its provider instance is configured again, and applies it
     * like a new webhook.
     */
    readonly readClaimed: (webhook: KeptWebhook) => Effect.Effect<void>
  }
>()("@paymux/core/execution/Inbox") {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.suspend(() => make)
  )
}

interface Services {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly executor: Executor["Service"]
  readonly metrics: EngineMetrics
}

const make = Effect.gen(function* () {
  const services: Services = {
    store: yield* PaymentStore,
    registry: yield* ProviderRegistry,
    executor: yield* Executor,
    metrics: yield* engineMetrics
  }
  const keepUnverified = yield* keepForReturn
  return Inbox.of({
    receive: (provider, body, headers) =>
      services.registry.get(provider) === null
        ? keepUnverified(provider, body, headers)
        : receive(services, provider, body, headers),
    observe: (provider, evidence) => observe(services, provider, evidence),
    applyClaimed: (entry) => Effect.catchCause(Effect.asVoid(apply(services, entry)), logBroken(entry)),
    readClaimed: keptReader(services, (entries) => keepAndApply(services, entries))
  })
})

const receive = Effect.fnUntraced(function* (
  services: Services,
  provider: string,
  body: Uint8Array,
  headers: { readonly [name: string]: string }
) {
  const { registry, store } = services
  const verify = registry.get(provider)?.operations.webhook
  if (verify === undefined) return yield* new WebhookNotTaken({ provider })
  const now = yield* store.now
  return yield* keepAndApply(services, yield* webhookEntries(services, provider, verify(body, headers, now), body, now))
})

const observe = Effect.fnUntraced(function* (services: Services, provider: string, seen: Evidence) {
  const { executor, store } = services
  const evidence: Evidence = { ...seen, source: "observed" }
  const advanced = yield* executor.advance(evidence, { provider, document: null })
  if (isAboutUs(advanced)) return "applied"
  const key = yield* eventKey(evidence, yield* sha256(canonicalJson(encodeEvidence(evidence))))
  return yield* keepAndApply(services, [newEntry(services, provider, evidence, key, null, yield* store.now)])
})

/** Stores and applies inbox entries in the given order, since one webhook may report several changes of a payment. */
const keepAndApply = Effect.fnUntraced(function* (services: Services, entries: ReadonlyArray<InboxEntry>) {
  if (entries.length === 0) return "applied" as const
  const kept = yield* services.store.inbox.keep(entries)
  const statuses: Array<InboxEntry["status"]> = []
  for (const entry of kept) {
    // A report that cannot be applied now stays stored, and a later poll retries it.
    statuses.push(
      entry.status === "waiting"
        ? yield* Effect.catch(apply(services, entry), () => Effect.succeed("waiting" as const))
        : entry.status
    )
  }
  return statuses.every((status) => status === "applied") ? "applied" : "kept"
})

const apply = Effect.fnUntraced(function* (services: Services, entry: InboxEntry) {
  const { executor, store } = services
  const { document, evidence, provider } = entry
  const advanced = yield* executor.advance(evidence, { provider, document })
  const settled = yield* settledBy(services, entry, advanced)
  yield* store.inbox.settle(settled)
  return settled.status
})

const settledBy = (services: Services, entry: InboxEntry, advanced: Advanced) => {
  switch (advanced._tag) {
    case "Applied":
    case "Unchanged":
      return Effect.succeed(applied(entry))
    case "Unmatched":
      return unmatched(services, entry, advanced.owner)
    case "OfAnotherInstance":
      return Effect.as(logOtherInstance(entry, advanced.instance), parked(entry))
  }
}

const isAboutUs = ({ _tag }: Advanced): boolean => _tag === "Applied" || _tag === "Unchanged"

/**
 * Handles a report whose payment is not found. This depends on the owner of the reported operation:
 *
 * - `here`: the payment was lost. The report is parked for operators.
 * - `unknown`: the report may arrive before the answer that has its reference, so the report waits. After the waiting
 *   time it counts as a foreign charge: a charge that another system made at the same provider account.
 * - `elsewhere`: the report counts as a foreign charge immediately. Cells may share a provider account, whose reports
 *   then reach all of these cells.
 */
const unmatched = Effect.fnUntraced(function* (
  { metrics, store }: Services,
  entry: InboxEntry,
  owner: "here" | "elsewhere" | "unknown"
) {
  const { evidence, provider } = entry
  const now = yield* store.now
  const tries = entry.tries + 1
  // Parks a report (stores it for operators) if this installation lost its payment, or if an operator has matched it
  // but it cannot be applied. Such a report is never a foreign charge.
  if (owner === "here" || entry.disposition === "matched") {
    yield* logUnmatched(provider, evidence)
    return parked(entry)
  }
  if (owner === "unknown" && now - entry.receivedAt < timings.unmatched) {
    return { ...entry, tries, nextTryAt: now + matchDelay(tries) }
  }
  metrics.foreign(provider)
  return { ...applied({ ...entry, tries }), disposition: "foreign" as const }
})

const parked = (entry: InboxEntry): InboxEntry => ({
  ...entry,
  evidence: withoutNextAction(entry.evidence),
  tries: entry.tries + 1,
  status: "parked",
  nextTryAt: null
})

const logOtherInstance = ({ evidence, provider }: InboxEntry, instance: string) =>
  Effect.logError(
    `${provider} reports ${wordOf(evidence.outcome)} of an operation of ${instance}: the report is not applied and is listed as unmatched. ` +
      `If ${instance} was renamed to ${provider}, add formerly: "${instance}" to its options.`
  )

const applied = (entry: InboxEntry): InboxEntry => ({
  ...entry,
  evidence: withoutNextAction(entry.evidence),
  status: "applied",
  nextTryAt: null
})

const logBroken = (entry: InboxEntry) => (cause: Cause.Cause<unknown>) =>
  Effect.logWarning(`A report of ${entry.provider} (${entry.eventKey}) could not be applied yet`, cause)
