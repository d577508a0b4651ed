/**
 * Where payments are kept. The port takes **whole commits as data**, never an open transaction: each driver is then
 * free to be fast (SQLite groups what waits, PostgreSQL writes one statement), and no caller can hold a lock.
 *
 * Every write of a payment is a compare-and-set on `version` and `updatedAt`: a writer that lost a race, a lease or a
 * network learns of it (`Conflict`) and changes nothing (I15). So does one whose version was lost when the database went
 * back to an earlier moment, although another change has been given the same number since.
 */
import { Context } from "effect"
import type { Effect } from "effect"
import type { EventId, OperationId, PaymentId } from "../domain/Ids.ts"
import type { Operation } from "../domain/Operation.ts"
import type { OutcomeStatus } from "../domain/Attempt.ts"
import type { FailureCode } from "../domain/Decline.ts"
import type { PaymentRecord, PaymentStatus, Tenant } from "../domain/Payment.ts"
import type { ListTimedOut } from "../domain/PaymentError.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import type { Rail } from "../domain/PaymentMethod.ts"
import type { Evidence, EvidenceSource } from "../provider/Evidence.ts"
import type { ErasureStore } from "./ErasureStore.ts"
import type { RetentionStore } from "./RetentionStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Commit 1: a payment at version 1 with its first attempt and operation, and the idempotency key it binds; or one that the
 * database has lost, as it was.
 */
export interface BeginCommit {
  readonly record: PaymentRecord
  readonly binding: KeyBinding | null
}

/** An idempotency key and what it stands for. Unique over tenant, endpoint and key, forever. */
export interface KeyBinding extends Tenant {
  readonly endpoint: string
  readonly key: string
  /** Digest of the decoded request: another body under the same key is refused. */
  readonly fingerprint: string
  readonly paymentId: PaymentId
  /** The operation that was asked for under it; `null`: the payment itself. */
  readonly operationId: OperationId | null
  /** ms UTC */
  readonly createdAt: number
}

/** A key as it is kept: with the bytes of the first answer, once one was given. */
export interface KeptKey extends KeyBinding {
  readonly answer: string | null
}

/** `KeyTaken`: the key was bound before; nothing was written. */
export type BeginResult = { readonly _tag: "Begun" } | { readonly _tag: "KeyTaken"; readonly kept: KeptKey }

/** Any later commit of a payment. A driver writes what differs between `before` and `after`, by object identity. */
export interface AdvanceCommit {
  /** As read; its version and `updatedAt` are compared. */
  readonly before: PaymentRecord
  /** Version is one higher. */
  readonly after: PaymentRecord
  /** In order. */
  readonly events: ReadonlyArray<PaymentEvent>
  readonly evidence: EvidenceRow | null
  /** The key that this commit binds, for an operation that is asked for later than create. */
  readonly binding: KeyBinding | null
  /** The first answer to the request, kept with its key unless one is kept already. */
  readonly answer: AnswerToKeep | null
}

export interface AnswerToKeep extends Tenant {
  readonly endpoint: string
  readonly key: string
  readonly body: string
}

/** What convinced us: kept for every change that did not come from our own call's reply. */
export interface EvidenceRow {
  readonly paymentId: PaymentId
  readonly operationId: OperationId
  readonly source: EvidenceSource
  readonly kind: string
  readonly vendorCode: string | null
  readonly eventId: string | null
  /** What it rests on: `sha256:` of the webhook's bytes, or an operator's words, until their customer is erased. */
  readonly document: string | null
  /** ms UTC, the provider's clock */
  readonly occurredAt: number | null
  /** ms UTC */
  readonly recordedAt: number
}

/**
 * `Advanced`: written, with the bytes that the key of `answer` keeps from now on: the commit's own, or those that were
 * kept before. `Conflict`: the payment was changed by someone else. `KeyTaken`: the key was bound before.
 * `ReferenceTaken`: the commit gives a create operation a reference that a create operation of another payment at the
 * same provider has. Nothing was written in these three.
 */
export type AdvanceResult =
  | { readonly _tag: "Advanced"; readonly answer: string | null }
  | { readonly _tag: "Conflict" }
  | { readonly _tag: "KeyTaken"; readonly kept: KeptKey }
  | { readonly _tag: "ReferenceTaken" }

/** Filters of a list; several values of one filter mean any of them. Newest first, by id. */
export interface ListQuery {
  readonly limit: number
  /** Only what comes after (older than) this payment in the list, or before (newer than) it. */
  readonly position: { readonly side: "after" | "before"; readonly id: PaymentId } | null
  readonly status: ReadonlyArray<PaymentStatus>
  readonly rail: ReadonlyArray<Rail>
  readonly currency: ReadonlyArray<string>
  readonly provider: ReadonlyArray<string>
  readonly customerEmail: ReadonlyArray<string>
  /** ms UTC, exclusive */
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  readonly metadata: { readonly [key: string]: ReadonlyArray<string> }
  /** Only those that an operator has to look at; `false`: all. */
  readonly inReview: boolean
}

/** The first page of every payment, newest first: what a filter is added to. */
export const everyPayment: ListQuery = {
  limit: 20,
  position: null,
  status: [],
  rail: [],
  currency: [],
  provider: [],
  customerEmail: [],
  createdAfter: null,
  createdBefore: null,
  metadata: {},
  inReview: false
}

/** `hasMore`: further payments lie beyond the page in the direction that was asked for. */
export interface Page {
  readonly records: ReadonlyArray<PaymentRecord>
  readonly hasMore: boolean
}

/**
 * Which attempts are counted: those that ended from `since` on, in slots of `slotMs`. A day of a busy server is millions:
 * ask for a long time in stretches, so that no statement takes long.
 */
export interface AttemptCountQuery {
  /** ms UTC, inclusive; a multiple of `slotMs` */
  readonly since: number
  /** ms UTC, exclusive; a multiple of `slotMs`. Absent: up to now. */
  readonly before?: number
  /** ms */
  readonly slotMs: number
}

/** How many attempts ended in one way, in one slot of time. A number may come in parts, to be added up. */
export interface AttemptCount {
  /** ms UTC, where the slot begins. */
  readonly slot: number
  readonly provider: string
  readonly rail: Rail
  readonly currency: string
  /** Of a card, where the payment says it. */
  readonly network: string | null
  readonly status: OutcomeStatus
  readonly code: FailureCode | null
  readonly count: number
}

/** A stretch of a tenant's payments, oldest first, for a replay. Times ms UTC. */
export interface RoutedQuery {
  /** Only payments that come after this one. */
  readonly after: PaymentId | null
  /** Inclusive. */
  readonly createdFrom: number
  /** Exclusive. */
  readonly createdBefore: number
  readonly limit: number
}

/** Which declines of a card are looked at: by the merchant's word for the card, over all its providers and tokens. */
export interface CardDeclineQuery {
  readonly fingerprint: string
  /** ms UTC, inclusive: when the attempt ended. */
  readonly since: number
  readonly limit: number
}

/** An attempt that was declined. One that succeeded late is none. */
export interface CardDecline {
  readonly code: FailureCode
  /** Nobody will take this card again: its payment failed for this, and said that it cannot be retried. */
  readonly isFinal: boolean
  /** ms UTC */
  readonly endedAt: number
}

/** What routing was asked, what it decided, and what came of it. */
export type RoutedPayment = Pick<PaymentRecord, "payment" | "attempts">

/** What waits, over all accounts and modes: for whoever watches the server. Times are ms UTC; `null`: nothing waits. */
export interface Backlog {
  /** When the oldest event was written that no endpoint was told of yet. */
  readonly eventSince: number | null
  /** Since when the operation is due that is due for longest. */
  readonly operationDueSince: number | null
  /** Since when the inbox entry is due that is due for longest. */
  readonly inboxDueSince: number | null
  /** Attempts of which nobody knows what became. */
  readonly unknownAttempts: number
  /** When the oldest of them began. */
  readonly unknownSince: number | null
  /** Payments that an operator has to look at. */
  readonly inReview: number
  readonly parkedInbox: number
}

/** A claim on work that is due: until `until`, others leave it alone. It protects nothing; versions do. */
export interface Claim {
  readonly owner: string
  /** ms UTC */
  readonly now: number
  readonly until: number
  readonly limit: number
}

export class PaymentStore extends Context.Service<
  PaymentStore,
  {
    /** Only one engine can use this store at a time (SQLite): another owner's unfinished work is a dead one's. */
    readonly singleEngine: boolean
    /**
     * The time of the database in ms UTC, which every engine that uses it shares: a claim, a lease or the age of an
     * operation must not depend on the clock of one machine.
     */
    readonly now: Effect.Effect<number>
    readonly begin: (commit: BeginCommit) => Effect.Effect<BeginResult, StoreUnavailable>
    readonly advance: (commit: AdvanceCommit) => Effect.Effect<AdvanceResult, StoreUnavailable>
    readonly get: (id: PaymentId) => Effect.Effect<PaymentRecord | null, StoreUnavailable>
    /** Of this tenant only: another's payment is as absent as a missing one. */
    readonly find: (tenant: Tenant, id: PaymentId) => Effect.Effect<PaymentRecord | null, StoreUnavailable>
    /** The current versions of these payments; one that does not exist is absent. For pages that wait for a change. */
    readonly versions: (
      ids: ReadonlyArray<PaymentId>
    ) => Effect.Effect<ReadonlyMap<PaymentId, number>, StoreUnavailable>
    readonly findByOperation: (id: OperationId) => Effect.Effect<PaymentRecord | null, StoreUnavailable>
    readonly findByReference: (
      provider: string,
      reference: string
    ) => Effect.Effect<PaymentRecord | null, StoreUnavailable>
    /** `ListTimedOut`: two seconds were not enough to find the page. It holds up nothing else meanwhile. */
    readonly list: (tenant: Tenant, query: ListQuery) => Effect.Effect<Page, StoreUnavailable | ListTimedOut>
    readonly findKey: (tenant: Tenant, endpoint: string, key: string) => Effect.Effect<KeptKey | null, StoreUnavailable>
    /** Keeps the bytes unless some are kept already; answers the bytes that are kept. */
    readonly keepAnswer: (answer: AnswerToKeep) => Effect.Effect<string, StoreUnavailable>
    /**
     * The adapter's reference, durable on the operation when this answers `true`. `false`: the operation has another
     * reference than `expected` by now, or is settled; nothing was written.
     */
    readonly checkpoint: (
      operation: OperationId,
      expected: string | null,
      reference: string
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * From now on the reference finds the payment of this create operation, as one that was replaced does. Nothing where
     * it is the charge of another payment.
     */
    readonly remember: (operation: OperationId, reference: string) => Effect.Effect<void, StoreUnavailable>
    /** Operations whose `nextCheckAt` has come, each with its payment; claimed for `owner`. */
    readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<DueOperation>, StoreUnavailable>
    /**
     * When an operation that stays as it is will be looked after again. Not a change of the payment; nothing where its
     * status is another by now.
     */
    readonly reschedule: (
      operation: Pick<Operation, "id" | "status">,
      checks: number,
      nextCheckAt: number | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Makes what other owners left in `sending` due at once. For a store of a single engine, at its start. */
    readonly releaseOrphans: (owner: string, now: number) => Effect.Effect<number, StoreUnavailable>
    /** Over all accounts: how a provider does is one fact. Attempts that are still open are in no slot. */
    readonly attemptCounts: (query: AttemptCountQuery) => Effect.Effect<ReadonlyArray<AttemptCount>, StoreUnavailable>
    /** Of one account and mode, the latest first. */
    readonly cardDeclines: (
      tenant: Tenant,
      query: CardDeclineQuery
    ) => Effect.Effect<ReadonlyArray<CardDecline>, StoreUnavailable>
    readonly routed: (
      tenant: Tenant,
      query: RoutedQuery
    ) => Effect.Effect<ReadonlyArray<RoutedPayment>, StoreUnavailable>
    /** What convinced us of a payment's changes, in the order it did. */
    readonly evidenceOf: (id: PaymentId) => Effect.Effect<ReadonlyArray<EvidenceRow>, StoreUnavailable>
    /** Events that the webhook sender has not fanned out yet, oldest first. */
    readonly undispatchedEvents: (limit: number) => Effect.Effect<ReadonlyArray<PaymentEvent>, StoreUnavailable>
    /** An event as it was written; `null`: there is none. */
    readonly findEvent: (id: EventId) => Effect.Effect<PaymentEvent | null, StoreUnavailable>
    readonly markDispatched: (ids: ReadonlyArray<EventId>, now: number) => Effect.Effect<void, StoreUnavailable>
    /** As of `now` (ms UTC). Cheap however many payments there are, and no part of a payment: ask as often as every few seconds. */
    readonly backlog: (now: number) => Effect.Effect<Backlog, StoreUnavailable>
    readonly inbox: InboxStore
    readonly leases: LeaseStore
    readonly providerState: ProviderStateStore
    readonly erasure: ErasureStore
    readonly retention: RetentionStore
  }
>()("@paymux/core/store/PaymentStore") {}

export interface DueOperation {
  readonly operation: Operation
  readonly record: PaymentRecord
}

/**
 * What providers told, kept before it is acknowledged. `waiting`: to be applied, or about something that is not known
 * yet. `applied`: it went through the door, whatever it changed. `parked`: nobody knows what it is about; an operator
 * may.
 */
export type InboxStatus = "waiting" | "applied" | "parked"

export interface InboxEntry {
  /** The instance that told it. */
  readonly provider: string
  /** Unique with the provider: the provider's id of the event, or the digest of its bytes and the place in them. */
  readonly eventKey: string
  readonly evidence: Evidence
  /** `sha256:` and the hex digest of the bytes that were verified; `null` where there were none. */
  readonly document: string | null
  readonly status: InboxStatus
  readonly tries: number
  /** ms UTC; `null` unless it is waiting. */
  readonly nextTryAt: number | null
  /** ms UTC */
  readonly receivedAt: number
}

export interface InboxStore {
  /** Keeps what is new, all or nothing; answers the entries as they stand afterwards, in the order given. */
  readonly keep: (entries: ReadonlyArray<InboxEntry>) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
  /** Waiting entries whose next try has come, claimed until `until`, oldest try first. */
  readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
  /**
   * Writes status, tries and next try, and ends the claim. What was applied stays applied, and its evidence is kept as it
   * is given here.
   */
  readonly settle: (entry: InboxEntry) => Effect.Effect<void, StoreUnavailable>
  /** Parked entries, oldest first. */
  readonly parked: (limit: number) => Effect.Effect<ReadonlyArray<InboxEntry>, StoreUnavailable>
}

/** Which of many processes runs a provider's background process. A lease alone protects nothing: its fence does. */
export interface LeaseStore {
  /**
   * Takes or renews the lease until `until`. Answers its fence, which grows with every change of owner; `null`: another
   * owner holds it.
   */
  readonly hold: (
    name: string,
    claim: { readonly owner: string; readonly now: number; readonly until: number }
  ) => Effect.Effect<number | null, StoreUnavailable>
  /** Gives it back, if it is still the owner's. */
  readonly release: (name: string, owner: string) => Effect.Effect<void, StoreUnavailable>
}

/** A lease that a write stands on: it is refused where the lease has another fence by now. */
export interface HeldLease {
  readonly name: string
  readonly fence: number
}

/** Durable keys and counters of provider instances. */
export interface ProviderStateStore {
  readonly get: (provider: string, key: string) => Effect.Effect<string | null, StoreUnavailable>
  /** `false`: the value is another, or the lease it stands on is lost. */
  readonly compareAndSet: (
    provider: string,
    key: string,
    expected: string | null,
    value: string,
    lease: HeldLease | null
  ) => Effect.Effect<boolean, StoreUnavailable>
  readonly next: (provider: string, counter: string) => Effect.Effect<number, StoreUnavailable>
}
