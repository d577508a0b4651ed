/** The inbox of a store: reports from providers, until they are applied. */
import type { Evidence } from "../domain/Evidence.ts"
import type { StoreEffect } from "./StoreUnavailable.ts"

/**
 * A claim on due work: other processes skip the work until `until`. Claims only save work; versions protect the data.
 */
export interface Claim {
  /** The id of the provider instance, configured or not. */
  readonly provider: string
  readonly owner: string
  /** The current time, ms UTC. */
  readonly now: number
  readonly until: number
  readonly limit: number
}

/**
 * The status of a provider's evidence, which is stored before it is acknowledged. `waiting`: the evidence is to be
 * applied, or is about an operation that is not known yet. `applied`: the evidence was applied, with or without an
 * effect. `parked`: the evidence matches no payment; an operator must act.
 */
export type InboxStatus = "waiting" | "applied" | "parked"

/**
 * The final state of an inbox entry that matched no payment. `foreign`: no payment became known in time, so the entry
 * is about a charge of another system. `matched`: an operator has chosen the payment, and the entry's evidence is about
 * an operation of that payment. `dismissed`: an operator has dismissed the entry.
 */
export type InboxDisposition = "foreign" | "matched" | "dismissed"

export interface InboxEntry {
  /** The provider instance that reported the evidence. */
  readonly provider: string
  /**
   * The key of the event, unique together with `provider`: the provider's event id with the digest of the reported
   * outcome, or the digest of the webhook's bytes with the position in the webhook. Entries from earlier software
   * versions have the event id alone.
   */
  readonly eventKey: string
  readonly evidence: Evidence
  /**
   * `sha256:` and the hex digest of the webhook's bytes that were verified; `null`: the evidence is not from a webhook.
   */
  readonly document: string | null
  readonly status: InboxStatus
  readonly tries: number
  /** The time of the next try, ms UTC; `null` unless the status is `waiting`. */
  readonly nextTryAt: number | null
  /** The time at which the report was received, ms UTC. */
  readonly receivedAt: number
  /**
   * The mode of the provider instance at the time of the report; `null`: unknown, in entries from earlier software
   * versions.
   */
  readonly livemode: boolean | null
  /** The final state of an entry that matched no payment; `null`: the entry matches a payment, or may still do so. */
  readonly disposition: InboxDisposition | null
}

export interface InboxStore {
  /** Stores new entries, all of them or none; returns the stored entries, in the given order. */
  readonly keep: (entries: ReadonlyArray<InboxEntry>) => StoreEffect<ReadonlyArray<InboxEntry>>
  /**
   * The provider instances with an entry that can be claimed at `now` (ms UTC), at a cost independent of the number of
   * entries.
   */
  readonly dueProviders: (now: number) => StoreEffect<ReadonlyArray<string>>
  /**
   * Claims waiting entries of one provider instance whose next try is due, until `until`, the longest overdue first.
   */
  readonly claimDue: (claim: Claim) => StoreEffect<ReadonlyArray<InboxEntry>>
  /**
   * Writes status, tries, next try and a disposition of an entry, and ends its claim. An applied entry stays applied,
   * and its evidence is replaced by the given evidence. No effect on an entry that an operator has matched since the
   * entry was read.
   */
  readonly settle: (entry: InboxEntry) => StoreEffect<void>
  /** Lists parked entries, oldest first. */
  readonly parked: (limit: number) => StoreEffect<ReadonlyArray<InboxEntry>>
}
