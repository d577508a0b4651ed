/** What Razorpay says of a payment, a refund or a request, in the words of the contract. */
import { type CaptureMethod, type Inquiry, misconfigured, Outcome, type ProviderError } from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { declines, duplicates, notEnabled, undecided } from "./reasons.ts"
import type * as Wire from "./wire.ts"
import { ErrorBody } from "./wire.ts"

/**
 * What the payments tried on an order, or scanned from a QR code, make of it. Money first: of several tries one may have
 * succeeded; then those that are still open. Without any, nothing was done: an order by itself can be paid by nobody.
 */
export const paymentsAnswer = (
  payments: ReadonlyArray<Wire.Payment>,
  { captureMethod, reference }: { readonly captureMethod: CaptureMethod; readonly reference: string }
): Inquiry => {
  const taken = payments.find(isTaken)
  if (taken !== undefined) return Outcome.succeeded({ reference, amount: moneyOf(taken) })
  const held = payments.find(isHeld)
  if (held !== undefined && captureMethod === "manual") {
    return Outcome.authorized({ reference, amount: moneyOf(held) })
  }
  // Razorpay captures by itself what is not held for us: until then it is on its way.
  const open = held ?? payments.find(({ status }) => status !== "failed")
  if (open !== undefined) {
    return open.status === "created" || open === held
      ? Outcome.pending({ reference })
      : Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(open.status) })
  }
  const [latest] = payments.toSorted((one, other) => (other.created_at ?? 0) - (one.created_at ?? 0))
  return latest === undefined ? Outcome.notFound({ reference }) : { ...failedAnswer(latest), reference }
}

export const isTaken = ({ status }: Wire.Payment): boolean => status === "captured" || status === "refunded"

export const isHeld = ({ status }: Wire.Payment): boolean => status === "authorized"

export const moneyOf = ({ amount, currency }: Pick<Wire.Payment, "amount" | "currency">) => ({
  minorUnits: amount,
  currency
})

/** Of a payment that failed. */
export const failedAnswer = ({
  error_code,
  error_reason
}: Wire.Payment): Outcome.Declined | Outcome.Pending | Outcome.Unknown => {
  const vendorCode = shortCode(error_reason ?? error_code ?? "failed")
  if (undecided.has(vendorCode)) return Outcome.pending({ vendorCode })
  return declinedBy(vendorCode) ?? Outcome.unknown({ reason: "unmapped", vendorCode })
}

export const refundAnswer = (refund: Wire.Refund): Outcome.Outcome => {
  const { id: reference, status } = refund
  switch (status) {
    case "pending":
      return Outcome.pending({ reference })
    case "processed":
      return Outcome.succeeded({ reference, amount: moneyOf(refund) })
    case "failed":
      return Outcome.declined({ code: "processing_error", retry: "same_later", reference, vendorCode: status })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(status) })
  }
}

/** What is asked of a payment that is over, or never was: a definite no. */
export const tooLate = (vendorCode: string): Outcome.Declined =>
  Outcome.declined({ code: "processing_error", retry: "never", vendorCode: shortCode(vendorCode) })

/** An answer that is no 200, to a request that asks, captures or gives back: it declines no payment. */
export const requestError = (answer: ProviderHttp.Answer): Effect.Effect<Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const { code, description, reason } = yield* errorOf(answer)
    // Of a 5xx nobody knows what was done before it broke, whatever its reason.
    if (answer.status !== 400 && answer.status !== 409) return yield* HttpOutcome.ofStatus(answer, reason ?? code)
    if (/same idempotency key/i.test(description)) {
      const isAtWork = /in progress/i.test(description)
      return Outcome.unknown({ reason: isAtWork ? "in_progress" : "duplicate", vendorCode: "idempotency_key" })
    }
    if (reason !== undefined && duplicates.has(reason)) {
      return Outcome.unknown({ reason: "duplicate", vendorCode: reason })
    }
    if (reason !== undefined && undecided.has(reason)) {
      return Outcome.unknown({ reason: "in_progress", vendorCode: reason })
    }
    if (reason !== undefined && notEnabled.has(reason)) return yield* Effect.fail(misconfigured(reason))
    return yield* HttpOutcome.ofStatus(answer, reason ?? code)
  })

/** The same, to the request that makes a payment: there a reason may be a decline. */
export const paymentError = (
  answer: ProviderHttp.Answer
): Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const { reason } = yield* errorOf(answer)
    const declined = answer.status === 400 && reason !== undefined ? declinedBy(reason) : null
    return declined ?? (yield* requestError(answer))
  })

const errorOf = (answer: ProviderHttp.Answer) =>
  Effect.map(Effect.option(answer.decode(ErrorBody)), (body) => {
    const { code, description, reason } = Option.getOrElse(body, () => nothing).error
    return { code: said(code), reason: said(reason), description: description ?? "" }
  })

const nothing: typeof ErrorBody.Type = { error: {} }

/** As a create answers: whatever else an inquiry finds is not about it. */
export const asOutcome = (found: Inquiry): Outcome.Outcome => {
  switch (found._tag) {
    case "Canceled":
    case "Expired":
    case "NotFound":
      return Outcome.unknown({ reason: "unmapped", vendorCode: found._tag.toLowerCase() })
    default:
      return found
  }
}

const declinedBy = (vendorCode: string): Outcome.Declined | null => {
  const decline = Object.hasOwn(declines, vendorCode) ? declines[vendorCode] : undefined
  return decline === undefined ? null : Outcome.declined({ ...decline, vendorCode })
}

/** Razorpay writes `NA` where it says nothing. */
const said = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" || text === "NA" ? undefined : shortCode(text)

/** A code is kept and shown; whatever is longer or other is the vendor's prose, which may repeat what we sent. */
const shortCode = (text: string): string => (/^[\w.:-]{1,100}$/.test(text) ? text : "unreadable_code")
