/**
 * The store of payments. The port takes **whole commits as data**, never an open transaction: each driver can optimize
 * commits (SQLite groups waiting commits, PostgreSQL writes one statement), and no caller can hold a lock.
 *
 * Every write of a payment is a compare-and-set on `version` and `updatedAt`: a writer that was overtaken by another
 * change, or lost a lease or its network connection, gets `Conflict` and changes nothing. `updatedAt` detects that
 * another change used a version number again after a restore.
 */
import { Context } from "effect"
import type { CardDecline } from "../domain/cardRetries.ts"
import type { Effect } from "effect"
import type { EventId, OperationId, PaymentId } from "../domain/Ids.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord, Tenant } from "../domain/Payment.ts"
import type { ListTimedOut } from "../domain/PaymentError.ts"
import type { PaymentEvent } from "../domain/PaymentEvent.ts"
import type { EvidenceSource } from "../domain/Evidence.ts"
import type { AttemptCount, AttemptCountQuery } from "./AttemptCounts.ts"
import type { DueCorrection } from "./DueCorrection.ts"
import type { ErasureStore } from "./ErasureStore.ts"
import type { EventsAfter, EventsQuery } from "./EventSequence.ts"
import type { Claim, InboxStore } from "./InboxStore.ts"
import type { KeptWebhookStore } from "./KeptWebhookStore.ts"
import type { ListQuery, Page } from "./ListQuery.ts"
import type { OrderStore } from "./OrderStore.ts"
import type { RestorationStore } from "./RestorationStore.ts"
import type { RetentionStore } from "./RetentionStore.ts"
import type { StoreEffect, StoreUnavailable } from "./StoreUnavailable.ts"

export type { AttemptCount, AttemptCountBy, AttemptCountQuery } from "./AttemptCounts.ts"
export type { DueCorrection } from "./DueCorrection.ts"
export { everyPayment } from "./ListQuery.ts"
export type { ListQuery, Page } from "./ListQuery.ts"
export { StoreUnavailable } from "./StoreUnavailable.ts"
export type { StoreEffect } from "./StoreUnavailable.ts"
export type { Claim, InboxDisposition, InboxEntry, InboxStatus, InboxStore } from "./InboxStore.ts"

/**
 * The first commit of a payment: the payment at version 1 with its first attempt and operation, and the idempotency key
 * that is bound to the payment; or a lost payment that is written again unchanged.
 */
export interface BeginCommit {
  readonly record: PaymentRecord
  readonly binding: KeyBinding | null
  /**
   * The version of the restore marker that the caller has read. If it has changed, nothing is written. Absent: not
   * compared.
   */
  readonly restoration?: string
}

/** An idempotency key and its request. The combination of tenant, endpoint and key is unique forever. */
export interface KeyBinding extends Tenant {
  readonly endpoint: string
  readonly key: string
  /** The digest of the decoded request: a request with the same key and another body is rejected. */
  readonly fingerprint: string
  readonly paymentId: PaymentId
  /** The operation that was requested with the idempotency key; `null`: the key created the payment. */
  readonly operationId: OperationId | null
  /** The time at which the key was bound, ms UTC. */
  readonly createdAt: number
}

/** A stored idempotency key, with the bytes of the first response. `answer: null`: no response is stored yet. */
export interface KeptKey extends KeyBinding {
  readonly answer: string | null
}

/**
 * The result of a first commit. `KeyTaken`: the idempotency key was bound before. `OrderTaken`: another open or paid
 * payment has the order. `Restored`: the stored `Restoration` has another version, or must be read again. In these
 * three cases nothing was written.
 */
export type BeginResult =
  | { readonly _tag: "Begun" }
  | { readonly _tag: "KeyTaken"; readonly kept: KeptKey }
  | { readonly _tag: "OrderTaken" }
  | { readonly _tag: "Restored" }

/** Any later commit of a payment. A driver writes the differences between `before` and `after`, by object identity. */
export interface AdvanceCommit {
  /** The record as it was read; its version and `updatedAt` are compared with the stored payment. */
  readonly before: PaymentRecord
  /** The record after the change. Its version is one higher. */
  readonly after: PaymentRecord
  /** The new events, in the order of their `sequence`. */
  readonly events: ReadonlyArray<PaymentEvent>
  readonly evidence: EvidenceRow | null
  /** The idempotency key of a follow-up operation, which this commit binds to the operation. */
  readonly binding: KeyBinding | null
  /**
   * The first response to a request. It is stored with the request's idempotency key unless a response is already
   * stored.
   */
  readonly answer: AnswerToKeep | null
}

export interface AnswerToKeep extends Tenant {
  readonly endpoint: string
  readonly key: string
  readonly body: string
}

/**
 * The evidence for a change. It is stored for every change, except one that follows from the response to our own call.
 */
export interface EvidenceRow {
  readonly paymentId: PaymentId
  readonly operationId: OperationId
  readonly source: EvidenceSource
  readonly kind: string
  readonly vendorCode: string | null
  readonly eventId: string | null
  /** The proof: `sha256:` and the digest of the webhook's bytes, or an operator's text until the customer is erased. */
  readonly document: string | null
  /** The time of the event, ms UTC by the provider's clock. */
  readonly occurredAt: number | null
  /** The time at which the evidence was stored, ms UTC. */
  readonly recordedAt: number
}

/**
 * The result of a later commit. `Advanced`: the commit was written; `answer` has the bytes that are now stored with the
 * idempotency key of the commit's `answer`: the commit's own bytes, or earlier bytes; `null` if the key is not bound, or
 * is bound to another payment and has no bytes. `Conflict`: the payment was changed concurrently. `KeyTaken`: the idempotency key was bound before. `ReferenceTaken`: a create operation of
 * another payment at the same provider already has the reference that the commit gives to a create operation.
 * `OrderTaken`: the commit makes the payment hold its order again, but another payment holds the order now. In the last
 * four cases nothing was written.
 */
export type AdvanceResult =
  | { readonly _tag: "Advanced"; readonly answer: string | null }
  | { readonly _tag: "Conflict" }
  | { readonly _tag: "KeyTaken"; readonly kept: KeptKey }
  | { readonly _tag: "ReferenceTaken" }
  | { readonly _tag: "OrderTaken" }

/** A range of a tenant's payments, oldest first, for a replay. Times ms UTC. */
export interface RoutedQuery {
  /** Only payments after this payment. */
  readonly after: PaymentId | null
  /** The start of the period of creation, inclusive. */
  readonly createdFrom: number
  /** The end of the period of creation, exclusive. */
  readonly createdBefore: number
  readonly limit: number
}

/** The query for a card's declines: by the merchant's fingerprint of the card, at all providers and with all tokens. */
export interface CardDeclineQuery {
  readonly fingerprint: string
  /** The earliest end of the declined attempts, ms UTC, inclusive. */
  readonly since: number
  readonly limit: number
}

/** A payment with the facts that routing used, the routing decision, and the result. */
export type RoutedPayment = Pick<PaymentRecord, "payment" | "attempts">

/** The number of open operations of a provider instance, separately for live and test payments. */
export interface OpenOperations {
  readonly provider: string
  readonly live: number
  readonly test: number
  /** Whether the instance has more open operations than were counted. */
  readonly isMore: boolean
}

/** The backlog of all accounts and modes, for monitoring. Times are ms UTC; `null`: no work is waiting. */
export interface Backlog {
  /** The time at which the oldest undispatched event was written. */
  readonly eventSince: number | null
  /** The time at which the longest-overdue operation became due. */
  readonly operationDueSince: number | null
  /** The time at which the longest-overdue inbox entry became due. */
  readonly inboxDueSince: number | null
  /** The number of attempts with an unknown outcome. */
  readonly unknownAttempts: number
  /** The start of the oldest attempt with an unknown outcome. */
  readonly unknownSince: number | null
  /** The number of payments with open reviews. */
  readonly inReview: number
  readonly parkedInbox: number
}

export class PaymentStore extends Context.Service<
  PaymentStore,
  {
    /**
     * Whether only one engine can use this store at a time (SQLite). If so, unfinished work of another owner is
     * abandoned work.
     */
    readonly singleEngine: boolean
    /**
     * The maximum duration of a `begin` of any engine, ms: afterwards its commit is visible, or never will be; 0 if
     * there is a single engine.
     */
    readonly slowestCommit: number
    /**
     * The time of the database in ms UTC, which all of its engines share: a claim, a lease or the age of an operation
     * must not depend on the clock of one machine.
     */
    readonly now: Effect.Effect<number>
    /** Makes a commit; fails while commits of payments fail. For health checks: about once a second. */
    readonly ready: StoreEffect<void>
    /**
     * The reason why the store can no longer acknowledge requests: even committed data would be lost at a restart. One
     * sentence for operators, without a file path; `null`: commits are durable.
     */
    readonly lost: Effect.Effect<string | null>
    readonly begin: (commit: BeginCommit) => StoreEffect<BeginResult>
    readonly advance: (commit: AdvanceCommit) => StoreEffect<AdvanceResult>
    readonly get: (id: PaymentId) => StoreEffect<PaymentRecord | null>
    /**
     * Reads a payment if the response to a commit was lost, before the engine acts on the payment. Fails unless the
     * database confirms that the returned version would survive a failover as reliably as a commit.
     */
    readonly getConfirmed: (id: PaymentId) => StoreEffect<PaymentRecord | null>
    /** Finds a payment of this tenant; another tenant's payment is not found. */
    readonly find: (tenant: Tenant, id: PaymentId) => StoreEffect<PaymentRecord | null>
    /**
     * Returns the current versions of those of the payments that exist. For pages that wait for a change of a payment.
     */
    readonly versions: (ids: ReadonlyArray<PaymentId>) => StoreEffect<ReadonlyMap<PaymentId, number>>
    readonly findByOperation: (id: OperationId) => StoreEffect<PaymentRecord | null>
    readonly findByReference: (provider: string, reference: string) => StoreEffect<PaymentRecord | null>
    /** The payment with the last id, of any account; `null`: the store has no payments. */
    readonly newest: StoreEffect<NewestPayment | null>
    /**
     * A page of a list. `ListTimedOut`: the query took longer than two seconds. The query does not block other calls.
     */
    readonly list: (tenant: Tenant, query: ListQuery) => Effect.Effect<Page, StoreUnavailable | ListTimedOut>
    readonly findKey: (tenant: Tenant, endpoint: string, key: string) => StoreEffect<KeptKey | null>
    /**
     * Stores the bytes of a response unless the idempotency key already has a stored response; returns the stored
     * bytes.
     */
    readonly keepAnswer: (answer: AnswerToKeep) => StoreEffect<string>
    /**
     * Stores the adapter's reference durably with the operation and returns `true`. `false`: the operation no longer
     * has the reference `expected`, or is settled; nothing was written.
     */
    readonly checkpoint: (operation: OperationId, expected: string | null, reference: string) => StoreEffect<boolean>
    /**
     * Stores another reference by which the payment of this create operation is found. No effect if the reference
     * belongs to the charge of another payment.
     */
    readonly remember: (operation: OperationId, reference: string) => StoreEffect<void>
    /**
     * The provider instances with an operation that can be claimed at `now` (ms UTC). The cost is independent of the
     * number of operations.
     */
    readonly dueProviders: (now: number) => StoreEffect<ReadonlyArray<string>>
    /**
     * The provider instances with an operation that the engine still checks, including ended operations that are
     * checked again. The cost is independent of the number of operations.
     */
    readonly openProviders: StoreEffect<ReadonlyArray<string>>
    /**
     * The number of a provider instance's open operations and holds that the engine still checks, at most a thousand.
     */
    readonly openOperations: (provider: string) => StoreEffect<OpenOperations>
    /**
     * Claims operations of one provider instance whose `nextCheckAt` is reached, for `owner`, the longest overdue
     * first. Returns each operation with its payment.
     */
    readonly claimDue: (claim: Claim) => StoreEffect<ReadonlyArray<DueOperation>>
    /**
     * Sets the next check of an operation without changing its payment. No effect if the status of the operation has
     * changed.
     */
    readonly reschedule: (
      operation: Pick<Operation, "id" | "status">,
      checks: number,
      nextCheckAt: number | null
    ) => StoreEffect<void>
    /**
     * Makes operations of other owners in `sending` due immediately. Called at the start of an engine that alone uses
     * its store.
     */
    readonly releaseOrphans: (owner: string, now: number) => StoreEffect<number>
    /**
     * Corrects the due times of operations and reports that were set while a clock was ahead. Returns the number of
     * corrections; 0: no wrong time is left. The call may scan all scheduled work, so do not use it in a poll.
     */
    readonly correctDueTimes: (correction: DueCorrection) => StoreEffect<number>
    /**
     * Counts the first attempts of all accounts that ended in the period and are not in flight. Attempts that follow a
     * decline do not count, since they belong to payments that were declined before.
     */
    readonly attemptCounts: (query: AttemptCountQuery) => StoreEffect<ReadonlyArray<AttemptCount>>
    /**
     * Counts the first attempts that were started in the period and are open: in flight now, or, with `before`, ended
     * at `before` or later, but within `longestOpen`. The latter attempts were open at `before`, so they count as
     * `pending`, without a code. Without `before`, the cost depends only on the number of attempts in flight, so the
     * call may be made every few seconds.
     */
    readonly openAttemptCounts: (query: AttemptCountQuery) => StoreEffect<ReadonlyArray<AttemptCount>>
    /** The declines of a card in one account and mode, latest first. */
    readonly cardDeclines: (tenant: Tenant, query: CardDeclineQuery) => StoreEffect<ReadonlyArray<CardDecline>>
    readonly routed: (tenant: Tenant, query: RoutedQuery) => StoreEffect<ReadonlyArray<RoutedPayment>>
    /** The evidence for a payment's changes, in order: all rows, or the last `last` rows (1 or more). */
    readonly evidenceOf: (id: PaymentId, last?: number) => StoreEffect<ReadonlyArray<EvidenceRow>>
    /** Lists the events that the webhook sender has not dispatched to the webhook endpoints yet, oldest first. */
    readonly undispatchedEvents: (limit: number) => StoreEffect<ReadonlyArray<PaymentEvent>>
    /**
     * Finds an event. `findEvents` finds several, in any order, each once. An event that is not found is `null`, or
     * absent.
     */
    readonly findEvent: (id: EventId) => StoreEffect<PaymentEvent | null>
    readonly findEvents: (ids: ReadonlyArray<EventId>) => StoreEffect<ReadonlyArray<PaymentEvent>>
    /** A page of the tenant's events, in the order of the sequence. */
    readonly eventsAfter: (tenant: Tenant, query: EventsQuery) => StoreEffect<EventsAfter>
    readonly markDispatched: (ids: ReadonlyArray<EventId>, now: number) => StoreEffect<void>
    /**
     * The backlog at `now` (ms UTC). The cost does not depend on the number of payments: a call every few seconds is
     * possible.
     */
    readonly backlog: (now: number) => StoreEffect<Backlog>
    readonly inbox: InboxStore
    readonly keptWebhooks: KeptWebhookStore
    readonly leases: LeaseStore
    readonly providerState: ProviderStateStore
    readonly orders: OrderStore
    readonly erasure: ErasureStore
    readonly retention: RetentionStore
    readonly restoration: RestorationStore
  }
>()("@paymux/core/store/PaymentStore") {}

export interface NewestPayment {
  readonly id: PaymentId
  /** The time of the event, ms UTC. */
  readonly createdAt: number
}

export interface DueOperation {
  readonly operation: Operation
  readonly record: PaymentRecord
}

/**
 * The leases of processes that run a provider's background work. Writes are protected by the lease's fence (fencing
 * token), not by the lease.
 */
export interface LeaseStore {
  /**
   * Acquires or renews the lease until `until`. Returns the lease's fence, which increases with every change of owner;
   * `null`: another owner holds the lease. `latest` (ms UTC): an existing lease that ends after this time is ignored.
   */
  readonly hold: (
    name: string,
    claim: { readonly owner: string; readonly now: number; readonly until: number; readonly latest?: number }
  ) => StoreEffect<number | null>
  /** Releases the lease, if the owner still holds it. */
  readonly release: (name: string, owner: string) => StoreEffect<void>
}

/** The lease under which a write is made. The write is rejected if the fence of the lease has changed. */
export interface HeldLease {
  readonly name: string
  readonly fence: number
}

/** Durable keys and counters of provider instances. */
export interface ProviderStateStore {
  readonly get: (provider: string, key: string) => StoreEffect<string | null>
  /**
   * Writes the value if the current one is the expected one. Returns `false` if the value has changed, or the lease is
   * lost.
   */
  readonly compareAndSet: (
    provider: string,
    key: string,
    expected: string | null,
    value: string,
    lease: HeldLease | null
  ) => StoreEffect<boolean>
  readonly next: (provider: string, counter: string) => StoreEffect<number>
}
