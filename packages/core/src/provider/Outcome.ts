/**
 * What an adapter answers about one operation.
 *
 * The words are few on purpose. An adapter never turns "I do not know" into a failure: a vendor code it has not mapped
 * is `unknown`, a timeout is `unknown`, a reset after bytes were written is `unknown`. Only proof makes `notExecuted`,
 * only the provider's own word makes `declined`. Whether a second provider may then be tried is not the adapter's
 * business: `execution/Failover.ts` decides it, and nothing else does.
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

interface Told {
  /** The provider's name for the object; kept, and handed to every later call about the operation. */
  readonly reference?: string
  /** The vendor's own code, for the attempt row; never its text. */
  readonly vendorCode?: string
}

/** Money was taken. `amount` is what the provider says it took; it is compared with what was asked (I13). */
export interface Succeeded extends Told {
  readonly _tag: "Succeeded"
  readonly amount?: Money
}

/** Funds are held; the capture is ours to ask for. */
export interface Authorized extends Told {
  readonly _tag: "Authorized"
  readonly amount?: Money
}

/** Accepted and not decided: the payer, the network or the chain has to do something first. */
export interface Pending extends Told {
  readonly _tag: "Pending"
  readonly nextAction?: NextAction
  /** `true` when the money was seen and only finality is awaited (stablecoin). */
  readonly awaitingFinality?: boolean
}

/** The provider's definite no. `retry` is the class its code or advice gives. */
export interface Declined extends Told {
  readonly _tag: "Declined"
  readonly code: DeclineCode
  readonly retry: RetryClass
}

/** Proof that nothing was done: no request byte was written, or the answer carries a declared proof code. */
export interface NotExecuted extends Told {
  readonly _tag: "NotExecuted"
  readonly reason: NotExecutedReason
}

/** `adapter_fault`: the adapter gave up before it sent anything. `not_sent`: DNS, refused, TLS, connect timeout. */
export type NotExecutedReason = "adapter_fault" | "not_sent" | "proof_code"

/** Something may have happened. */
export interface Unknown extends Told {
  readonly _tag: "Unknown"
  readonly reason: UnknownReason
}

/** `reset_reused`: a kept-alive socket broke after bytes were written. `unmapped`: a code or status we do not know. */
export type UnknownReason =
  | "timeout"
  | "reset"
  | "reset_reused"
  | "unreadable"
  | "server_error"
  | "duplicate"
  | "in_progress"
  | "unmapped"

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

export const succeeded = (told: Omit<Succeeded, "_tag"> = {}): Succeeded => ({ _tag: "Succeeded", ...told })
export const authorized = (told: Omit<Authorized, "_tag"> = {}): Authorized => ({ _tag: "Authorized", ...told })
export const pending = (told: Omit<Pending, "_tag"> = {}): Pending => ({ _tag: "Pending", ...told })
export const declined = (told: Omit<Declined, "_tag">): Declined => ({ _tag: "Declined", ...told })
export const notExecuted = (told: Omit<NotExecuted, "_tag">): NotExecuted => ({ _tag: "NotExecuted", ...told })
export const unknown = (told: Omit<Unknown, "_tag">): Unknown => ({ _tag: "Unknown", ...told })
export const notFound = (told: Omit<NotFound, "_tag"> = {}): NotFound => ({ _tag: "NotFound", ...told })
export const expired = (told: Omit<Expired, "_tag"> = {}): Expired => ({ _tag: "Expired", ...told })
export const canceled = (told: Omit<Canceled, "_tag"> = {}): Canceled => ({ _tag: "Canceled", ...told })
