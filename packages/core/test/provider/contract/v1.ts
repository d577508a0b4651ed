/**
 * Version 1 of the provider contract, frozen: what adapters in the world were written for. Nothing here is ever changed.
 *
 * When `contract.test.ts` does not compile against it any more, adapters that are out there would break: raise
 * `SPEC_VERSION`, freeze the new contract beside this one, and either keep taking version 1 (translate it where providers
 * are made, leave it in `SPEC_VERSIONS`) or refuse it (take it out of `SPEC_VERSIONS`, which says so at start).
 * Or make the change one that an old adapter need not know of: a new member that may be left out, a new fact that it is
 * given, a new word that it may say.
 *
 * Ids and currency codes are opaque strings, and so are not frozen; effect is the one copy that both sides share.
 */
import type { Cause, Duration, Effect, Scope } from "effect"
import type { Currency } from "../../../src/domain/Currency.ts"
import type { IdempotencyKey, OperationId, PaymentId } from "../../../src/domain/Ids.ts"

export interface Provider {
  readonly specVersion: 1
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
  readonly customer: { readonly email: string; readonly phone: string; readonly name: string | null }
  readonly client: {
    readonly ip: string | null
    readonly userAgent: string | null
    readonly referer: string | null
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
  readonly create: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  readonly inquire?: (operation: ProviderOperation) => Effect.Effect<Inquiry, ProviderError>
  readonly capture?: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  readonly cancel?: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  readonly refund?: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string }
  ) => Effect.Effect<Inquiry, ProviderError>
  readonly webhook?: (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ) => Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>
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
}

export interface MethodCapability {
  readonly currencies: ReadonlyArray<string> | "any"
  readonly flows: {
    readonly [flow in "intent" | "qr" | "collect" | "hosted" | "token" | "transfer"]?: {
      readonly requires?: ReadonlyArray<
        "client.ip" | "client.user_agent" | "client.referer" | "customer.name" | "return_url"
      >
    }
  }
  readonly amount?: { readonly min?: number; readonly max?: number }
  readonly captureMethods?: ReadonlyArray<CaptureMethod>
  readonly networks?: ReadonlyArray<string>
  readonly assets?: ReadonlyArray<{ readonly asset: string; readonly network: string }>
}

export interface IdempotencyCapability {
  readonly by: "header" | "body" | "reference" | "lookup" | "none"
  readonly lifetime?: Duration.Input
}

export interface InquiryCapability {
  readonly by: "reference" | "providerReference" | "replay" | "none"
  readonly costly?: boolean
  readonly notFoundIsFinalAfter?: Duration.Input
}

export interface OperationCapability {
  readonly idempotency?: IdempotencyCapability
  readonly inquiry?: InquiryCapability
  readonly proof?: ReadonlyArray<string>
  readonly rateLimitIsNotExecuted?: boolean
  readonly partial?: boolean
}

export interface CreateCapability extends OperationCapability {
  readonly declineIsFinal?: boolean
  readonly abandonedAfter?: Duration.Input
}

interface Told {
  readonly reference?: string
  readonly vendorCode?: string
}

export type Outcome =
  | (Told & { readonly _tag: "Succeeded"; readonly amount?: Money })
  | (Told & { readonly _tag: "Authorized"; readonly amount?: Money })
  | (Told & { readonly _tag: "Pending"; readonly nextAction?: NextAction; readonly awaitingFinality?: boolean })
  | (Told & { readonly _tag: "Declined"; readonly code: DeclineCode; readonly retry: RetryClass })
  | (Told & { readonly _tag: "NotExecuted"; readonly reason: NotExecutedReason })
  | (Told & { readonly _tag: "Unknown"; readonly reason: UnknownReason })

export type Inquiry =
  | Outcome
  | (Told & { readonly _tag: "NotFound" })
  | (Told & { readonly _tag: "Expired" })
  | (Told & { readonly _tag: "Canceled" })

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
      readonly expiresAt: number | null
    }
  | { readonly type: "wait"; readonly expiresAt: number | null }

export interface Evidence {
  readonly source: "reply" | "webhook" | "inquiry" | "return" | "observed" | "operator"
  readonly about:
    | { readonly operation: OperationId }
    | { readonly provider: string; readonly providerReference: string }
  readonly claim: EvidenceClaim
  readonly reference: string | null
  readonly vendorCode: string | null
  readonly eventId: string | null
  readonly occurredAt: number | null
}

export type EvidenceClaim =
  | { readonly kind: "succeeded"; readonly amount: Money | null }
  | { readonly kind: "authorized"; readonly amount: Money | null }
  | { readonly kind: "pending"; readonly nextAction: NextAction | null; readonly awaitingFinality: boolean }
  | { readonly kind: "declined"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly kind: "not_executed"; readonly reason: NotExecutedReason }
  | { readonly kind: "unknown"; readonly reason: UnknownReason }
  | { readonly kind: "canceled" }
  | { readonly kind: "expired" }
  | { readonly kind: "not_found" }
  | { readonly kind: "detected"; readonly amount: Money | null; readonly asset: string | null }
  | { readonly kind: "retracted" }
  | { readonly kind: "captured"; readonly amount: Money | null }
  | { readonly kind: "capture_failed" }
  | { readonly kind: "refund_pending" }
  | { readonly kind: "refund_succeeded"; readonly amount: Money | null }
  | { readonly kind: "refund_failed" }
  | { readonly kind: "disputed" }

export interface ProviderError extends Cause.YieldableError {
  readonly _tag: "ProviderError"
  readonly reason: ProviderErrorReason
}

export type ProviderErrorReason = Misconfigured | RateLimited | InvalidRequest

export interface Misconfigured extends Cause.YieldableError {
  readonly _tag: "Misconfigured"
  readonly detail: string
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
