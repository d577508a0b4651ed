/**
 * The contract between the engine and a provider's adapter.
 *
 * An adapter is a few plain functions over one operation at a time. It does not retry, does not fail over, has no state
 * of its own and never decides the consequences of an outcome for the payment: it reports the provider's answer. The
 * engine adds the deadline, the breaker, the bulkhead, spans and redaction.
 *
 * Gotchas:
 * - Every function may be called again for the same operation, with the same `key`, after a crash.
 * - A function may be interrupted at its deadline: the outcome of its request is unknown.
 * - Several calls of one instance run concurrently, also in several processes.
 * - The engine relies on what `capabilities` declares, and assumes the worst case for everything else.
 */
import type { Effect, Scope } from "effect"
import type { IdempotencyKey, OperationId, PaymentId } from "../domain/Ids.ts"
import type { Money } from "../domain/Money.ts"
import type { OperationKind } from "../domain/Operation.ts"
import type { CaptureMethod, Client, Customer } from "../domain/Payment.ts"
import type { ServedMethod } from "../domain/PaymentMethod.ts"
import type { Capabilities } from "./Capabilities.ts"
import type { Evidence } from "../domain/Evidence.ts"
import type { InquiryOutcome, SendOutcome } from "../domain/Outcome.ts"
import type { ProviderError, WebhookRefused } from "./ProviderError.ts"
import type { StatementPage, StatementQuery } from "./Statement.ts"

/** The version of this contract. `defineProvider` writes it into every instance. */
export const SPEC_VERSION = 3

/**
 * The contract versions that this engine supports. It rejects a provider of another version at start; the error names
 * the package to update.
 */
export const SPEC_VERSIONS = [3] as const

/**
 * The mode of an instance: test instances process only test payments, live instances only live payments. The
 * credentials determine the mode.
 */
export type ProviderMode = "test" | "live"

/**
 * One operation, with all facts that a provider may need. An inquiry gets the operation whose outcome it must find.
 * Every call for an operation gets the same facts, and `reference` as soon as the provider's reference is known.
 */
export interface ProviderOperation {
  /**
   * Our id of the operation: `op_`, 26 letters and digits, and in an installation with cells `_` and the cell's name
   * (38 characters at most). If the vendor accepts a merchant reference, send this id, so that an inquiry can find the
   * operation. If a database lost its last commits and a client repeats a request with its idempotency key, the id is
   * the same again.
   */
  readonly id: OperationId
  /** The kind of the operation; for an inquiry, the kind of the inquired operation. */
  readonly kind: OperationKind
  /**
   * Our id of the payment, `pay_…`, which the merchant knows. One payment has several operations. Do not send this id:
   * it changes if a client repeats a request whose commit was lost, and the vendor would process the request as a new
   * one.
   */
  readonly paymentId: PaymentId
  /** The amount to charge, capture, release or refund, in minor units. */
  readonly amount: Money
  /**
   * The idempotency key: a UUID, the same for every send of this operation, also (like `id`) if the request is repeated
   * after a lost commit. Convert it if the vendor needs another format; never create a new key.
   */
  readonly key: IdempotencyKey
  /**
   * The provider's reference of this operation (its id of the order, intent, refund or address), from `checkpoint` or
   * an earlier response; `null` until then.
   */
  readonly reference: string | null
  /** The create operation of the payment, for a capture, cancel or refund; `null` for a create. */
  readonly original: { readonly reference: string | null; readonly key: IdempotencyKey; readonly amount: Money } | null
  /** The merchant's reason for a refund. */
  readonly reason: string | null
  /** The payment method of the payer: a rail and flow that this instance declared. */
  readonly method: ServedMethod
  /**
   * Whether to capture the funds automatically. `manual`: only authorize (hold) the funds, and return `Authorized`; a
   * separate operation captures them.
   */
  readonly captureMethod: CaptureMethod
  /**
   * The payer. At least one of the email address and the phone number is known. If the vendor needs more, declare it as
   * `requires` of the flow.
   */
  readonly customer: Customer
  /** The payer's device, if the merchant sent it. Declare the facts that the adapter needs as `requires`. */
  readonly client: Client | null
  /** The merchant's text for the payer's statement or the vendor's dashboard. */
  readonly description: string | null
  /** The merchant's metadata. Send it only if the vendor has a field for it. */
  readonly metadata: { readonly [key: string]: string }
  /** The URL to which the provider redirects the shopper after its page: send it to the vendor unchanged. */
  readonly returnUrl: string | null
  /** The deadline, ms UTC. At this time the call is interrupted, and its result is ignored. */
  readonly deadlineAt: number
  /**
   * The time at which the operation was committed, ms UTC. If its commit is lost and the request is repeated, this time
   * is later than the first send, so a time that the adapter computes from it changes. Send such a time only if the
   * vendor identifies a request by its key or reference, not by its content.
   */
  readonly createdAt: number
}

/**
 * The functions of an adapter: one for each kind of operation, and those that receive reports of the provider. Every
 * operation that `capabilities` declares needs its function; a function that is not declared is never called.
 */
export interface ProviderOperations {
  /** Charges or holds the amount, or creates the object that the payer completes, such as an order or a page. */
  readonly create: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /**
   * Finds the outcome of an operation of any kind (`operation.kind`), and moves no money: at most it closes an order
   * that has ended, so that it cannot be paid later. Required if `inquiry` is declared.
   */
  readonly inquire?: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>
  /** Captures `amount` of the funds that `operation.original` holds. */
  readonly capture?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /** Releases the funds that `operation.original` holds, or closes an object that its payer has not completed. */
  readonly cancel?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /** Refunds `amount` of the charge of `operation.original`. */
  readonly refund?: (operation: ProviderOperation) => Effect.Effect<SendOutcome, ProviderError>
  /**
   * Handles the return of the shopper from the provider's page; `query` has the parameters that the provider appended
   * to `returnUrl`. They are no proof: inquire at the provider, or verify its signature.
   */
  readonly complete?: (
    operation: ProviderOperation,
    query: { readonly [key: string]: string }
  ) => Effect.Effect<InquiryOutcome, ProviderError>
  /**
   * Reads a webhook of the provider. Verify the signature over the raw bytes before you parse anything; header names
   * are in lower case. Return an empty list for an authentic webhook that concerns no operation. Do not use a database:
   * the engine stores the evidence before it responds to the provider.
   *
   * `receivedAt`: the time at which the webhook was received, ms UTC. The engine keeps webhooks of an instance that is
   * not configured, and passes them on when it is configured again, up to 30 days later. So compare the webhook's
   * timestamp with `receivedAt` instead of the clock, and declare this with `asOfReceipt`. Without the declaration such
   * webhooks are parked for an operator, and never applied.
   */
  readonly webhook?: ((
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    receivedAt: number
  ) => Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused>) & { readonly asOf?: "receipt" }
  /**
   * Reads a page of the provider's own statement: the bookings from `since` until before `until`. Required if
   * `statement` is declared.
   */
  readonly statement?: (query: StatementQuery) => Effect.Effect<StatementPage, ProviderError>
  /**
   * A background process, such as a chain scanner. It reports with `context.emit`. It runs once per instance across all
   * processes, is restarted after a failure, and ends with the engine.
   */
  readonly run?: Effect.Effect<never>
}

/** A durable key-value store of this instance, outside of the engine's transactions. */
export interface ProviderState {
  /** Reads the value of a key; `null`: the key is absent. */
  readonly get: (key: string) => Effect.Effect<string | null>
  /** Writes the value only if the current one is still `expected` (`null`: absent); returns whether it wrote. */
  readonly compareAndSet: (key: string, expected: string | null, value: string) => Effect.Effect<boolean>
  /** Returns the next number of a counter: 1, 2, 3 …; never the same number twice, in any process. */
  readonly next: (counter: string) => Effect.Effect<number>
}

/** The facts and functions that the engine passes to `make`. */
export interface ProviderContext {
  /** The instance's id, as routing rules name it. */
  readonly id: string
  /** The public URL of this server, without a trailing slash. Webhooks are received at `{publicUrl}/webhooks/{id}`. */
  readonly publicUrl: string
  /**
   * Stores the provider's reference of the operation: durable before it returns, and passed as `operation.reference` to
   * every later call. If a function makes two requests, checkpoint the result of the first between them.
   */
  readonly checkpoint: (
    operation: Pick<ProviderOperation, "id" | "reference">,
    reference: string
  ) => Effect.Effect<void>
  /** The data that this instance stores across restarts, besides the references of its operations. */
  readonly state: ProviderState
  /**
   * Reports an observation. Returns when the engine has applied it, or has stored it because its payment is not
   * committed yet.
   */
  readonly emit: (evidence: Evidence) => Effect.Effect<void>
}

/**
 * An instance for the engine: configured, not started. Plain data and one function, made by `defineProvider`.
 */
export interface Provider<Id extends string = string> {
  /** The version of the contract that it implements. `defineProvider` writes it. */
  readonly specVersion: (typeof SPEC_VERSIONS)[number]
  /** The id of the instance, unique among the configured instances; routing rules refer to it. */
  readonly id: Id
  /**
   * The id of the adapter's definition, such as `stripe`. It does not depend on the id of the instance.
   * `defineProvider` writes it.
   */
  readonly adapter?: string
  /** The mode: live instances move real money. */
  readonly mode: ProviderMode
  /** The capabilities. The router and the failover rules read them before the instance is started. */
  readonly capabilities: Capabilities
  /** Whether the instance is retired: it takes no new payments, and still serves its earlier ones. */
  readonly retired?: true
  /** The former ids of the instance, oldest first: its earlier operations have them. Absent: it had no other id. */
  readonly formerly?: ReadonlyArray<string>
  /** Starts the instance, once in each process, when the engine starts. Its scope is closed when the engine ends. */
  readonly make: (context: ProviderContext) => Effect.Effect<ProviderOperations, never, Scope.Scope>
}
