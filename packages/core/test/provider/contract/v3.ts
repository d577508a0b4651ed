/**
 * Version 3 of the provider contract: what published adapters are written for. It is frozen when the first adapter is published
 * outside of this repository, and never changed after that.
 *
 * If `contract.test.ts` does not compile against it, the change would break published adapters. Raise `SPEC_VERSION`, freeze the
 * new contract beside this one, and either keep supporting version 3 (translate it when providers are made, keep it in
 * `SPEC_VERSIONS`) or reject it (remove it from `SPEC_VERSIONS`; the engine then reports it at start).
 * Or make the change backward compatible: a new optional member, a new fact in what an adapter is given, a new outcome
 * that it may report.
 *
 * Versions 1 and 2 were replaced before they were published.
 *
 * Ids and currency codes are opaque strings, and so are not frozen; effect is the one copy that both sides share.
 */
import type { Cause, Duration, Effect, Scope } from "effect"
import type { Currency } from "../../../src/domain/Money.ts"
import type { IdempotencyKey, OperationId, PaymentId } from "../../../src/domain/Ids.ts"

export interface Provider {
  readonly specVersion: 3
  readonly id: string
  readonly mode: "test" | "live"
  readonly capabilities: Capabilities
  readonly make: (context: ProviderContext) => Effect.Effect<ProviderOperations, never, Scope.Scope>
}

// What the engine gives

export interface ProviderContext {
  readonly id: string
  readonly publicUrl: string
  readonly checkpoint: (
    operation: Pick<ProviderOperation, "id" | "reference">,
    reference: string
  ) => Effect.Effect<void>
  readonly state: ProviderState
  readonly emit: (evidence: Evidence) => Effect.Effect<void>
}

export interface ProviderState {
  readonly get: (key: string) => Effect.Effect<string | null>
  readonly compareAndSet: (key: string, expected: string | null, value: string) => Effect.Effect<boolean>
  readonly next: (counter: string) => Effect.Effect<number>
}

export interface ProviderOperation {
  readonly id: OperationId
  readonly kind: OperationKind
  readonly paymentId: PaymentId
  readonly amount: Money
  readonly key: IdempotencyKey
  readonly reference: string | null
  readonly original: { readonly reference: string | null; readonly key: IdempotencyKey; readonly amount: Money } | null
  readonly reason: string | null
  readonly method: PaymentMethod
  readonly captureMethod: CaptureMethod
  readonly customer: {
    readonly email: string | null
    readonly phone: string | null
    readonly name: string | null
    readonly address: {
      readonly line1: string
      readonly line2: string | null
      readonly city: string | null
      readonly state: string | null
      readonly postalCode: string | null
      readonly country: string
    } | null
  }
  readonly client: {
    readonly ip: string | null
    readonly userAgent: string | null
    readonly referer: string | null
    readonly acceptHeader: string | null
    readonly language: string | null
    readonly timeZone: string | null
    readonly screen: { readonly width: number; readonly height: number; readonly colorDepth: number } | null
  } | null
  readonly description: string | null
  readonly metadata: { readonly [key: string]: string }
  readonly returnUrl: string | null
  readonly deadlineAt: number
  readonly createdAt: number
}

export type OperationKind = "create" | "capture" | "cancel" | "refund"
export type CaptureMethod = "automatic" | "manual"

export interface Money {
  readonly minorUnits: number
  readonly currency: Currency
}

export type PaymentMethod = Upi | Card | Stablecoin

export interface Upi {
  readonly rail: "upi"
  readonly flow: "intent" | "qr" | "collect"
  readonly vpa: string | null
}

export interface Card {
  readonly rail: "card"
  readonly token: string | null
  readonly tokens: { readonly [provider: string]: string | { readonly [key: string]: unknown } }
  readonly network: string | null
  readonly country: string | null
  readonly funding: string | null
  readonly bin: string | null
  readonly fingerprint: string | null
}

export interface Stablecoin {
  readonly rail: "stablecoin"
  readonly asset: string | null
  readonly network: string | null
}

// What the adapter gives

export interface ProviderOperations {
  readonly create: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  readonly inquire?: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>
  readonly capture?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  readonly cancel?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  readonly refund?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string }
  ) => Effect.Effect<InquiryOutcome, ProviderError>
  readonly webhook?: ((
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    receivedAt: number
  ) => Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>) & { readonly asOf?: "receipt" }
  readonly run?: Effect.Effect<never>
}

export interface Capabilities {
  readonly methods: {
    readonly upi?: MethodCapability
    readonly card?: MethodCapability
    readonly stablecoin?: MethodCapability
  }
  readonly operations: {
    readonly create: CreateCapability
    readonly capture?: OperationCapability
    readonly cancel?: OperationCapability
    readonly refund?: OperationCapability
  }
  readonly accountHelp?: { readonly [vendorCode: string]: string }
}

export interface MethodCapability {
  readonly currencies: ReadonlyArray<string> | "any"
  readonly flows: {
    readonly [flow in "intent" | "qr" | "collect" | "hosted" | "token" | "transfer"]?: {
      readonly requires?: ReadonlyArray<RequiredFact>
      readonly captureMethods?: ReadonlyArray<CaptureMethod>
      readonly cancelable?: boolean
    }
  }
  readonly amounts?: ReadonlyArray<{ readonly currency: string; readonly min?: string; readonly max?: string }>
  readonly phoneCodes?: ReadonlyArray<string>
  readonly captureMethods?: ReadonlyArray<CaptureMethod>
  readonly networks?: ReadonlyArray<string>
  readonly assets?: ReadonlyArray<{ readonly asset: string; readonly network: string }>
}

export type RequiredFact =
  | "client.ip"
  | "client.user_agent"
  | "client.referer"
  | "client.accept_header"
  | "client.language"
  | "client.time_zone"
  | "client.screen"
  | "customer.email"
  | "customer.phone"
  | "customer.name"
  | "customer.address"
  | "description"
  | "return_url"

export interface IdempotencyCapability {
  readonly by: "header" | "body" | "reference" | "lookup" | "none"
  readonly lifetime?: Duration.Input
}

export interface InquiryCapability {
  readonly by: "reference" | "providerReference" | "replay" | "none"
  readonly costly?: boolean
  readonly notFoundIsFinalAfter?: Duration.Input
  readonly lookBackAfter?: ReadonlyArray<Duration.Input>
}

export interface OperationCapability {
  readonly idempotency?: IdempotencyCapability
  readonly inquiry?: InquiryCapability
  readonly proof?: ReadonlyArray<string>
  readonly rateLimitIsNotExecuted?: boolean
  readonly reports?: "movement" | "total"
  readonly partial?: boolean
}

export interface CreateCapability extends OperationCapability {
  readonly declineIsFinal?: boolean
  readonly cancelIsFinal?: boolean
  readonly abandonedAfter?: Duration.Input
}

interface Details {
  readonly reference?: string
  readonly vendorCode?: string
}

export type SendOutcome =
  | (Details & { readonly _tag: "Succeeded"; readonly amount?: Money })
  | (Details & { readonly _tag: "Authorized"; readonly amount?: Money })
  | (Details & { readonly _tag: "Pending"; readonly nextAction?: NextAction; readonly awaitingFinality?: boolean })
  | (Details & { readonly _tag: "Declined"; readonly code: DeclineCode; readonly retry: RetryClass })
  | (Details & { readonly _tag: "NotExecuted"; readonly reason: NotExecutedReason })
  | (Details & { readonly _tag: "Unknown"; readonly reason: UnknownReason })

export type InquiryOutcome =
  | SendOutcome
  | (Details & { readonly _tag: "NotFound" })
  | (Details & { readonly _tag: "Expired" })
  | (Details & { readonly _tag: "Canceled" })

export type Outcome =
  | InquiryOutcome
  | (Details & { readonly _tag: "Detected"; readonly amount?: Money; readonly asset?: string })
  | (Details & { readonly _tag: "Retracted" })
  | (Details & { readonly _tag: "Captured"; readonly amount?: Money })
  | (Details & { readonly _tag: "CaptureFailed" })
  | (Details & { readonly _tag: "RefundPending" })
  | (Details & { readonly _tag: "RefundSucceeded"; readonly amount?: Money })
  | (Details & { readonly _tag: "RefundFailed" })
  | (Details & { readonly _tag: "Unreadable" })
  | (Details & { readonly _tag: "Disputed" })

export type NotExecutedReason = "adapter_fault" | "not_sent" | "proof_code"
export type UnknownReason =
  | "timeout"
  | "reset"
  | "reset_reused"
  | "unreadable"
  | "server_error"
  | "duplicate"
  | "in_progress"
  | "unmapped"

export type RetryClass = "never" | "other_provider" | "same_later"
export type DeclineCode =
  | "insufficient_funds"
  | "do_not_honor"
  | "expired_card"
  | "incorrect_cvc"
  | "invalid_number"
  | "authentication_required"
  | "authentication_failed"
  | "lost_or_stolen"
  | "suspected_fraud"
  | "limit_exceeded"
  | "not_permitted"
  | "issuer_unavailable"
  | "processing_error"
  | "customer_canceled"
  | "customer_timeout"
  | "invalid_vpa"
  | "incorrect_pin"
  | "account_closed"
  | "unsupported"
  | "generic_decline"

export type NextAction =
  | { readonly type: "upi_intent"; readonly uri: string; readonly expiresAt: number | null }
  | {
      readonly type: "upi_qr"
      readonly payload: string | null
      readonly image: string | null
      readonly expiresAt: number | null
    }
  | { readonly type: "redirect"; readonly url: string; readonly expiresAt: number | null }
  | {
      readonly type: "stablecoin_transfer"
      readonly address: string
      readonly uri: string
      readonly amount: string
      readonly asset?: string
      readonly network?: string
      readonly image?: string | null
      readonly expiresAt: number | null
    }
  | { readonly type: "wait"; readonly expiresAt: number | null }

export interface Evidence {
  readonly source: "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator"
  readonly about:
    | { readonly operation: OperationId }
    | { readonly provider: string; readonly providerReference: string }
  readonly outcome: Outcome
  readonly eventId: string | null
  readonly occurredAt: number | null
}

export interface ProviderError extends Cause.YieldableError {
  readonly _tag: "ProviderError"
  readonly reason: ProviderErrorReason
}

export type ProviderErrorReason = Misconfigured | AccountNotEnabled | RateLimited | InvalidRequest

export interface Misconfigured extends Cause.YieldableError {
  readonly _tag: "Misconfigured"
  readonly detail: string
}

export interface AccountNotEnabled extends Cause.YieldableError {
  readonly _tag: "AccountNotEnabled"
  readonly code: string
  readonly about: "kind" | "payment" | RequiredFact
}

export interface RateLimited extends Cause.YieldableError {
  readonly _tag: "RateLimited"
  readonly retryAfterMs: number | null
}

export interface InvalidRequest extends Cause.YieldableError {
  readonly _tag: "InvalidRequest"
  readonly detail: string
}

export interface WebhookRefused extends Cause.YieldableError {
  readonly _tag: "WebhookRefused"
  readonly reason: "missing_signature" | "bad_signature" | "stale" | "malformed"
}
