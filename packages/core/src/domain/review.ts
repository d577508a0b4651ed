/** How an operator's word ends a review. Pure. */
import { isClosedWithoutMoney, isInFlight } from "./Attempt.ts"
import type { Attempt } from "./Attempt.ts"
import { changed } from "./change.ts"
import type { Changed } from "./change.ts"
import { failure } from "./Decline.ts"
import type { Operation } from "./Operation.ts"
import { isOpen } from "./Operation.ts"
import type { Payment, PaymentRecord, PaymentState, ReviewReason } from "./Payment.ts"
import { isGivenBack } from "./surplus.ts"
import { transition } from "./transition.ts"
import type { Evidence, EvidenceClaim } from "../provider/Evidence.ts"

/**
 * What the operator found out, at the provider or at the bank.
 *
 * - `succeeded`: what is in question was done (the payment was paid, the refund arrived). A payment that got another
 *   amount is accepted as it is.
 * - `not_done`: it was not done, and will not be.
 * - `given_back`: money that was too much, or did not match, was given back by hand.
 * - `dismissed`: looked at; nothing changes but the review.
 */
export const resolutions = ["succeeded", "not_done", "given_back", "dismissed"] as const
export type Resolution = (typeof resolutions)[number]

export interface Resolved {
  readonly change: Changed
  /** What the word is about, and as what it is kept. */
  readonly cause: { readonly evidence: Evidence; readonly operation: Operation }
}

/** `null`: this resolution does not fit what is in question. */
export const resolve = (record: PaymentRecord, resolution: Resolution, now: number): Resolved | null => {
  const operation = inQuestion(record, resolution)
  if (operation === undefined) return null
  const evidence: Evidence = {
    source: "operator",
    about: { operation: operation.id },
    claim: claims[resolution],
    reference: null,
    vendorCode: null,
    eventId: null,
    occurredAt: null
  }
  const cause = { evidence, operation }
  if (resolution === "dismissed") {
    const open = record.payment.review === null || isUndecided(record)
    return open ? null : { change: changed(record, now, { review: null, state: looked(record.payment) }, null), cause }
  }
  const change = transition(record, operation, evidence, {
    now,
    next: null,
    failure: failure(resolution === "given_back" ? "processing_error" : "provider_unavailable", true),
    nextCheckAt: null,
    retryAt: null,
    lateSuccess: "succeed",
    // What an operator found is believed, whatever its provider declares.
    cancelIsFinal: false,
    reversal: null
  })
  return change._tag === "Unchanged" ? null : { change, cause }
}

const looked = ({ state }: Payment): PaymentState =>
  state.status === "pending" && state.reason === "needs_review"
    ? { ...state, reason: state.nextAction === null ? "processing" : "awaiting_customer" }
    : state

const claims: { readonly [resolution in Resolution]: EvidenceClaim } = {
  succeeded: { kind: "succeeded", amount: null },
  not_done: { kind: "not_executed", reason: "proof_code" },
  given_back: { kind: "refund_succeeded", amount: null },
  dismissed: { kind: "unknown", reason: "unmapped" }
}

/** An outcome that is not known cannot be waved away: money hangs on it. */
const isUndecided = ({ attempts, operations, payment }: PaymentRecord): boolean =>
  (payment.review?.reason === "amount_mismatch" &&
    (attempts.some(({ status, surplus }) => surplus || mayPay(status)) || operations.some(isOpen))) ||
  [...attempts, ...operations].some(({ status }) => status === "unknown") ||
  attempts.some(({ surplus }) => surplus && payment.review !== null && isOfSurplus.has(payment.review.reason))

const isOfSurplus: ReadonlySet<ReviewReason> = new Set(["duplicate_capture", "late_success", "late_authorization"])

const mayPay = (status: Attempt["status"]): boolean => isInFlight(status) || status === "authorized"

/** What the review asks about. */
const inQuestion = (record: PaymentRecord, resolution: Resolution): Operation | undefined => {
  const { attempts, operations, payment } = record
  const createOf = (attempt: Attempt | undefined) =>
    operations.find(({ attemptSeq, kind }) => kind === "create" && attemptSeq === attempt?.seq)
  const open = createOf(attempts.find(({ status }) => mayPay(status)))
  const closed = createOf(attempts.findLast(({ status }) => isClosedWithoutMoney(status)))
  const surplus = createOf(attempts.find((attempt) => !isGivenBack(record, attempt)))
  const unattended = operations.filter((each) => isOpen(each) && each.nextCheckAt === null)
  if (resolution === "dismissed") return unattended[0] ?? surplus ?? open ?? operations.at(-1)
  switch (payment.review?.reason) {
    case "duplicate_capture":
    case "late_success":
    case "late_authorization":
      return resolution === "given_back" ? surplus : undefined
    case "amount_mismatch":
      if (isAgainstWhatCame(payment, resolution)) return undefined
      return resolution === "given_back" ? (surplus ?? open) : (unattended.find(isLater) ?? open)
    case "inquiries_exhausted":
      if (resolution === "given_back") return undefined
      return operations.find(({ status }) => status === "unknown") ?? unattended[0]
    case "contradiction":
      if (resolution === "given_back") return undefined
      return operations.findLast(({ kind, status }) => kind === "refund" && status !== "succeeded") ?? open ?? closed
    case "close_failed":
      return resolution === "given_back" ? undefined : open
    case "capture_failed":
    case "paid_after_close":
    case undefined:
      return undefined
  }
}

/** Nothing that counts came, and it is called paid; or something came, and it is called not done. */
const isAgainstWhatCame = ({ amountReceived }: Payment, resolution: Resolution): boolean =>
  (resolution === "succeeded" && amountReceived === 0) ||
  (resolution === "not_done" && amountReceived !== null && amountReceived > 0)

const isLater = ({ kind }: Operation): boolean => kind !== "create"
