/** Decides whether a merchant may request a capture, a cancel or a refund now, and for which attempt. Pure. */
import type { Attempt } from "../Attempt.ts"
import { isOpen } from "../Operation.ts"
import type { OperationKind } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { refundsOf } from "../Refund.ts"
import { acceptedAttempt } from "../books/balance.ts"
import { refundableOf } from "../books/refundable.ts"
import type { Refundable } from "../books/refundable.ts"
import { hasReview } from "../books/reviews.ts"
import { openAttempt } from "./reportedMoney.ts"

/** A request for an operation. `minorUnits` is `null` for the whole available amount. */
export type OperationRequest =
  | { readonly kind: "capture"; readonly minorUnits: number | null }
  | { readonly kind: "cancel" }
  | {
      readonly kind: "refund"
      readonly minorUnits: number | null
      readonly reason: string | null
      /**
       * An operator's evidence for a refund. With it, disputes and refunds outside of this installation do not reduce
       * the refundable amount.
       */
      readonly override?: string
    }

/**
 * The support for an operation. `not_configured`: no provider instance with this id is configured for the payment's
 * mode.
 */
export type OperationSupport = "supported" | "not_supported" | "not_configured"

/** The capabilities for this kind of operation that the attempt's provider declares. */
export interface OperationAbility {
  readonly support: OperationSupport
  /** Whether the provider supports a partial amount. */
  readonly partial: boolean
}

/**
 * The reason why the requested operation is refused.
 *
 * - `not_supported`: the provider does not support the operation.
 * - `not_configured`: the provider instance that has the payment is not configured.
 * - `wrong_state`: the state of the payment does not allow the operation.
 * - `in_flight`: another operation on the payment is not decided yet.
 *
 * @internal Exported for tests that count each reason.
 */
export type RefusalReason = "not_supported" | "not_configured" | "wrong_state" | "in_flight"

/** Whether an operation may begin. */
export type OperationVerdict =
  | { readonly _tag: "Allowed"; readonly attempt: Attempt; readonly minorUnits: number }
  | { readonly _tag: "Refused"; readonly reason: RefusalReason; readonly sentence: string }
  /** A refusal: the requested amount is not a positive integer of the smallest unit. */
  | { readonly _tag: "NotAnAmount" }
  /** A refusal: the amount exceeds the available amount. */
  | { readonly _tag: "TooMuch"; readonly available: number }
  /**
   * A refusal: the amount exceeds the part of the charge that disputes and refunds outside of this installation leave.
   */
  | { readonly _tag: "ExceedsAvailable"; readonly refundable: Refundable }

export const requestOperation = (
  record: PaymentRecord,
  request: OperationRequest,
  abilityOf: (provider: string, kind: OperationKind) => OperationAbility
): OperationVerdict => {
  if (hasReview(record, "amount_mismatch")) {
    return refused("wrong_state", "Another amount than asked moved: an operator has to look first.")
  }
  const attempt = subjectOf(record, request)
  if (attempt === undefined) return wrongState(record, request)
  const ability = abilityOf(attempt.provider, request.kind)
  const refusal = unable(attempt, request, ability)
  if (refusal !== null) return refusal
  const others = record.operations.filter((each) => each.attemptSeq === attempt.seq && isOpen(each))
  if (others.some(({ kind }) => excludes(kind, request.kind))) {
    return refused("in_flight", "Another operation of this payment is not decided yet.")
  }
  const available = availableFor(record, request)
  const refundable = refundableBy(record, attempt, request, available)
  const most = refundable === null ? available : refundable.available
  const minorUnits = ("minorUnits" in request ? request.minorUnits : null) ?? (most > 0 ? most : available)
  if (available > 0 && !(Number.isSafeInteger(minorUnits) && minorUnits > 0)) return { _tag: "NotAnAmount" }
  if (minorUnits > available || available === 0) {
    return available === 0 ? wrongState(record, request) : { _tag: "TooMuch", available }
  }
  if (refundable !== null && minorUnits > most) return { _tag: "ExceedsAvailable", refundable }
  if (minorUnits < wholeOf(record, request) && !ability.partial) {
    return refused("not_supported", `${attempt.provider} cannot ${request.kind} a part of a payment.`)
  }
  return { _tag: "Allowed", attempt, minorUnits }
}

const unable = (
  { provider }: Attempt,
  { kind }: OperationRequest,
  { support }: OperationAbility
): OperationVerdict | null => {
  switch (support) {
    case "supported":
      return null
    case "not_supported":
      return refused("not_supported", `${provider} cannot ${kind} this payment.`)
    case "not_configured":
      return refused(
        "not_configured",
        `The provider instance ${provider}, which has this payment, is not configured. Nothing was sent.`
      )
  }
}

/**
 * The attempt that a requested operation applies to; `undefined` if the state of the payment does not allow the
 * operation.
 */
const subjectOf = (record: PaymentRecord, { kind }: OperationRequest): Attempt | undefined => {
  const { status } = record.payment.state
  switch (kind) {
    case "capture":
      return status === "authorized" ? acceptedAttempt(record) : undefined
    case "refund":
      return status === "succeeded" ? acceptedAttempt(record) : undefined
    case "cancel": {
      if (status === "authorized") return acceptedAttempt(record)
      const open = openAttempt(record)
      if (status !== "pending" || open === undefined) return undefined
      return open.status === "pending" || isNamed(record, open) ? open : undefined
    }
  }
}

/**
 * Whether an attempt with an unknown outcome can be canceled. Its provider reference must be known, since otherwise the
 * outcome of the cancel could not be determined.
 */
const isNamed = ({ operations }: PaymentRecord, { seq, status }: Attempt): boolean =>
  status === "unknown" &&
  operations.some(({ attemptSeq, kind, reference }) => kind === "create" && attemptSeq === seq && reference !== null)

/**
 * Whether two operations exclude each other: one operation at a time decides about an authorization; refunds are
 * independent.
 */
const excludes = (open: OperationKind, asked: OperationKind): boolean => {
  if (open === "create") return false
  return open !== "refund" || asked !== "refund"
}

const availableFor = (record: PaymentRecord, { kind }: OperationRequest): number => {
  const { payment } = record
  if (kind !== "refund") return payment.amount.minorUnits
  const onTheWay = refundsOf(record)
    .filter(isOpen)
    .reduce((sum, each) => sum + each.minorUnits, 0)
  return payment.amountCaptured - payment.amountRefunded - onTheWay
}

/**
 * The refundable amount, with the deductions that limit the refund; `null` if only the refunds of this installation
 * reduce it.
 */
const refundableBy = (
  record: PaymentRecord,
  attempt: Attempt,
  request: OperationRequest,
  available: number
): Refundable | null => {
  if (request.kind !== "refund" || request.override !== undefined) return null
  const refundable = refundableOf(record, attempt)
  const isReduced = refundable.disputed + refundable.refundedElsewhere > 0
  return isReduced && refundable.available < available ? refundable : null
}

/** The full amount of an operation. A request for less is partial. */
const wholeOf = ({ payment }: PaymentRecord, { kind }: OperationRequest): number =>
  kind === "refund" ? payment.amountCaptured : payment.amount.minorUnits

const refused = (reason: RefusalReason, sentence: string): OperationVerdict => ({ _tag: "Refused", reason, sentence })

const wrongState = ({ payment }: PaymentRecord, { kind }: OperationRequest): OperationVerdict => {
  const { state } = payment
  if (kind === "refund" && state.status === "succeeded") {
    return refused("wrong_state", "All of it was refunded, or is being refunded.")
  }
  const shown = state.status === "pending" ? `pending (${state.reason})` : state.status
  return refused("wrong_state", `A payment that is ${shown} cannot be ${past[kind]}.`)
}

const past = { capture: "captured", cancel: "canceled", refund: "refunded" } as const
