/**
 * What an adapter answers about one operation.
 *
 * The words are few on purpose. An adapter never turns "I do not know" into a failure: a vendor code it has not mapped
 * is `unknown`, a timeout is `unknown`, a reset after bytes were written is `unknown`. Only proof makes `notExecuted`,
 * only the provider's own word makes `declined`. Whether a second provider may then be tried is not the adapter's
 * business: the engine's failover rules decide it, and nothing else does.
 *
 * The same words answer a capture, a cancel and a refund: `Succeeded` says that it is done, `Declined` that the provider
 * refuses it.
 *
 * @example
 * ```ts
 * import { Outcome } from "@paymux/core"
 *
 * const answer = Outcome.declined({ code: "insufficient_funds", retry: "same_later", vendorCode: "51" })
 * answer._tag // => "Declined"
 * ```
 */
import type { DeclineCode, RetryClass } from "../domain/Decline.ts"
import type { Money } from "../domain/Money.ts"
import type { NextAction } from "../domain/NextAction.ts"

/** Each of them may carry: */
interface Told {
  /** The provider's name for the object, 500 characters at most; kept, and handed to every later call about it. */
  readonly reference?: string
  /**
   * The vendor's own code, 500 characters at most, for people who look into it; never the vendor's text. One that holds a
   * card number is not kept.
   */
  readonly vendorCode?: string
}

/** Done: money was taken, or the capture, cancel or refund was carried out. */
export interface Succeeded extends Told {
  readonly _tag: "Succeeded"
  /** What the provider says it moved. It is compared with what was asked; another amount is put before an operator. */
  readonly amount?: Money
}

/** Funds are held; the capture is ours to ask for. */
export interface Authorized extends Told {
  readonly _tag: "Authorized"
  /** What the provider says it holds. It is compared with what was asked. */
  readonly amount?: Money
}

/** Accepted and not decided: the payer, the network or the chain has to do something first. */
export interface Pending extends Told {
  readonly _tag: "Pending"
  /** What to show to the payer. From then on no other provider is tried. */
  readonly nextAction?: NextAction
  /** `true` when the money was seen and only finality is awaited (stablecoin). */
  readonly awaitingFinality?: boolean
}

/** The provider's definite no: it took nothing, and will not. */
export interface Declined extends Told {
  readonly _tag: "Declined"
  /** The vendor's code in our words. What is no known decline is `Unknown`. */
  readonly code: DeclineCode
  /** The class that the vendor's code or advice gives. */
  readonly retry: RetryClass
}

/** Proof that nothing was done: no request byte was written, or the answer carries a declared proof code. */
export interface NotExecuted extends Told {
  readonly _tag: "NotExecuted"
  /** What proves it. */
  readonly reason: NotExecutedReason
}

/**
 * What proves that nothing was done.
 *
 * - `adapter_fault`: the adapter gave up before it sent anything.
 * - `not_sent`: the connection was never made (DNS, refused, TLS, connect timeout).
 * - `proof_code`: the vendor's answer says so, by a code that is declared as `proof`.
 */
export type NotExecutedReason = "adapter_fault" | "not_sent" | "proof_code"

/** Something may have happened: it is asked about until it is known, and no other provider is tried. */
export interface Unknown extends Told {
  readonly _tag: "Unknown"
  /** Why nobody knows. */
  readonly reason: UnknownReason
}

/**
 * Why nobody knows.
 *
 * - `timeout`: no answer in time.
 * - `reset`: the connection broke after bytes were written.
 * - `reset_reused`: the same on a connection kept alive, which the other side may have closed before.
 * - `unreadable`: an answer that cannot be read.
 * - `server_error`: a 5xx without a declared proof code.
 * - `duplicate`: the provider says that it has had this request before.
 * - `in_progress`: the provider says that it is still at work on this request.
 * - `unmapped`: a code or status that the adapter does not know.
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

/** What became of an operation. */
export type Outcome = Succeeded | Authorized | Pending | Declined | NotExecuted | Unknown

/** An inquiry found nothing under our reference. Final only after the declared `notFoundIsFinalAfter`. */
export interface NotFound extends Told {
  readonly _tag: "NotFound"
}

/** The provider says that the payer's time is over and it takes nothing any more. */
export interface Expired extends Told {
  readonly _tag: "Expired"
}

/** The provider says that it was canceled before money was taken. */
export interface Canceled extends Told {
  readonly _tag: "Canceled"
}

/** What an inquiry can find. */
export type Inquiry = Outcome | NotFound | Expired | Canceled

/** Done, for the whole amount unless one is told. */
export const succeeded = (told: Omit<Succeeded, "_tag"> = {}): Succeeded => ({ _tag: "Succeeded", ...told })

/** Funds are held. */
export const authorized = (told: Omit<Authorized, "_tag"> = {}): Authorized => ({ _tag: "Authorized", ...told })

/** Accepted, not decided yet. */
export const pending = (told: Omit<Pending, "_tag"> = {}): Pending => ({ _tag: "Pending", ...told })

/** The provider said no. */
export const declined = (told: Omit<Declined, "_tag">): Declined => ({ _tag: "Declined", ...told })

/** Nothing was done, and that is proven. */
export const notExecuted = (told: Omit<NotExecuted, "_tag">): NotExecuted => ({ _tag: "NotExecuted", ...told })

/** Nobody knows. */
export const unknown = (told: Omit<Unknown, "_tag">): Unknown => ({ _tag: "Unknown", ...told })

/** The provider knows nothing of it. */
export const notFound = (told: Omit<NotFound, "_tag"> = {}): NotFound => ({ _tag: "NotFound", ...told })

/** The payer's time is over. */
export const expired = (told: Omit<Expired, "_tag"> = {}): Expired => ({ _tag: "Expired", ...told })

/** It was canceled before money was taken. */
export const canceled = (told: Omit<Canceled, "_tag"> = {}): Canceled => ({ _tag: "Canceled", ...told })

/**
 * What an inquiry found, as the answer of a create, capture, cancel or refund: what only an inquiry can find is
 * `Unknown`. For vendors that answer a send with the object as it stands.
 */
export const ofInquiry = (found: Inquiry): Outcome => {
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
