/**
 * The store of payments. The port takes **whole commits as data**, never an open transaction: each driver can optimize
 * them (SQLite groups waiting commits, PostgreSQL writes one statement), and no caller can hold a lock.
 *
 * Every write of a payment is a compare-and-set on `version` and `updatedAt`: a writer that lost a race, a lease or its
 * network connection gets `Conflict` and changes nothing. `updatedAt` detects a version that another change has after a restore.
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
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export type { AttemptCount, AttemptCountBy, AttemptCountQuery } from "./AttemptCounts.ts"
export type { DueCorrection } from "./DueCorrection.ts"
export { everyPayment } from "./ListQuery.ts"
export type { ListQuery, Page } from "./ListQuery.ts"
export { StoreUnavailable } from "./StoreUnavailable.ts"
export type { Claim, InboxDisposition, InboxEntry, InboxStatus, InboxStore } from "./InboxStore.ts"

/**
 * Commit 1: a payment at version 1 with its first attempt and operation, and the idempotency key it binds; or a payment that
 * the database has lost, unchanged.
 */
export interface BeginCommit {
  readonly record: PaymentRecord
  readonly binding: KeyBinding | null
  /** Nothing is written unless this is the version of the `Restoration`. Absent: whatever it is. */
  readonly restoration?: string
}

/** An idempotency key and its request. Unique over tenant, endpoint and key, forever. */
export interface KeyBinding extends Tenant {
  readonly endpoint: string
  readonly key: string
  /** Digest of the decoded request: another body with the same key is rejected. */
  readonly fingerprint: string
  readonly paymentId: PaymentId
  /** The operation that was requested with it; `null`: the payment itself. */
  readonly operationId: OperationId | null
  /** ms UTC */
  readonly createdAt: number
}

/** A stored key: with the bytes of the first answer, once there is one. */
export interface KeptKey extends KeyBinding {
  readonly answer: string | null
}

/**
 * `KeyTaken`: the key was bound before. `OrderTaken`: another open or paid payment has the order. `Restored`: the `Restoration`
 * has another version, or is to be read again. The last three write nothing.
 */
export type BeginResult =
  | { readonly _tag: "Begun" }
  | { readonly _tag: "KeyTaken"; readonly kept: KeptKey }
  | { readonly _tag: "OrderTaken" }
  | { readonly _tag: "Restored" }

/** Any later commit of a payment. A driver writes what differs between `before` and `after`, by object identity. */
export interface AdvanceCommit {
  /** As it was read; version and `updatedAt` are compared. */
  readonly before: PaymentRecord
  /** The version is one higher. */
  readonly after: PaymentRecord
  /** In order. */
  readonly events: ReadonlyArray<PaymentEvent>
  readonly evidence: EvidenceRow | null
  /** The key that this commit binds, for a follow-up operation. */
  readonly binding: KeyBinding | null
  /** The first answer to the request, stored with its key unless one is stored already. */
  readonly answer: AnswerToKeep | null
}

export interface AnswerToKeep extends Tenant {
  readonly endpoint: string
  readonly key: string
  readonly body: string
}

/** The evidence of a change: stored for every change that was not caused by the reply to our own call. */
export interface EvidenceRow {
  readonly paymentId: PaymentId
  readonly operationId: OperationId
  readonly source: EvidenceSource
  readonly kind: string
  readonly vendorCode: string | null
  readonly eventId: string | null
  /** The source: `sha256:` of the webhook's bytes, or an operator's text, until the customer is erased. */
  readonly document: string | null
  /** ms UTC, the provider's clock */
  readonly occurredAt: number | null
  /** ms UTC */
  readonly recordedAt: number
}

/**
 * `Advanced`: written, with the bytes that are now stored with the key of `answer`: the commit's own, or earlier ones.
 * `Conflict`: the payment was changed concurrently. `KeyTaken`: the key was bound before.
 * `ReferenceTaken`: the commit gives a create operation a reference that a create operation of another payment at the
 * same provider has. `OrderTaken`: the payment holds its order again, and another one holds it by now. The last four write
 * nothing.
 */
export type AdvanceResult =
  | { readonly _tag: "Advanced"; readonly answer: string | null }
  | { readonly _tag: "Conflict" }
  | { readonly _tag: "KeyTaken"; readonly kept: KeptKey }
  | { readonly _tag: "ReferenceTaken" }
  | { readonly _tag: "OrderTaken" }

/** A range of a tenant's payments, oldest first, for a replay. Times ms UTC. */
export interface RoutedQuery {
  /** Only payments after this one. */
  readonly after: PaymentId | null
  /** Inclusive. */
  readonly createdFrom: number
  /** Exclusive. */
  readonly createdBefore: number
  readonly limit: number
}

/** Which declines of a card are counted: by the merchant's fingerprint of the card, over all providers and tokens. */
export interface CardDeclineQuery {
  readonly fingerprint: string
  /** ms UTC, inclusive: when the attempt ended. */
  readonly since: number
  readonly limit: number
}

/** The facts of a payment for routing, the decision, and the result. */
export type RoutedPayment = Pick<PaymentRecord, "payment" | "attempts">

/** How many operations of an instance are open, by the mode of their payments. */
export interface OpenOperations {
  readonly provider: string
  readonly live: number
  readonly test: number
  /** There are more than were counted. */
  readonly isMore: boolean
}

/** The backlog over all accounts and modes, for monitoring. Times are ms UTC; `null`: nothing waits. */
export interface Backlog {
  /** When the oldest undelivered event was written. */
  readonly eventSince: number | null
  /** Since when the oldest due operation is due. */
  readonly operationDueSince: number | null
  /** Since when the oldest due inbox entry is due. */
  readonly inboxDueSince: number | null
  /** Attempts with an unknown outcome. */
  readonly unknownAttempts: number
  /** When the oldest of them started. */
  readonly unknownSince: number | null
  /** Payments with open reviews. */
  readonly inReview: number
  readonly parkedInbox: number
}

export class PaymentStore extends Context.Service<
  PaymentStore,
  {
    /** Only one engine can use this store at a time (SQLite): unfinished work of another owner is abandoned. */
    readonly singleEngine: boolean
    /** ms after which a `begin` of any engine is visible or will never be; 0 if there is a single engine. */
    readonly slowestCommit: number
    /**
     * The time of the database in ms UTC, which all of its engines share: a claim, a lease or the age of an operation must
     * not depend on the clock of one machine.
     */
    readonly now: Effect.Effect<number>
    /** Makes a commit; fails while commits of payments fail. For health checks: about once a second. */
    readonly ready: Effect.Effect<void, StoreUnavailable>
    /**
     * Why nothing may be acknowledged any more, even if it was committed: a restart would not find it. One sentence for
     * operators, without a path; `null`: what is committed is kept.
     */
    readonly lost: Effect.Effect<string | null>
    readonly begin: (commit: BeginCommit) => Effect.Effect<BeginResult, StoreUnavailable>
    readonly advance: (commit: AdvanceCommit) => Effect.Effect<AdvanceResult, StoreUnavailable>
    readonly get: (id: PaymentId) => Effect.Effect<PaymentRecord | null, StoreUnavailable>
    /**
     * The same for what is acted on after a commit without a reply: fails unless the database confirms that what it has of
     * the payment survives a failover, as far as commits wait for that.
     */
    readonly getConfirmed: (id: PaymentId) => Effect.Effect<PaymentRecord | null, StoreUnavailable>
    /** Of this tenant only: another tenant's payment is not found. */
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
    /** The payment whose id is last, of any account; `null`: there is no payment. */
    readonly newest: Effect.Effect<NewestPayment | null, StoreUnavailable>
    /** `ListTimedOut`: the query took longer than two seconds. It blocks nothing else. */
    readonly list: (tenant: Tenant, query: ListQuery) => Effect.Effect<Page, StoreUnavailable | ListTimedOut>
    readonly findKey: (tenant: Tenant, endpoint: string, key: string) => Effect.Effect<KeptKey | null, StoreUnavailable>
    /** Stores the bytes unless some are stored already; returns the stored bytes. */
    readonly keepAnswer: (answer: AnswerToKeep) => Effect.Effect<string, StoreUnavailable>
    /**
     * Stores the adapter's reference durably with the operation and returns `true`. `false`: the operation has another
     * reference than `expected` by now, or is settled; nothing was written.
     */
    readonly checkpoint: (
      operation: OperationId,
      expected: string | null,
      reference: string
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Stores another reference under which the payment of this create operation is found. No effect if it is the charge of
     * another payment.
     */
    readonly remember: (operation: OperationId, reference: string) => Effect.Effect<void, StoreUnavailable>
    /** The instances with an operation that can be claimed at `now` (ms UTC). Its cost does not grow with the number of operations. */
    readonly dueProviders: (now: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * The instances with an operation that the engine still checks, ended ones that are looked at again included. Its cost does
     * not grow with the number of operations.
     */
    readonly openProviders: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** The open operations and holds of one instance that the engine still checks: it counts the first thousand of them. */
    readonly openOperations: (provider: string) => Effect.Effect<OpenOperations, StoreUnavailable>
    /** Operations of one instance whose `nextCheckAt` is reached, each with its payment; claimed for `owner`, the longest due first. */
    readonly claimDue: (claim: Claim) => Effect.Effect<ReadonlyArray<DueOperation>, StoreUnavailable>
    /**
     * Sets the next check of an operation that does not change. Not a change of the payment; no effect if the status has
     * changed.
     */
    readonly reschedule: (
      operation: Pick<Operation, "id" | "status">,
      checks: number,
      nextCheckAt: number | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Makes operations of other owners in `sending` due immediately. For a store of a single engine, at its start. */
    readonly releaseOrphans: (owner: string, now: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Makes operations and reports due whose time was set by a clock that was ahead and is set right by now. Returns their
     * number; 0: none is left. It may scan all that is scheduled, so it is not for a poll.
     */
    readonly correctDueTimes: (correction: DueCorrection) => Effect.Effect<number, StoreUnavailable>
    /**
     * First attempts that ended in the time asked for and are not in flight, over all accounts. Those that follow a decline
     * are of payments that were declined before: they are not counted.
     */
    readonly attemptCounts: (query: AttemptCountQuery) => Effect.Effect<ReadonlyArray<AttemptCount>, StoreUnavailable>
    /**
     * First attempts that were started in the time asked for and are open: in flight now, or, if `before` is given, ended at
     * `before` or later, but within `longestOpen`. The latter were open at `before`: they count as `pending`, without a
     * code. Without `before`, its cost depends on the attempts in flight alone: it may be called every few seconds.
     */
    readonly openAttemptCounts: (
      query: AttemptCountQuery
    ) => Effect.Effect<ReadonlyArray<AttemptCount>, StoreUnavailable>
    /** Of one account and mode, the latest first. */
    readonly cardDeclines: (
      tenant: Tenant,
      query: CardDeclineQuery
    ) => Effect.Effect<ReadonlyArray<CardDecline>, StoreUnavailable>
    readonly routed: (
      tenant: Tenant,
      query: RoutedQuery
    ) => Effect.Effect<ReadonlyArray<RoutedPayment>, StoreUnavailable>
    /** The evidence of a payment's changes, in order: all of it, or the `last` rows (1 or more). */
    readonly evidenceOf: (id: PaymentId, last?: number) => Effect.Effect<ReadonlyArray<EvidenceRow>, StoreUnavailable>
    /** Events that the webhook sender has not fanned out yet, oldest first. */
    readonly undispatchedEvents: (limit: number) => Effect.Effect<ReadonlyArray<PaymentEvent>, StoreUnavailable>
    /** An event, or several in any order, each once. Not found: `null`, or left out. */
    readonly findEvent: (id: EventId) => Effect.Effect<PaymentEvent | null, StoreUnavailable>
    readonly findEvents: (ids: ReadonlyArray<EventId>) => Effect.Effect<ReadonlyArray<PaymentEvent>, StoreUnavailable>
    /** A page of the tenant's events, in the order of the sequence. */
    readonly eventsAfter: (tenant: Tenant, query: EventsQuery) => Effect.Effect<EventsAfter, StoreUnavailable>
    readonly markDispatched: (ids: ReadonlyArray<EventId>, now: number) => Effect.Effect<void, StoreUnavailable>
    /** As of `now` (ms UTC). Its cost does not grow with the number of payments: it may be called every few seconds. */
    readonly backlog: (now: number) => Effect.Effect<Backlog, StoreUnavailable>
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
  /** ms UTC */
  readonly createdAt: number
}

export interface DueOperation {
  readonly operation: Operation
  readonly record: PaymentRecord
}

/** Which process runs a provider's background process. The fence protects the writes, not the lease. */
export interface LeaseStore {
  /**
   * Acquires or renews the lease until `until`. Returns its fence, which grows with every change of owner; `null`: another
   * owner holds it. `latest`: a lease that ends later (ms UTC) keeps no other owner out.
   */
  readonly hold: (
    name: string,
    claim: { readonly owner: string; readonly now: number; readonly until: number; readonly latest?: number }
  ) => Effect.Effect<number | null, StoreUnavailable>
  /** Releases it, if the owner still holds it. */
  readonly release: (name: string, owner: string) => Effect.Effect<void, StoreUnavailable>
}

/** The lease of a write: the write is rejected if the lease has another fence by now. */
export interface HeldLease {
  readonly name: string
  readonly fence: number
}

/** Durable keys and counters of provider instances. */
export interface ProviderStateStore {
  readonly get: (provider: string, key: string) => Effect.Effect<string | null, StoreUnavailable>
  /** `false`: the value has changed, or the lease is lost. */
  readonly compareAndSet: (
    provider: string,
    key: string,
    expected: string | null,
    value: string,
    lease: HeldLease | null
  ) => Effect.Effect<boolean, StoreUnavailable>
  readonly next: (provider: string, counter: string) => Effect.Effect<number, StoreUnavailable>
}
