/** The engine's operations in Promises, in the JSON of the wire: one shape, inside the process and over HTTP. */
import type { Erasure, ErasureReport, Inbox, Payments, Reviews, Tenant } from "@paymux/core"
import type { ProviderRegistry } from "@paymux/core/engine"
import { paymentError, PaymuxClosed, Unavailable } from "@paymux/core/wire"
import type {
  CapturePaymentJson,
  CreatePaymentJson,
  OperatorRefundJson,
  PaymentJson,
  RefundJson
} from "@paymux/core/wire"
import {
  breakerHistory,
  CurrentActor,
  dismissReport,
  getReport,
  getReviews,
  listBreakers,
  listEvents,
  listRefunds,
  listReports,
  listRequests,
  listReviews,
  matchReport,
  recordDispute,
  resolveReview,
  reviewConsequences
} from "@paymux/dashboard"
import type {
  Actor,
  AuditLog,
  Finding,
  Providers,
  RefundPageJson,
  RoutingRules,
  SignIn,
  TimelinePage,
  TimelineQuery,
  Users
} from "@paymux/dashboard"
import type { BreakerLog, RefundQuery, Statements, UnmatchedReports } from "@paymux/sql"
import { ApiKeys } from "@paymux/http"
import type { ApiKeyRecord, PaymentListJson, RefundListJson, RequestLog } from "@paymux/http"
import { Cause, Effect, Exit, Redacted } from "effect"
import type { Context } from "effect"
import type { Database } from "./Database.ts"
import * as AuditCalls from "./AuditCalls.ts"
import type { AuditOperations } from "./AuditCalls.ts"
import { called, calledOf } from "./called.ts"
import type { BreakerOperations } from "./BreakerOperations.ts"
import * as Customers from "./Customers.ts"
import type { CustomerToErase } from "./Customers.ts"
import type { DisputeOperations } from "./DisputeOperations.ts"
import * as EventCalls from "./EventCalls.ts"
import type { EventOperations } from "./EventCalls.ts"
import type { InFlight } from "./InFlight.ts"
import { leavingOutUndefined } from "./leavingOutUndefined.ts"
import * as PaymentCalls from "./PaymentCalls.ts"
import type { ListParameters, OperationOptions, RequestOptions } from "./PaymentCalls.ts"
import * as RequestCalls from "./RequestCalls.ts"
import type { RequestOperations } from "./RequestCalls.ts"
import type { ReportOperations } from "./ReportOperations.ts"
import type { ReviewOperations } from "./ReviewOperations.ts"
import * as ProviderCalls from "./ProviderCalls.ts"
import type { ProviderOperations } from "./ProviderCalls.ts"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"
import type { Installation } from "./secrets/Installation.ts"
import * as StatementCalls from "./StatementCalls.ts"
import type { StatementOperations } from "./StatementCalls.ts"
import * as StatisticsCalls from "./StatisticsCalls.ts"
import type { StatisticsOperations } from "./StatisticsCalls.ts"
import { rulesOperations } from "./RulesCalls.ts"
import type { RulesOperations } from "./RulesCalls.ts"
import { deliveryOperations, endpointOperations } from "./WebhookCalls.ts"
import type { WebhookDeliveryOperations, WebhookEndpointOperations, WebhookServices } from "./WebhookCalls.ts"

/** Every call rejects with the error's own class; of payments that is `PaymentError`, with a tagged `reason`. */
export interface Operations {
  readonly payments: {
    /** The body of `POST /v1/payments`. `idempotencyKey`: the same key and request answer the same payment. */
    readonly create: (payment: CreatePaymentJson, options?: RequestOptions) => Promise<PaymentJson>
    readonly get: (id: string) => Promise<PaymentJson>
    /** The query of `GET /v1/payments`. */
    readonly list: (parameters?: ListParameters) => Promise<PaymentListJson>
    /**
     * All that happened to a payment, oldest first: its request, routing, attempts, operations, evidence, books, events and
     * webhook deliveries. 100 items unless `limit` says otherwise (at most 500).
     */
    readonly timeline: (id: string, query?: Partial<TimelineQuery>) => Promise<TimelinePage>
    /** Captures an authorized payment; a partial capture (`amount`) releases the rest. */
    readonly capture: (id: string, capture?: CapturePaymentJson, options?: OperationOptions) => Promise<PaymentJson>
    /** Lets go of a hold, or closes what the payer has not done yet. */
    readonly cancel: (id: string, options?: OperationOptions) => Promise<PaymentJson>
  }
  readonly refunds: {
    /**
     * Refunds all that is left, or `amount`. Two equal calls are two refunds, unless they have the same key. `override`: the evidence
     * that it is right although disputes, or refunds made outside of Paymux, leave less.
     */
    readonly create: (paymentId: string, refund?: OperatorRefundJson, options?: OperationOptions) => Promise<RefundJson>
    readonly get: (id: string) => Promise<RefundJson>
    /** All of a payment, newest first. */
    readonly list: (paymentId: string) => Promise<RefundListJson>
    /** Of all payments, newest first; 20 unless `limit` says otherwise (at most 1000). */
    readonly search: (query?: Partial<RefundQuery>) => Promise<RefundPageJson>
  }
  readonly webhookEndpoints: WebhookEndpointOperations
  readonly webhookDeliveries: WebhookDeliveryOperations
  /** Of this account and mode. */
  readonly apiKeys: {
    /** `key` is given this once. */
    readonly create: (options?: { readonly name?: string }) => Promise<{ readonly id: string; readonly key: string }>
    /** Also those that hold no more, newest first; never their text. */
    readonly list: () => Promise<ReadonlyArray<ApiKeyRecord>>
    /**
     * A new key in the place of one that holds, which goes on for `overlapMs` (default 24 h, at most 30 days; 0 if it has
     * leaked). `key` is given this once.
     */
    readonly rotate: (id: string, options?: { readonly overlapMs?: number }) => Promise<RotatedKey>
    readonly revoke: (id: string) => Promise<void>
  }
  readonly customers: {
    /**
     * Erases the personal data of a customer's payments, or of one payment, wherever it is kept; the books stay. Payments on
     * which something is under way are left as they are, and named: erase them again later. It cannot be undone.
     */
    readonly erase: (customer: CustomerToErase) => Promise<ErasureReport>
  }
  readonly reviews: ReviewOperations
  readonly disputes: DisputeOperations
  readonly reports: ReportOperations
  readonly events: EventOperations
  readonly auditLog: AuditOperations
  readonly requests: RequestOperations
  readonly statements: StatementOperations
  readonly statistics: StatisticsOperations
  readonly breakers: BreakerOperations
  readonly providers: ProviderOperations
  /** Checks the configuration of this server, its database, rules, providers and public URL. It moves no money. */
  readonly doctor: () => Promise<ReadonlyArray<Finding>>
  readonly rules: RulesOperations
}

export interface RotatedKey {
  readonly id: string
  readonly key: string
  /** ms UTC until which the former key is accepted too. */
  readonly formerExpiresAt: number
}

type Services =
  | Database
  | Payments
  | Inbox
  | Reviews
  | UnmatchedReports
  | Statements
  | ProviderRegistry
  | Erasure
  | WebhookServices
  | AuditLog
  | ApiKeys
  | RequestLog
  | BreakerLog
  | Providers
  | RoutingRules
  | Installation
  | SignIn
  | Users

/** Runs an effect in the name of `actor`, and rejects with its own error. */
export type Run = <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>

export const runner =
  (actor: Actor, context: Context.Context<Services>, inFlight: InFlight): Run =>
  async (effect) => {
    if (!inFlight.begin()) throw paymentError(new Unavailable({ cause: new PaymuxClosed() }))
    const exit = await Effect.runPromiseExit(
      effect.pipe(Effect.provideService(CurrentActor, actor), Effect.provideContext(context))
    )
    inFlight.end()
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }

/** Everything is done for `tenant`, in the name of `actor`, until `inFlight` is closed. */
export const make = (
  tenant: Tenant,
  actor: Actor,
  context: Context.Context<Services>,
  inFlight: InFlight
): Operations => {
  const run = runner(actor, context, inFlight)
  return leavingOutUndefined({
    payments: {
      create: (payment, options = {}) => run(PaymentCalls.create(tenant, payment, options)),
      get: (id) => run(PaymentCalls.get(tenant, id)),
      list: (parameters = {}) => run(PaymentCalls.list(tenant, parameters)),
      timeline: (id, query = {}) => run(PaymentCalls.timeline(tenant, id, query)),
      capture: (id, asked = {}, options = {}) => run(PaymentCalls.capture(tenant, id, asked, options)),
      cancel: (id, options = {}) => run(PaymentCalls.cancel(tenant, id, options))
    },
    refunds: {
      create: (id, asked = {}, options = {}) => run(PaymentCalls.createRefund(tenant, id, asked, options)),
      get: (id) => run(PaymentCalls.getRefund(tenant, id)),
      list: (id) => run(PaymentCalls.listRefunds(tenant, id)),
      search: (query = {}) => run(called(listRefunds, tenant, query))
    },
    webhookEndpoints: endpointOperations(tenant, run),
    webhookDeliveries: deliveryOperations(tenant, run),
    apiKeys: {
      create: (options = {}) => run(createKey(tenant, options)),
      list: () => run(listKeys(tenant)),
      rotate: (id, options = {}) => run(rotateKey(tenant, id, options)),
      revoke: (id) => run(Effect.asVoid(ApiKeys.use((keys) => keys.revoke(id, tenant))))
    },
    reviews: {
      list: (query = {}) => run(called(listReviews, tenant, query)),
      get: (paymentId) => run(calledOf(getReviews, tenant, paymentId, {})),
      consequences: (paymentId, intended) => run(calledOf(reviewConsequences, tenant, paymentId, intended)),
      resolve: (paymentId, statement) => run(calledOf(resolveReview, tenant, paymentId, statement))
    },
    disputes: { record: (paymentId, statement) => run(calledOf(recordDispute, tenant, paymentId, statement)) },
    reports: {
      list: (query = {}) => run(called(listReports, tenant, query)),
      get: (id) => run(calledOf(getReport, tenant, id, {})),
      match: (id, to) => run(calledOf(matchReport, tenant, id, to)),
      dismiss: (id, options) => run(calledOf(dismissReport, tenant, id, options))
    },
    events: {
      list: (query = {}) => run(called(listEvents, tenant, query)),
      get: (id) => run(EventCalls.get(tenant, id)),
      read: (query = {}) => run(EventCalls.read(tenant, query))
    },
    requests: {
      list: (query = {}) => run(called(listRequests, tenant, query)),
      get: (id) => run(RequestCalls.get(tenant, id))
    },
    auditLog: { list: (query = {}) => run(AuditCalls.list(tenant, query)) },
    statements: {
      list: () => run(StatementCalls.list(tenant)),
      runs: (query = {}) => run(StatementCalls.runs(tenant, query)),
      differences: (query = {}) => run(StatementCalls.differences(tenant, query)),
      movements: (query) => run(StatementCalls.movements(tenant, query)),
      payout: (query) => run(StatementCalls.payout(tenant, query)),
      cancel: (id) => run(StatementCalls.cancel(tenant, id))
    },
    statistics: {
      series: (query = {}) => run(StatisticsCalls.series(tenant, query)),
      totals: (query = {}) => run(StatisticsCalls.totals(tenant, query))
    },
    rules: rulesOperations(tenant, run),
    customers: { erase: (customer) => run(Customers.erase(tenant, customer)) },
    breakers: {
      list: (filter = {}) => run(Effect.map(called(listBreakers, tenant, filter), ({ data }) => data)),
      history: (query = {}) => run(called(breakerHistory, tenant, query))
    },
    providers: {
      list: () => run(ProviderCalls.list(tenant)),
      check: (id) => run(ProviderCalls.check(tenant, id)),
      accountRefusals: (id) => run(ProviderCalls.accountRefusals(tenant, id))
    },
    doctor: () => run(ProviderCalls.doctor(tenant))
  })
}

const createKey = Effect.fnUntraced(function* (tenant: Tenant, options: { readonly name?: string }) {
  yield* PaymentCalls.asOptions(options)
  const { name = "default" } = options
  const { key, record } = yield* ApiKeys.use((keys) =>
    keys.create({ account: tenant.account, mode: tenant.livemode ? "live" : "test", name })
  )
  return { id: record.keyId, key: Redacted.value(key) }
})

const listKeys = Effect.fnUntraced(function* ({ account, livemode }: Tenant) {
  const all = yield* ApiKeys.use((keys) => keys.list(account))
  return all.filter((key) => key.livemode === livemode)
})

const rotateKey = Effect.fnUntraced(function* (tenant: Tenant, id: string, options: { readonly overlapMs?: number }) {
  yield* PaymentCalls.asOptions(options)
  const { overlapMs, ...others } = options
  // A misspelled option for a leaked key must not fall back to the default.
  const [misspelt] = Object.keys(others)
  if (misspelt !== undefined) return yield* PaymentCalls.invalid(`/${misspelt}`, "is not a known option")
  const { formerExpiresAt, key, record } = yield* ApiKeys.use((keys) =>
    keys.rotate(id, { of: tenant, ...(overlapMs === undefined ? {} : { overlap: overlapMs }) })
  )
  return { id: record.keyId, key: Redacted.value(key), formerExpiresAt }
})

/** The sandbox's key, the same at every start. */
export const testKey = (settings: PaymuxSettings) => ApiKeys.use((keys) => keys.ensureReadableTestKey(settings.account))
