/**
 * What a store provides for webhooks that cannot be verified, because their instance is not configured. They are kept as they
 * were received, until the instance returns.
 */
import type { Effect } from "effect"
import type { Claim } from "./InboxStore.ts"
import type { PruneQuery } from "./RetentionStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An instance as its operations know it: the same id in the other mode is another instance. */
export interface InstanceOfMode {
  readonly provider: string
  readonly livemode: boolean
}

/** A webhook as it was received. */
export interface UnverifiedWebhook extends InstanceOfMode {
  readonly body: Uint8Array
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** ms UTC, the store's clock */
  readonly receivedAt: number
}

export interface KeptWebhook extends UnverifiedWebhook {
  /** Made by the store. */
  readonly position: number
  /** How often its instance has rejected it. */
  readonly rejections: number
}

/** Of one instance. */
export interface KeptWebhookLimits {
  readonly requests: number
  /** Of bodies and headers. */
  readonly bytes: number
}

export interface KeptWebhookCount extends InstanceOfMode {
  readonly requests: number
  readonly bytes: number
  /** ms UTC */
  readonly oldestReceivedAt: number
}

export interface KeptWebhookStore {
  /** The mode of the instance's latest operation; `null`: there is no operation of it. Its cost does not grow with their number. */
  readonly modeOf: (provider: string) => Effect.Effect<boolean | null, StoreUnavailable>
  /** Durable, and due at once. `false`: a limit is reached; nothing was written. Concurrent calls do not exceed a limit. */
  readonly keep: (webhook: UnverifiedWebhook, limits: KeptWebhookLimits) => Effect.Effect<boolean, StoreUnavailable>
  /** The instances with a webhook that can be claimed at `now` (ms UTC), configured or not. */
  readonly dueInstances: (now: number) => Effect.Effect<ReadonlyArray<InstanceOfMode>, StoreUnavailable>
  /** Webhooks of one instance whose next try is due, claimed until `until`; those that were received first come first. */
  readonly claimDue: (
    claim: Claim & Pick<InstanceOfMode, "livemode">
  ) => Effect.Effect<ReadonlyArray<KeptWebhook>, StoreUnavailable>
  /** Sets the next try (ms UTC), and ends the claim. */
  readonly postpone: (
    webhook: Pick<KeptWebhook, "position" | "rejections">,
    nextTryAt: number
  ) => Effect.Effect<void, StoreUnavailable>
  /** No effect if it was removed before. */
  readonly remove: (position: number) => Effect.Effect<void, StoreUnavailable>
  /** Of each instance that has kept webhooks. For monitoring: its cost grows with the number of instances, and within the limits. */
  readonly counts: Effect.Effect<ReadonlyArray<KeptWebhookCount>, StoreUnavailable>
  /** Removes webhooks that were received before; returns how many. */
  readonly prune: (query: PruneQuery) => Effect.Effect<number, StoreUnavailable>
}

/** What a webhook counts for: its body, and its headers as JSON text. */
export const keptBytes = ({ body, headers }: Pick<UnverifiedWebhook, "body" | "headers">): number =>
  body.byteLength + JSON.stringify(headers).length
