/**
 * Payment Links: the flow `hosted`, a page of Razorpay that accepts UPI. They need no facts about the payer's device.
 *
 * A link has the operation's id as `reference_id`, which Razorpay accepts once. If a create is repeated, the duplicate is
 * rejected, and the first link is looked up by that id.
 */
import { type InquiryOutcome, Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { type Api, isRefused, type NoAnswer, orFound, withoutProof } from "./api.ts"
import { descriptionOf, notesOf } from "./notes.ts"
import { areOver, moneyOf, paymentsAnswer, standingOf, tooLate } from "./statuses.ts"
import * as Wire from "./wire.ts"

export const isLinkId = (reference: string): boolean => reference.startsWith("plink_")

export const makePaymentLinks = (api: Api) => {
  const create = (operation: ProviderOperation): Effect.Effect<InquiryOutcome, NoAnswer> =>
    operation.reference === null
      ? Effect.flatMap(orFound(post(operation), linkNamed(operation.id)), (link) => answerOf(operation, link))
      : inquire(operation)

  const post = (operation: ProviderOperation) => {
    const { amount, customer, id, returnUrl } = operation
    return api.post(["payment_links"], Wire.PaymentLink, {
      amount: amount.minorUnits,
      currency: amount.currency,
      accept_partial: false,
      reference_id: id,
      description: descriptionOf(operation),
      customer: { name: customer.name ?? undefined, email: customer.email, contact: customer.phone },
      notify: { sms: false, email: false },
      reminder_enable: false,
      expire_by: Math.floor(expiryOf(operation) / 1000),
      notes: notesOf(operation),
      ...(returnUrl?.startsWith("https://") && { callback_url: returnUrl, callback_method: "get" }),
      options: { checkout: { method: { upi: true, card: false, netbanking: false, wallet: false } } }
    })
  }

  const inquire = Effect.fnUntraced(function* (
    operation: ProviderOperation
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const { id, reference } = operation
    const link = reference === null ? yield* linkNamed(id) : yield* linkOf(reference)
    return link === null ? Outcome.notFound() : yield* answerOf(operation, link)
  })

  const answerOf = Effect.fnUntraced(function* (
    operation: ProviderOperation,
    link: Wire.PaymentLink
  ): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const { id: reference, status } = link
    if (link.amount !== operation.amount.minorUnits || link.currency !== operation.amount.currency) {
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: "link_amount_mismatch" })
    }
    switch (status) {
      case "created":
        return Outcome.pending({
          reference,
          nextAction: { type: "redirect", url: link.short_url, expiresAt: expiryOf(operation) }
        })
      case "paid":
        return yield* paidAnswer(link)
      case "cancelled":
      case "expired": {
        // A payment that began in time may still be pending.
        const payments = yield* paymentsOn(link)
        if (payments.length > 0) return paymentsAnswer(payments, { captureMethod: "automatic", reference })
        return status === "cancelled" ? Outcome.canceled({ reference }) : Outcome.expired({ reference })
      }
      default:
        return Outcome.unknown({ reason: "unmapped", reference, vendorCode: status.slice(0, 40) })
    }
  })

  /** The link's list of payments lags behind its status. */
  const paidAnswer = Effect.fnUntraced(function* (link: Wire.PaymentLink): Effect.fn.Return<InquiryOutcome, NoAnswer> {
    const [payment] = yield* capturedBy(link)
    const { id: reference } = link
    return payment === undefined
      ? Outcome.pending({ reference, awaitingFinality: true })
      : Outcome.succeeded({ reference, amount: moneyOf(payment) })
  })

  const cancel = Effect.fnUntraced(function* (reference: string): Effect.fn.Return<Outcome.SendOutcome, NoAnswer> {
    const rejected = yield* api
      .post(["payment_links", reference, "cancel"], Wire.PaymentLink, null)
      .pipe(Effect.as(null), Effect.catchIf(isRefused, Effect.succeed))
    const after = yield* withoutProof(canceled(reference), rejected ?? undefined)
    if (after._tag !== "NotFound") return after
    return rejected === null
      ? Outcome.unknown({ reason: "unmapped", vendorCode: "created" })
      : yield* Effect.fail(rejected)
  })

  /** `NotFound`: it is open. `Succeeded`: it cannot be paid any longer, and was not. `Pending`: a payment is undecided. */
  const canceled = Effect.fnUntraced(function* (reference: string) {
    const link = yield* linkOf(reference)
    switch (link.status) {
      case "created":
        return Outcome.notFound()
      case "paid":
      case "partially_paid":
        return tooLate(link.status)
      case "cancelled":
      case "expired": {
        const payments = yield* paymentsOn(link)
        if (payments.some((each) => standingOf(each) === "taken")) return tooLate("paid")
        return payments.length === 0 || areOver(payments)
          ? Outcome.succeeded({ reference })
          : Outcome.pending({ reference })
      }
      default:
        return Outcome.unknown({ reason: "unmapped" })
    }
  })

  const linkOf = (reference: string) => api.get(["payment_links", reference], Wire.PaymentLink)

  const linkNamed = (name: string) =>
    Effect.map(
      api.get(["payment_links"], Wire.PaymentLinks, { reference_id: name }),
      ({ payment_links }) => payment_links.find(({ reference_id }) => reference_id === name) ?? null
    )

  /** All that were tried, if the link names its order; otherwise those that were captured. */
  const paymentsOn = (link: Wire.PaymentLink): Effect.Effect<ReadonlyArray<Wire.Payment>, NoAnswer> => {
    const { order_id } = link
    return order_id === undefined || order_id === null || order_id === ""
      ? capturedBy(link)
      : Effect.map(api.get(["orders", order_id, "payments"], Wire.Payments), ({ items }) => items)
  }

  const capturedBy = ({ payments }: Wire.PaymentLink): Effect.Effect<ReadonlyArray<Wire.Payment>, NoAnswer> =>
    Effect.forEach(payments ?? [], ({ payment_id }) => api.get(["payments", payment_id], Wire.Payment))

  const paymentsBy = (reference: string) => Effect.flatMap(linkOf(reference), capturedBy)

  return { create, inquire, cancel, inquireCancel: canceled, linkNamed, paymentsBy }
}

/** ms UTC. Razorpay requires 15 minutes at least, counted from when it receives the request. */
const expiryOf = ({ createdAt }: ProviderOperation): number => createdAt + minutesToPay * 60_000

const minutesToPay = 20
