/**
 * Razorpay's QR objects: for one payment of one amount, open for 20 minutes, and the only thing over UPI that can be
 * closed.
 *
 * They are made in one request, and have no receipt. So the operation's own id is checkpointed before it: a process that finds
 * it looks for a code with that note first. A code that was never shown cannot be paid.
 */
import { type InquiryOutcome, Outcome, type ProviderContext, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { type Api, findIn, isRefused, type NoAnswer, withoutProof } from "./api.ts"
import { descriptionOf, noteOf, notesOf } from "./notes.ts"
import { areOver, isTaken, paymentsAnswer, standingOf, tooLate } from "./statuses.ts"
import * as Wire from "./wire.ts"

/** What the reference of a QR object begins with; until it is known, the reference is the operation's id. */
export const isQrId = (reference: string): boolean => reference.startsWith("qr_")

export const makeQrCodes = (api: Api, { checkpoint }: Pick<ProviderContext, "checkpoint">) => {
  const create = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    if (operation.reference === null) yield* checkpoint(operation, operation.id)
    else {
      const found = yield* codeOf(operation)
      if (found !== null) return yield* answerOf(found)
    }
    return shown(
      yield* api.post(["payments", "qr_codes"], Wire.Qr, {
        type: "upi_qr",
        usage: "single_use",
        fixed_amount: true,
        payment_amount: operation.amount.minorUnits,
        description: descriptionOf(operation),
        close_by: secondsOf(operation.createdAt) + secondsToPay,
        notes: notesOf(operation)
      })
    )
  })

  const cancel = Effect.fnUntraced(function* (reference: string): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const before = yield* closing(reference)
    if (before._tag !== "NotFound") return before
    const refusal = yield* api
      .post(["payments", "qr_codes", reference, "close"], Wire.Qr, null)
      .pipe(Effect.as(null), Effect.catchIf(isRefused, Effect.succeed))
    // One that was closed meanwhile, by its payer or its time, is refused: what it shows is the answer.
    const after = yield* withoutProof(closing(reference), refusal ?? undefined)
    if (after._tag !== "NotFound") return after
    return refusal === null
      ? Outcome.unknown({ reason: "unmapped", vendorCode: "active" })
      : yield* Effect.fail(refusal)
  })

  /**
   * What a code shows of its closing. `NotFound`: it is open. `Succeeded`: it can no longer be paid, and was not paid,
   * whether it was we who closed it or its time. `Pending`: it is closed, and a payment by it is not decided.
   */
  const closing = Effect.fnUntraced(function* (reference: string) {
    const { close_reason, status } = yield* api.get(["payments", "qr_codes", reference], Wire.Qr)
    if (status === "active") return Outcome.notFound()
    if (status !== "closed") return Outcome.unknown({ reason: "unmapped" })
    const payments = yield* paymentsBy(reference)
    if (payments.some(isTaken)) return tooLate("paid")
    if (payments.some((each) => standingOf(each) === "unheard_of")) return Outcome.unknown({ reason: "unmapped" })
    const isOver = payments.length === 0 ? close_reason !== "paid" : areOver(payments)
    return isOver ? Outcome.succeeded({ reference }) : Outcome.pending({ reference })
  })

  const inquire = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const code = yield* codeOf(operation)
    return code === null ? Outcome.notFound() : yield* answerOf(code)
  })

  const codeOf = ({ createdAt, id, reference }: ProviderOperation) => {
    if (reference !== null && isQrId(reference)) return api.get(["payments", "qr_codes", reference], Wire.Qr)
    const from = secondsOf(createdAt) - clockSkewSeconds
    return findIn(
      (page) => api.get(["payments", "qr_codes"], Wire.Qrs, { from, ...page }),
      ({ notes }) => noteOf(notes, "paymux_operation") === id
    )
  }

  const answerOf = Effect.fnUntraced(function* (code: Wire.Qr): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    if (code.status === "active") return shown(code)
    const { close_reason, id: reference, status } = code
    if (status !== "closed") return Outcome.unknown({ reason: "unmapped", reference })
    const payments = yield* paymentsBy(reference)
    if (payments.length > 0) return paymentsAnswer(payments, { captureMethod: "automatic", reference })
    // Its list lags.
    if (close_reason === "paid") return Outcome.pending({ reference, awaitingFinality: true })
    return close_reason === "on_demand" ? Outcome.canceled({ reference }) : Outcome.expired({ reference })
  })

  const paymentsBy = (code: string) =>
    Effect.map(api.get(["payments", "qr_codes", code, "payments"], Wire.Payments), ({ items }) => items)

  return { create, cancel, inquire, inquireCancel: closing, paymentsBy }
}

const shown = ({ close_by, id, image_url }: Wire.Qr) =>
  Outcome.pending({
    reference: id,
    nextAction: {
      type: "upi_qr",
      payload: null,
      image: image_url,
      expiresAt: close_by === null || close_by === undefined ? null : close_by * 1000
    }
  })

const secondsOf = (millis: number): number => Math.floor(millis / 1000)

/** One page of Razorpay's documentation wants 15 minutes at least, another lets it be 2 minutes to 2 hours. */
const secondsToPay = 20 * 60
const clockSkewSeconds = 10 * 60
