/**
 * The operations of a store for webhooks that cannot be verified, because their instance is not configured. They are kept
 * unchanged until the instance is configured again.
 */
import type { Effect } from "effect"
import type { Claim } from "./InboxStore.ts"
import type { PruneQuery } from "./RetentionStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An instance in one mode. The same id in the other mode is another instance. */
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
  /** Assigned by the store. */
  readonly position: number
  /** The number of times that its instance has rejected it. */
  readonly rejections: number
}

/** The limits of one instance. */
export interface KeptWebhookLimits {
  readonly requests: number
  /** The total size of bodies and headers. */
  readonly bytes: number
}

export interface KeptWebhookCount extends InstanceOfMode {
  readonly requests: number
  readonly bytes: number
  /** ms UTC */
  readonly oldestReceivedAt: number
}

export interface KeptWebhookStore {
  /** The mode of the instance's latest operation; `null`: it has none. The cost is independent of their number. */
  readonly modeOf: (provider: string) => Effect.Effect<boolean | null, StoreUnavailable>
  /** Stores a webhook durably; it is due immediately. `false`: a limit is reached; nothing was written. Safe for concurrent calls. */
  readonly keep: (webhook: UnverifiedWebhook, limits: KeptWebhookLimits) => Effect.Effect<boolean, StoreUnavailable>
  /** The instances with a webhook that can be claimed at `now` (ms UTC), configured or not. */
  readonly dueInstances: (now: number) => Effect.Effect<ReadonlyArray<InstanceOfMode>, StoreUnavailable>
  /** Claims webhooks of one instance whose next try is due, until `until`, in the order of their receipt. */
  readonly claimDue: (
    claim: Claim & Pick<InstanceOfMode, "livemode">
  ) => Effect.Effect<ReadonlyArray<KeptWebhook>, StoreUnavailable>
  /** Sets the next try (ms UTC), and ends the claim. */
  readonly postpone: (
    webhook: Pick<KeptWebhook, "position" | "rejections">,
    nextTryAt: number
  ) => Effect.Effect<void, StoreUnavailable>
  /** Removes a webhook. No effect if it was removed before. */
  readonly remove: (position: number) => Effect.Effect<void, StoreUnavailable>
  /** The counts of each instance with kept webhooks. For monitoring: the cost depends on the number of instances, and is limited. */
  readonly counts: Effect.Effect<ReadonlyArray<KeptWebhookCount>, StoreUnavailable>
  /** Removes webhooks that were received before; returns their number. */
  readonly prune: (query: PruneQuery) => Effect.Effect<number, StoreUnavailable>
}

/** The size of a webhook for the limits: its body, and its headers as JSON text. */
export const keptBytes = ({ body, headers }: Pick<UnverifiedWebhook, "body" | "headers">): number =>
  body.byteLength + JSON.stringify(headers).length
