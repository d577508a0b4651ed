/**
 * The contract between the engine and a provider's adapter, version 1.
 *
 * An adapter is a few plain functions over one operation at a time. It does not retry, does not fail over, keeps no
 * state of its own and never decides what an outcome means for the payment: it says what the provider said. The engine
 * wraps it with the deadline, the breaker, the bulkhead, spans and redaction.
 *
 * Gotchas:
 * - Every function may be called again for the same operation, with the same `key`, after a crash.
 * - A function may be interrupted at its deadline: what it sent by then counts as unknown.
 * - Whatever is declared in `capabilities` is relied upon; whatever is not is assumed to be the worst case.
 */
import type { Effect, Scope } from "effect"
import type { IdempotencyKey, OperationId, PaymentId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { OperationKind } from "../domain/Operation.ts"
import type { CaptureMethod, Client, Customer } from "../domain/Payment.ts"
import type { PaymentMethod } from "../domain/PaymentMethod.ts"
import type { Capabilities } from "./Capabilities.ts"
import type { Evidence } from "./Evidence.ts"
import type { Inquiry, Outcome } from "./Outcome.ts"
import type { ProviderError, WebhookRefused } from "./ProviderError.ts"

/** The version of this contract. A provider made for another one is refused at start, with a sentence. */
export const SPEC_VERSION = 1

/** Test instances get test payments, live ones live payments; nothing crosses. */
export type ProviderMode = "test" | "live"

/** One thing to do, with all that a provider may need to know. */
export interface ProviderOperation {
  readonly id: OperationId
  readonly kind: OperationKind
  readonly paymentId: PaymentId
  readonly amount: Money
  /** Random, and the same over every send of this operation: format it as the vendor wants, never make another. */
  readonly key: IdempotencyKey
  /** What `checkpoint` or an earlier answer left: the provider's id of the order, intent or address. */
  readonly reference: string | null
  /** What was created, for a capture, a cancel or a refund of it; `null` on a create. */
  readonly original: { readonly reference: string | null; readonly key: IdempotencyKey; readonly amount: Money } | null
  /** The merchant's words for a refund. */
  readonly reason: string | null
  readonly method: PaymentMethod
  readonly captureMethod: CaptureMethod
  readonly customer: Customer
  readonly client: Client | null
  readonly description: string | null
  readonly metadata: { readonly [key: string]: string }
  /** Where the provider sends the shopper back to. */
  readonly returnUrl: string | null
  /** ms UTC; after it nobody listens. */
  readonly deadlineAt: number
  /** ms UTC, when the operation was committed. */
  readonly createdAt: number
}

export interface ProviderOperations {
  readonly create: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  /** Settles an unknown outcome of any kind of operation. Needed wherever `inquiry` is declared. */
  readonly inquire?: (operation: ProviderOperation) => Effect.Effect<Inquiry, ProviderError>
  readonly capture?: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  readonly cancel?: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  readonly refund?: (operation: ProviderOperation) => Effect.Effect<Outcome, ProviderError>
  /** The shopper came back; `query` is what the provider appended, and proves nothing by itself. */
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string }
  ) => Effect.Effect<Inquiry, ProviderError>
  /** Verifies over the raw bytes before it believes anything. Touches no database. */
  readonly webhook?: (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ) => Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>
  /** A background process, one per instance (a chain scanner); ends with the engine. */
  readonly run?: Effect.Effect<never>
}

/** A durable key-value store of this instance. */
export interface ProviderState {
  readonly get: (key: string) => Effect.Effect<string | null>
  /** Writes only where the value is still `expected` (`null`: absent); answers whether it wrote. */
  readonly compareAndSet: (key: string, expected: string | null, value: string) => Effect.Effect<boolean>
  /** 1, 2, 3 … never the same number twice. */
  readonly next: (counter: string) => Effect.Effect<number>
}

/** What the engine gives an instance when it is made. */
export interface ProviderContext {
  /** The instance's id. */
  readonly id: string
  /** Where this server is reached from outside, without a trailing slash. */
  readonly publicUrl: string
  /** Durable on the attempt before it returns, and handed back as `operation.reference` in every later call. */
  readonly checkpoint: (operation: ProviderOperation, reference: string) => Effect.Effect<void>
  readonly state: ProviderState
  /** Into the one door. */
  readonly emit: (evidence: Evidence) => Effect.Effect<void>
}

/** An instance as it is given to the engine: configured, not yet started. */
export interface Provider<Id extends string = string> {
  readonly specVersion: typeof SPEC_VERSION
  /** Unique among the configured ones; routing rules name it. */
  readonly id: Id
  readonly mode: ProviderMode
  readonly capabilities: Capabilities
  readonly make: (context: ProviderContext) => Effect.Effect<ProviderOperations, never, Scope.Scope>
}
