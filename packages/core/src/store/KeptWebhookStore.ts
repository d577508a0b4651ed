/**
 * The operations of a store for webhooks that cannot be verified, because their provider instance is not configured.
 * The webhooks are kept unchanged until the instance is configured again.
 */
import type { Claim } from "./InboxStore.ts"
import type { PruneQuery } from "./RetentionStore.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

/**
 * A provider instance, identified by its id and its mode. The same id in test and in live mode identifies two
 * instances.
 */
export interface InstanceOfMode {
  readonly provider: string
  readonly livemode: boolean
}

/** A webhook as it was received. */
export interface UnverifiedWebhook extends InstanceOfMode {
  readonly body: Uint8Array
  /** The headers, with names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The time at which the webhook was received, ms UTC by the store's clock. */
  readonly receivedAt: number
}

export interface KeptWebhook extends UnverifiedWebhook {
  /** The number of the webhook, which the store assigns. */
  readonly position: number
  /** The number of times that its provider instance has rejected the webhook. */
  readonly rejections: number
}

/** The limits on the kept webhooks of one provider instance. */
export interface KeptWebhookLimits {
  readonly requests: number
  /** The total size of bodies and headers. */
  readonly bytes: number
}

export interface KeptWebhookCount extends InstanceOfMode {
  readonly requests: number
  readonly bytes: number
  /** The receipt time of the oldest webhook, ms UTC. */
  readonly oldestReceivedAt: number
}

export interface KeptWebhookStore {
  /**
   * The mode of an instance's latest operation; `null`: it has no operation. The cost is independent of the number of
   * operations.
   */
  readonly modeOf: (provider: string) => StoreEffect<boolean | null>
  /**
   * Stores a webhook durably; the webhook is due immediately. `false`: a limit is reached, and nothing was written.
   * Safe for concurrent calls.
   */
  readonly keep: (webhook: UnverifiedWebhook, limits: KeptWebhookLimits) => StoreEffect<boolean>
  /** The provider instances, configured or not, with a webhook that can be claimed at `now` (ms UTC). */
  readonly dueInstances: (now: number) => StoreEffect<ReadonlyArray<InstanceOfMode>>
  /** Claims webhooks of one provider instance whose next try is due, until `until`, in the order of their receipt. */
  readonly claimDue: (claim: Claim & Pick<InstanceOfMode, "livemode">) => StoreEffect<ReadonlyArray<KeptWebhook>>
  /** Sets the next try of a webhook (ms UTC), and ends its claim. */
  readonly postpone: (webhook: Pick<KeptWebhook, "position" | "rejections">, nextTryAt: number) => StoreEffect<void>
  /** Removes a webhook. No effect if the webhook was removed before. */
  readonly remove: (position: number) => StoreEffect<void>
  /**
   * The counts for each instance with kept webhooks, for monitoring. The cost grows with the instances, and is limited.
   */
  readonly counts: StoreEffect<ReadonlyArray<KeptWebhookCount>>
  /** Removes webhooks that were received before `before`; returns the number of removed webhooks. */
  readonly prune: (query: PruneQuery) => StoreEffect<number>
}

/** The size of a webhook that counts towards the limits: its body, and its headers as JSON text. */
export const keptBytes = ({ body, headers }: Pick<UnverifiedWebhook, "body" | "headers">): number =>
  body.byteLength + JSON.stringify(headers).length
