/** What embedders and the command ask about customers: erasing one, with everything that keeps something of a payment. */
import { Erasure } from "@paymux/core"
import type { ErasureRefused, ErasureSubject, PaymentError, Tenant } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { InvalidPayment, isPaymentId, paymentError, PaymentNotFound, Unavailable } from "@paymux/core/wire"
import { RequestLog } from "@paymux/http"
import { SandboxLedger, SqlSandboxLedger } from "@paymux/sandbox"
import { UnmatchedReports } from "@paymux/sql"
import { WebhookDeliveryLog } from "@paymux/webhooks"
import { Effect, Layer, Predicate } from "effect"

/** Whose payments: one of the three. */
export type CustomerToErase =
  | { readonly email: string }
  /** E.164, such as `+919999999999`. */
  | { readonly phone: string }
  /** One payment alone: `pay_…`. */
  | { readonly payment: string }

/** `reason`: why it keeps its data for now. */
export type { ErasureReport } from "@paymux/core"

/**
 * Core's erasing, and of each payment the deliveries of its webhooks, the requests about it, the notes on its reports, and the
 * sandbox's book.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const deliveries = yield* WebhookDeliveryLog
    const book = yield* SandboxLedger
    const requests = yield* RequestLog
    const reports = yield* UnmatchedReports
    return Erasure.layer([
      deliveries.forgetPayment,
      requests.forgetPayment,
      reports.forgetPayment,
      (payment) => Effect.mapError(book.forgetPayer(payment), ({ cause }) => new StoreUnavailable({ cause }))
    ])
  })
).pipe(Layer.provide([WebhookDeliveryLog.layer, SqlSandboxLedger.layer, RequestLog.layer, UnmatchedReports.layer]))

/** Finds and erases. */
export const erase = Effect.fnUntraced(function* (tenant: Tenant, customer: CustomerToErase) {
  const subject = yield* subjectOf(customer)
  const erasure = yield* Erasure
  return yield* Effect.flatMap(erasure.find(tenant, subject), (found) => erasure.erase(tenant, found)).pipe(
    Effect.mapError((fault) => inItsWords(fault, subject))
  )
})

/** One of the three; a program that is not type-checked may give anything. */
const subjectOf = (customer: unknown): Effect.Effect<ErasureSubject, PaymentError> => {
  const given = Predicate.isObject(customer) ? Object.entries(customer) : []
  const [[name, value] = ["", undefined]] = given
  if (given.length !== 1) return Effect.fail(invalid("", "must have one of email, phone and payment"))
  if (name !== "email" && name !== "phone" && name !== "payment") {
    return Effect.fail(invalid(`/${name}`, "is not a known option"))
  }
  if (typeof value !== "string") return Effect.fail(invalid(`/${name}`, "must be text"))
  if (name === "email") return Effect.succeed({ email: value })
  if (name === "phone") return Effect.succeed({ phone: value })
  return isPaymentId(value) ? Effect.succeed({ payment: value }) : Effect.fail(paymentError(new PaymentNotFound()))
}

const invalid = (pointer: string, message: string): PaymentError =>
  paymentError(new InvalidPayment({ errors: [{ pointer, message }] }))

const inItsWords = (fault: ErasureRefused | StoreUnavailable, subject: ErasureSubject): PaymentError => {
  if (fault._tag === "StoreUnavailable") return paymentError(new Unavailable({ cause: fault.cause }))
  if (fault.reason === "not_found") return paymentError(new PaymentNotFound())
  return invalid("email" in subject ? "/email" : "/phone", fault.message)
}
