/**
 * Every outcome of an operation that can be reported, in one union: the reply to a send, the result of an inquiry, a
 * webhook, an observation of a chain, and an operator's statement are all an `Outcome`.
 *
 * `SendOutcome` and `InquiryOutcome` are the outcomes that an adapter's functions may return. The other outcomes are for
 * evidence: webhooks and observations also report captures, refunds and disputes that the engine did not request.
 *
 * The set of outcomes is small on purpose. An adapter never turns an unknown result into a failure: a vendor code that it does
 * not map is `Unknown`, a timeout is `Unknown`, a reset after bytes were written is `Unknown`. Only proof makes `NotExecuted`,
 * and only the provider's own refusal makes `Declined`. Only the engine's failover rules decide whether a second provider may
 * be tried.
 *
 * The same outcomes apply to a capture, a cancel and a refund: `Succeeded` means that the provider executed the operation,
 * `Declined` that the provider refused it.
 *
 * @example
 * ```ts
 * import { Outcome } from "@paymux/core"
 *
 * const answer = Outcome.declined({ code: "insufficient_funds", retry: "same_later", vendorCode: "51" })
 * answer._tag // => "Declined"
 * ```
 */
import type { DeclineCode, RetryClass } from "./Decline.ts"
import type { Money } from "./Money.ts"
import type { NextAction } from "./NextAction.ts"

/** Fields that every outcome may have. */
export interface Details {
  /**
   * The provider's identifier of the object that the outcome is about, 500 characters at most. It is stored with the
   * operation, and passed to every later call about the operation.
   */
  readonly reference?: string
  /**
   * The vendor's own code, 500 characters at most, for support and debugging; never the vendor's text. A code that
   * contains a card number is not stored.
   */
  readonly vendorCode?: string
}

/** The outcome that money was taken or, for a capture, cancel or refund, that the provider executed the operation. */
export interface Succeeded extends Details {
  readonly _tag: "Succeeded"
  /**
   * The amount that the provider reports. It is compared with the requested amount; a different amount opens a review.
   */
  readonly amount?: Money
}

/** The outcome that funds are held (authorized). The engine requests the capture. */
export interface Authorized extends Details {
  readonly _tag: "Authorized"
  /** The amount that the provider holds. It is compared with the requested amount. */
  readonly amount?: Money
}

/**
 * The outcome that the provider accepted the operation and has not decided it: the payer, the network or the chain has
 * to act first.
 */
export interface Pending extends Details {
  readonly _tag: "Pending"
  /** The action for the payer. Once the action is shown, no other provider is tried. */
  readonly nextAction?: NextAction
  /** Whether the money was detected and only the finality of its transfer is awaited (stablecoin). */
  readonly awaitingFinality?: boolean
}

/** The outcome that the provider finally refused: it took no money, and will take none. */
export interface Declined extends Details {
  readonly _tag: "Declined"
  /**
   * The decline code that the vendor's code maps to. If the vendor's code is not a known decline, `Unknown` must be
   * used instead.
   */
  readonly code: DeclineCode
  /** Whether and where another try may succeed, according to the vendor's code or advice. */
  readonly retry: RetryClass
}

/** The outcome that provably nothing was done: no request byte was written, or the answer has a declared proof code. */
export interface NotExecuted extends Details {
  readonly _tag: "NotExecuted"
  /** The kind of proof that nothing was done. */
  readonly reason: NotExecutedReason
}

/**
 * The kinds of proof that nothing was done.
 *
 * - `adapter_fault`: the adapter failed before it sent anything.
 * - `not_sent`: the connection was never made (DNS, refused, TLS, connect timeout). In evidence that the engine makes,
 *   also: the engine did not send the request, for example because the circuit breaker was open.
 * - `proof_code`: the vendor's answer has a code that is declared as `proof`.
 */
export type NotExecutedReason = "adapter_fault" | "not_sent" | "proof_code"

/**
 * The outcome that nothing was done, without a proof by the adapter. Only the engine makes this evidence; an adapter
 * cannot return it.
 */
export interface NothingDone extends Details {
  readonly _tag: "NotExecuted"
  /**
   * The source of this outcome. `refused`: the provider refused the request by a `ProviderError`. `stated`: an operator
   * states that nothing was done.
   */
  readonly reason: "refused" | "stated"
}

/**
 * The outcome that the request may have been executed. The engine inquires until the outcome is known, and tries no
 * other provider.
 */
export interface Unknown extends Details {
  readonly _tag: "Unknown"
  /** The reason why the outcome is unknown. */
  readonly reason: UnknownReason
}

/**
 * The reasons why an outcome is unknown.
 *
 * - `timeout`: no answer in time.
 * - `reset`: the connection broke after bytes were written.
 * - `reset_reused`: a kept-alive connection broke after bytes were written; the other side may have closed it before.
 * - `unreadable`: the answer cannot be read.
 * - `server_error`: the answer is a 5xx without a declared proof code.
 * - `duplicate`: the provider reports that it has received this request before.
 * - `in_progress`: the provider reports that it is still processing this request.
 * - `unmapped`: the answer has a code or status that the adapter does not know.
 */
export type UnknownReason =
  | "timeout"
  | "reset"
  | "reset_reused"
  | "unreadable"
  | "server_error"
  | "duplicate"
  | "in_progress"
  | "unmapped"

/**
 * The outcome that the provider has no operation with our reference. It is final only after the declared
 * `notFoundIsFinalAfter`.
 */
export interface NotFound extends Details {
  readonly _tag: "NotFound"
}

/**
 * The outcome that the payer's time is over and the provider accepts no more money or, for a hold, that the hold
 * lapsed.
 */
export interface Expired extends Details {
  readonly _tag: "Expired"
}

/** The outcome that the operation was canceled before money was taken, or that the hold was released. */
export interface Canceled extends Details {
  readonly _tag: "Canceled"
}

/** The outcome that a transfer was detected that is not final yet (stablecoin). */
export interface Detected extends Details {
  readonly _tag: "Detected"
  /** The amount that was detected. */
  readonly amount?: Money
  /** The asset that was transferred. */
  readonly asset?: string
}

/** The outcome that a detected transfer disappeared, for example in a reorganization of the chain. */
export interface Retracted extends Details {
  readonly _tag: "Retracted"
}

/** The outcome that held funds were captured. */
export interface Captured extends Details {
  readonly _tag: "Captured"
  /** The amount that was captured. */
  readonly amount?: Money
}

/** The outcome that a capture was refused, or reversed after it had been confirmed. */
export interface CaptureFailed extends Details {
  readonly _tag: "CaptureFailed"
}

/** The outcome that a refund was accepted and is in progress. */
export interface RefundPending extends Details {
  readonly _tag: "RefundPending"
}

/** The outcome that a refund has reached the payer. */
export interface RefundSucceeded extends Details {
  readonly _tag: "RefundSucceeded"
  /** The amount that was refunded. */
  readonly amount?: Money
}

/** The outcome that a refund was refused, or was returned after it had been confirmed. */
export interface RefundFailed extends Details {
  readonly _tag: "RefundFailed"
}

/**
 * The outcome that money moved, but the amount or the reference cannot be read. It is not assigned to a payment, and a
 * review is opened.
 */
export interface Unreadable extends Details {
  readonly _tag: "Unreadable"
}

/**
 * The outcome that the payer disputes the payment, or that a dispute has ended. `reference` is the dispute's own
 * reference, so that all reports about one dispute are assigned to it. A retrieval request or a request for information
 * is no dispute: do not report it.
 */
export interface Disputed extends Details {
  readonly _tag: "Disputed"
  /** The disputed amount; if absent, the amount of the charge. */
  readonly amount?: Money
  /**
   * The status of the dispute: `open` (default), `lost` or `won`. Open and lost disputes reduce the refundable amount.
   */
  readonly status?: "open" | "lost" | "won"
}

/**
 * The outcome that the provider's statement for the period does not contain the operation, although it was reported as
 * executed.
 */
export interface NotBooked extends Details {
  readonly _tag: "NotBooked"
}

/** The outcomes that a reply to a create, capture, cancel or refund can have. */
export type SendOutcome = Succeeded | Authorized | Pending | Declined | NotExecuted | Unknown

/** The outcomes that an inquiry can return. */
export type InquiryOutcome = SendOutcome | NotFound | Expired | Canceled

/** Every outcome that can be reported. */
export type Outcome =
  | InquiryOutcome
  | NothingDone
  | Detected
  | Retracted
  | Captured
  | CaptureFailed
  | RefundPending
  | RefundSucceeded
  | RefundFailed
  | Unreadable
  | Disputed
  | NotBooked

/** Creates the outcome that the operation was executed, for the whole amount unless an amount is given. */
export const succeeded = (facts: Omit<Succeeded, "_tag"> = {}): Succeeded => ({ _tag: "Succeeded", ...facts })

/** Creates the outcome that funds are held. */
export const authorized = (facts: Omit<Authorized, "_tag"> = {}): Authorized => ({ _tag: "Authorized", ...facts })

/** Creates the outcome that the provider accepted the operation and has not decided it yet. */
export const pending = (facts: Omit<Pending, "_tag"> = {}): Pending => ({ _tag: "Pending", ...facts })

/** Creates the outcome that the provider refused the operation. */
export const declined = (facts: Omit<Declined, "_tag">): Declined => ({ _tag: "Declined", ...facts })

/** Creates the outcome that nothing was done, with proof. */
export const notExecuted = (facts: Omit<NotExecuted, "_tag">): NotExecuted => ({ _tag: "NotExecuted", ...facts })

/** Creates the outcome that the result is unknown. */
export const unknown = (facts: Omit<Unknown, "_tag">): Unknown => ({ _tag: "Unknown", ...facts })

/** Creates the outcome that the provider has no such operation. */
export const notFound = (facts: Omit<NotFound, "_tag"> = {}): NotFound => ({ _tag: "NotFound", ...facts })

/** Creates the outcome that the payer's time is over, or the hold lapsed. */
export const expired = (facts: Omit<Expired, "_tag"> = {}): Expired => ({ _tag: "Expired", ...facts })

/** Creates the outcome that the operation was canceled before money was taken, or the hold was released. */
export const canceled = (facts: Omit<Canceled, "_tag"> = {}): Canceled => ({ _tag: "Canceled", ...facts })

/** Creates the outcome that a transfer was detected that is not final yet. */
export const detected = (facts: Omit<Detected, "_tag"> = {}): Detected => ({ _tag: "Detected", ...facts })

/** Creates the outcome that a detected transfer disappeared. */
export const retracted = (facts: Omit<Retracted, "_tag"> = {}): Retracted => ({ _tag: "Retracted", ...facts })

/** Creates the outcome that held funds were captured. */
export const captured = (facts: Omit<Captured, "_tag"> = {}): Captured => ({ _tag: "Captured", ...facts })

/** Creates the outcome that a capture was refused or reversed. */
export const captureFailed = (facts: Omit<CaptureFailed, "_tag"> = {}): CaptureFailed => ({
  _tag: "CaptureFailed",
  ...facts
})

/** Creates the outcome that a refund is in progress. */
export const refundPending = (facts: Omit<RefundPending, "_tag"> = {}): RefundPending => ({
  _tag: "RefundPending",
  ...facts
})

/** Creates the outcome that a refund has reached the payer. */
export const refundSucceeded = (facts: Omit<RefundSucceeded, "_tag"> = {}): RefundSucceeded => ({
  _tag: "RefundSucceeded",
  ...facts
})

/** Creates the outcome that a refund was refused or returned. */
export const refundFailed = (facts: Omit<RefundFailed, "_tag"> = {}): RefundFailed => ({
  _tag: "RefundFailed",
  ...facts
})

/** Creates the outcome that money moved whose amount or reference cannot be read. */
export const unreadable = (facts: Omit<Unreadable, "_tag"> = {}): Unreadable => ({ _tag: "Unreadable", ...facts })

/** Creates the outcome that the payer disputes the payment, or a dispute has ended. */
export const disputed = (facts: Omit<Disputed, "_tag"> = {}): Disputed => ({ _tag: "Disputed", ...facts })

/** Creates the outcome that a complete statement from the provider does not contain the operation. */
export const notBooked = (facts: Omit<NotBooked, "_tag"> = {}): NotBooked => ({ _tag: "NotBooked", ...facts })

/** Extracts the reference and the vendor's code of an outcome, for use in another outcome about the same object. */
export const details = ({ reference, vendorCode }: Details): Details => ({
  ...(reference !== undefined && { reference }),
  ...(vendorCode !== undefined && { vendorCode })
})

/**
 * Converts the result of an inquiry to the reply to a create, capture, cancel or refund. An outcome that only an
 * inquiry can return becomes `Unknown`. For vendors that answer a send with the current state of the object.
 */
export const ofInquiry = (found: InquiryOutcome): SendOutcome => {
  switch (found._tag) {
    case "Canceled":
    case "Expired":
    case "NotFound": {
      const vendorCode = found.vendorCode ?? found._tag.toLowerCase()
      return unknown({
        reason: "unmapped",
        vendorCode,
        ...(found.reference !== undefined && { reference: found.reference })
      })
    }
    case "Succeeded":
    case "Authorized":
    case "Pending":
    case "Declined":
    case "NotExecuted":
    case "Unknown":
      return found
  }
}

/**
 * Converts the result of a refund to an outcome for evidence about the refund. The outcomes for refunds also apply
 * after the refund has ended, and they identify the refund if the provider uses one reference for a payment and its
 * refund.
 */
export const ofRefund = (outcome: SendOutcome): Outcome => {
  switch (outcome._tag) {
    case "Succeeded":
      return { ...outcome, _tag: "RefundSucceeded" }
    case "Pending":
      return refundPending(details(outcome))
    case "Declined":
      return refundFailed(details(outcome))
    default:
      return outcome
  }
}
