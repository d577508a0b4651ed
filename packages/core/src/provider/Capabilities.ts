/**
 * The capabilities of a provider, as data. The router and the failover rules read it, and the capability table in an
 * adapter's README is generated from it.
 *
 * **The worst case is assumed for every undeclared capability**, and payments depend on the declarations: declare the
 * behavior that the vendor documents, and nothing that was only observed. Durations are a number of ms or text, such as
 * `"24 hours"`.
 */
import type { Duration } from "effect"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"
import type { CaptureMethod } from "../domain/Payment.ts"

/** The facts of a request that a flow can require, named as in the public JSON. */
export const requiredFacts = [
  "client.ip",
  "client.user_agent",
  "client.referer",
  "client.accept_header",
  "client.language",
  "client.time_zone",
  "client.screen",
  "customer.email",
  "customer.phone",
  "customer.name",
  "customer.address",
  "description",
  "return_url"
] as const

/** A fact of a request that a flow requires; a payment without this fact is not routed to the provider. */
export type RequiredFact = (typeof requiredFacts)[number]

/** The capabilities of a flow. `{}`: it is supported without conditions. */
export interface FlowCapability {
  /** The facts that the flow requires. It does not serve a payment without one of them. */
  readonly requires?: ReadonlyArray<RequiredFact>
  /** The supported capture methods of the flow. Default: those of the rail. */
  readonly captureMethods?: ReadonlyArray<CaptureMethod>
  /** Whether a payment by this flow can be canceled. Default: yes, if `operations.cancel` is declared. */
  readonly cancelable?: boolean
}

/** The capabilities of the instance on one rail. A payment that does not match is never sent to it. */
export interface MethodCapability {
  /** The supported currencies: ISO 4217 codes in capitals, or any. */
  readonly currencies: ReadonlyArray<string> | "any"
  /**
   * The supported flows. An absent flow is not supported. A UPI `intent` that the instance cannot serve, because a
   * required fact is missing, uses `hosted` if that is declared: the adapter then gets the flow `hosted`.
   */
  readonly flows: { readonly [flow in Flow]?: FlowCapability }
  /**
   * The smallest and the largest amounts, as the vendor publishes them. A currency that is not listed has no limit
   * here: its amounts are sent, and the vendor may refuse them. Each currency occurs once.
   */
  readonly amounts?: ReadonlyArray<AmountLimit>
  /** The supported country codes of the customer's phone number, such as `+91`; absent: any. */
  readonly phoneCodes?: ReadonlyArray<string>
  /** Supported capture methods. Default: automatic only. */
  readonly captureMethods?: ReadonlyArray<CaptureMethod>
  /** Supported card networks, such as `visa`; absent: any. */
  readonly networks?: ReadonlyArray<string>
  /** Supported stablecoins, `asset` and `network` together; absent: none. */
  readonly assets?: ReadonlyArray<{ readonly asset: string; readonly network: string }>
}

/** The limits of one currency. At least one of `min` and `max` is set. */
export interface AmountLimit {
  /** The ISO 4217 code of the currency, in capitals. */
  readonly currency: string
  /**
   * The smallest amount, inclusive: a decimal text in major units, such as `"0.50"` USD, `"50"` JPY or `"0.100"` KWD,
   * with at most the decimals of the currency.
   */
  readonly min?: string
  /** The largest amount, inclusive, in the same form. */
  readonly max?: string
}

/** The idempotency of one kind of operation. It decides whether a request without an answer may be sent again. */
export interface IdempotencyCapability {
  /**
   * The provider's handling of a repeated request.
   *
   * - `header`, `body`: a repeat with the same key returns the first result, within `lifetime`.
   * - `reference`: a repeat is refused as a duplicate.
   * - `lookup`: an inquiry is required before anything is sent again.
   * - `none`: a repeat has a second effect.
   */
  readonly by: "header" | "body" | "reference" | "lookup" | "none"
  /** The time for which the provider stores a key. Absent: it does not store keys. */
  readonly lifetime?: Duration.Input
}

/** The rules for inquiring about an operation. */
export interface InquiryCapability {
  /**
   * The identifier that an inquiry requires.
   *
   * - `reference`: our operation id or idempotency key.
   * - `providerReference`: the provider's id, from a checkpoint or an earlier response.
   * - `replay`: the same request again, with the same idempotency key.
   * - `none`: inquiries are not supported.
   */
  readonly by: "reference" | "providerReference" | "replay" | "none"
  /** Whether each inquiry causes a check in the payment network: the engine then inquires rarely. */
  readonly costly?: boolean
  /** The age of an operation from which `NotFound` proves that nothing was executed. Absent: it never proves that. */
  readonly notFoundIsFinalAfter?: Duration.Input
  /**
   * The delays of further inquiries after a "not found" that counts as final, because the vendor's answer may have been
   * wrong. Default: 1, 24 and 72 hours.
   */
  readonly lookBackAfter?: ReadonlyArray<Duration.Input>
}

/**
 * The provider's behavior for one kind of operation. `{}`: the operation is supported, but after a lost response the
 * engine can only wait until the provider reports the outcome.
 */
export interface OperationCapability {
  /** How the provider handles repeated requests. Absent: a repeat has a second effect. */
  readonly idempotency?: IdempotencyCapability
  /** The rules for inquiries. Absent: inquiries are not supported. */
  readonly inquiry?: InquiryCapability
  /**
   * The vendor codes that prove that nothing was executed. The adapter returns `NotExecuted` with the code in
   * `proof_code`.
   */
  readonly proof?: ReadonlyArray<string>
  /** Whether a 429 of this provider means that nothing was executed. */
  readonly rateLimitIsNotExecuted?: boolean
  /**
   * The meaning of the amount in a provider's report about this kind of operation.
   *
   * - `movement`: the amount of this capture or refund alone. The report has the reference of the capture or refund.
   * - `total`: the total captured or refunded amount of the charge so far. The report has the reference of the charge.
   *
   * Absent: `movement` if the report has another reference than that of the charge; otherwise the engine decides by the
   * amount.
   */
  readonly reports?: "movement" | "total"
  /** Whether partial captures or refunds are supported. Absent: only the whole amount. */
  readonly partial?: boolean
}

/** The capabilities that only creates have. */
export interface CreateCapability extends OperationCapability {
  /** Whether a decline is final. Absent: the provider may still charge the payer after it. */
  readonly declineIsFinal?: boolean
  /**
   * Whether a confirmed cancel guarantees that no money moves afterwards. A success that is reported later is then
   * outdated or an error of the provider, and opens a review. Absent: such a success counts as a late payment. For an
   * automatically captured page, only a cancel that the provider reports is final; our own cancel only closes the page.
   */
  readonly cancelIsFinal?: boolean
  /**
   * Whether one create may lead to several charges, each with its own reference, for example if a page is paid twice.
   * An inquiry about the create must return the charge with the given `reference`, or `NotFound` if that charge belongs
   * to another operation. A refund must return the charge with the reference `original.reference`. The engine refunds
   * each additional charge that has the payment's amount. Absent: additional charges are in review.
   */
  readonly chargesByReference?: boolean
  /**
   * The time after which the engine abandons a `next_action` that the payer did not use, if an inquiry shows no
   * payment.
   */
  readonly abandonedAfter?: Duration.Input
}

/** The capabilities of the provider's own statement, if it can be read. */
export interface StatementCapability {
  /** The maximum time until a movement appears in the statement. */
  readonly bookedWithin: Duration.Input
  /**
   * Whether a payment may be booked in several movements, such as several transfers to one blockchain address. The
   * movements are added up, and each may be rounded down to a minor unit. Absent: a second booking of a payment is a
   * duplicate.
   */
  readonly paymentsInParts?: boolean
}

/** The capabilities of an instance. They may depend on its options, and do not change while the engine runs. */
export interface Capabilities {
  /** The capabilities by rail. Payments of an absent rail are never sent to this instance. */
  readonly methods: { readonly [rail in Rail]?: MethodCapability }
  /** The capabilities by kind of operation. An absent kind is never called, even if it is implemented. */
  readonly operations: {
    readonly create: CreateCapability
    readonly capture?: OperationCapability
    readonly cancel?: OperationCapability
    readonly refund?: OperationCapability
  }
  /** The statement of the provider. Absent: the books are compared only with a statement from a file. */
  readonly statement?: StatementCapability
  /**
   * Help for errors `accountNotEnabled`: the operator's next step by vendor code, in one sentence, such as "Enable S2S
   * at Cashfree, or use payment links." `paymux doctor` and the dashboard show it.
   */
  readonly accountHelp?: { readonly [vendorCode: string]: string }
}
