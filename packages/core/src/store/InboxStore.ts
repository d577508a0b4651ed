/** The inbox of a store: reports of providers, until they are applied. */
import type { Effect } from "effect"
import type { Evidence } from "../domain/Evidence.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A claim on due work: other processes skip it until `until`. It only saves work; versions protect the data. */
export interface Claim {
  /** The instance, configured or not. */
  readonly provider: string
  readonly owner: string
  /** ms UTC */
  readonly now: number
  readonly until: number
  readonly limit: number
}

/**
 * The status of a provider's evidence, which is stored before it is acknowledged. `waiting`: to be applied, or about an operation
 * that is not known yet. `applied`: it was applied, with or without an effect. `parked`: it matches no payment; an operator must
 * act.
 */
export type InboxStatus = "waiting" | "applied" | "parked"

/**
 * The final state of an entry that matched no payment. `foreign`: no payment became known in time, so it is about a charge of
 * another system. `matched`: an operator has chosen its payment, and its evidence is about an operation of that payment.
 * `dismissed`: an operator has dismissed it.
 */
export type InboxDisposition = "foreign" | "matched" | "dismissed"

export interface InboxEntry {
  /** The instance that reported it. */
  readonly provider: string
  /**
   * Unique with the provider: the provider's event id with the digest of the reported outcome, or the digest of the bytes with the
   * position in them. Entries of earlier versions have the event id alone.
   */
  readonly eventKey: string
  readonly evidence: Evidence
  /** `sha256:` and the hex digest of the bytes that were verified; `null`: no bytes. */
  readonly document: string | null
  readonly status: InboxStatus
  readonly tries: number
  /** ms UTC; `null` unless `waiting`. */
  readonly nextTryAt: number | null
  /** ms UTC */
  readonly receivedAt: number
  /** The mode of the instance at the time of the report; `null`: unknown, from an earlier version. */
  readonly livemode: boolean | null
  /** `null`: the entry matches a payment, or may still do so. */
  readonly disposition: InboxDisposition | null
}

export interface InboxStore {
  /** Stores new entries, all or none; returns the stored entries, in the given order. */
  readonly keep: (entries: ReadonlyArray<InboxEntry>) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
  /** The instances with an entry that can be claimed at `now` (ms UTC). The cost is independent of the number of entries. */
  readonly dueProviders: (now: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** Waiting entries of one instance whose next try is due, claimed until `until`, oldest try first. */
  readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
  /**
   * Writes status, tries, next try and a disposition, and ends the claim. An applied entry stays applied, and its evidence is
   * replaced by the one given here. No effect on an entry that an operator has matched since it was read.
   */
  readonly settle: (entry: InboxEntry) => Effect.Effect<void, StoreUnavailable>
  /** Parked entries, oldest first. */
  readonly parked: (limit: number) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
}
