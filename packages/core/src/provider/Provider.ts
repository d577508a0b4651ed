/**
 * The contract between the engine and a provider's adapter.
 *
 * An adapter is a few plain functions over one operation at a time. It does not retry, does not fail over, keeps no
 * state of its own and never decides what an outcome means for the payment: it says what the provider said. The engine
 * wraps it with the deadline, the breaker, the bulkhead, spans and redaction.
 *
 * Gotchas:
 * - Every function may be called again for the same operation, with the same `key`, after a crash.
 * - A function may be interrupted at its deadline: what it sent by then counts as unknown.
 * - Several calls run at the same time, of one instance and in several processes.
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
import type { InquiryOutcome, SendOutcome } from "./Outcome.ts"
import type { ProviderError, WebhookRefused } from "./ProviderError.ts"

/** The version of this contract: what `defineProvider` writes into every instance that it makes. */
export const SPEC_VERSION = 2

/** The versions that this engine supports. A provider of another version is rejected at start, with what to update. */
export const SPEC_VERSIONS = [2] as const

/** Test instances get test payments, live ones live payments; nothing crosses. The credentials tell which it is. */
export type ProviderMode = "test" | "live"

/**
 * One thing to do, with all that a provider may need to know. An inquiry gets the operation that it asks about; a later
 * call about the same operation gets the same facts again, with the `reference` that is known by then.
 */
export interface ProviderOperation {
  /** Ours, `op_…`: give it to the vendor as its reference of us, where it takes one, to be found by it. */
  readonly id: OperationId
  /** What is to be done; in an inquiry, what was. */
  readonly kind: OperationKind
  /** Ours, `pay_…`: what the merchant knows the payment by. Several operations belong to one payment. */
  readonly paymentId: PaymentId
  /** How much is to be taken, captured, let go or given back by this operation, in minor units. */
  readonly amount: Money
  /**
   * The idempotency key: a random UUID, and the same over every send of this operation. Format it as the vendor wants,
   * never make another.
   */
  readonly key: IdempotencyKey
  /**
   * The provider's name for this operation (its id of the order, intent, refund or address), as `checkpoint` or an
   * earlier answer left it; `null` until then.
   */
  readonly reference: string | null
  /** What was created, for a capture, a cancel or a refund of it; `null` on a create. */
  readonly original: { readonly reference: string | null; readonly key: IdempotencyKey; readonly amount: Money } | null
  /** The merchant's words for a refund. */
  readonly reason: string | null
  /** How the payer pays. Always of a rail and flow that this instance declared. */
  readonly method: PaymentMethod
  /** `manual`: hold the funds only, and answer `Authorized`; the capture is a later operation. */
  readonly captureMethod: CaptureMethod
  /** Who pays: an email address, a phone number and, when it is known, a name. */
  readonly customer: Customer
  /** The payer's device, when the merchant told of it. Declare what you cannot do without as `requires`. */
  readonly client: Client | null
  /** The merchant's words for the payer's statement or the vendor's dashboard. */
  readonly description: string | null
  /** The merchant's own notes. Send them on only where the vendor has a place for them. */
  readonly metadata: { readonly [key: string]: string }
  /** Where the provider sends the shopper back to after a page of its own: give it to the vendor as it is. */
  readonly returnUrl: string | null
  /** ms UTC; after it nobody listens, and the call is interrupted. */
  readonly deadlineAt: number
  /** ms UTC, when the operation was committed. */
  readonly createdAt: number
}

/**
 * What an adapter can do: one function for each kind of operation, and for the ways in which a provider speaks first.
 * What `capabilities` declares must be here, and what is not declared there is never called.
 */
export interface ProviderOperations {
  /** Takes the money, holds it, or opens what the payer completes. */
  readonly create: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /**
   * Settles an unknown outcome of any kind of operation (`operation.kind` says which), and moves no money: at most it
   * closes what it finds over, so that nobody pays it later. Needed wherever `inquiry` is declared.
   */
  readonly inquire?: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>
  /** Takes what `operation.original` holds, or the part of it that `amount` says. */
  readonly capture?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /** Lets go what `operation.original` holds, or closes what its payer has not completed. */
  readonly cancel?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /** Gives back `amount` of what `operation.original` took. */
  readonly refund?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /**
   * The shopper came back from the provider's page; `query` is what the provider appended to `returnUrl`. It proves
   * nothing by itself: ask the provider, or check its signature.
   */
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string }
  ) => Effect.Effect<InquiryOutcome, ProviderError>
  /**
   * The provider posted a webhook. Verify the signature over the raw bytes before you parse or believe anything; header
   * names are in lower case. An empty list: it is authentic, and tells of nothing that matters here. Touches no
   * database: what it answers is kept before the provider gets its answer.
   */
  readonly webhook?: (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ) => Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>
  /**
   * A background process, such as a chain scanner: it looks, and tells by `context.emit`. One per instance over all
   * processes; it is started again when it breaks, and ends with the engine.
   */
  readonly run?: Effect.Effect<never>
}

/** A durable key-value store of this instance. Nothing here takes part in the engine's own transactions. */
export interface ProviderState {
  /** `null`: nothing was written there. */
  readonly get: (key: string) => Effect.Effect<string | null>
  /** Writes only where the value is still `expected` (`null`: absent); answers whether it wrote. */
  readonly compareAndSet: (key: string, expected: string | null, value: string) => Effect.Effect<boolean>
  /** 1, 2, 3 … of the counter's name; never the same number twice, in any process. */
  readonly next: (counter: string) => Effect.Effect<number>
}

/** What the engine gives an instance when it is made. */
export interface ProviderContext {
  /** The instance's id, as routing rules name it. */
  readonly id: string
  /** Where this server is reached from outside, without a trailing slash: webhooks come to `{publicUrl}/webhooks/{id}`. */
  readonly publicUrl: string
  /**
   * Keeps the provider's name for the operation: durable before it returns, and handed back as `operation.reference` in
   * every later call. Where one call of yours makes two requests, checkpoint between them what the first has made.
   */
  readonly checkpoint: (
    operation: Pick<ProviderOperation, "id" | "reference">,
    reference: string
  ) => Effect.Effect<void>
  /** What this instance keeps over restarts, beside the references of its operations. */
  readonly state: ProviderState
  /** Tells of what was seen without being asked. Returns when it is applied, or kept for a payment to come. */
  readonly emit: (evidence: Evidence) => Effect.Effect<void>
}

/**
 * An instance as it is given to the engine: configured, not yet started. Plain data and one function, made by
 * `defineProvider`.
 */
export interface Provider<Id extends string = string> {
  /** The version of the contract that it was made for. `defineProvider` writes it. */
  readonly specVersion: (typeof SPEC_VERSIONS)[number]
  /** Unique among the configured ones; routing rules name it. */
  readonly id: Id
  /** Whether it moves real money. */
  readonly mode: ProviderMode
  /** What it can do: read before it is made, by the router and by the failover rules. */
  readonly capabilities: Capabilities
  /** Called once in each process, when the engine starts. What it acquires in its scope is released when the engine ends. */
  readonly make: (context: ProviderContext) => Effect.Effect<ProviderOperations, never, Scope.Scope>
}
