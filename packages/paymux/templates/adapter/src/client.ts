/** Acme's API, one function for each operation of the contract. It sends once: the engine decides what is sent again. */
import {
  type InquiryOutcome,
  Outcome,
  type ProviderContext,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome, ProviderHttp, RequestHeaders } from "@paymux/provider-kit"
import { Effect, type Redacted } from "effect"
import { changeAnswer, errorOutcome, inquiryErrorOutcome, paymentAnswer, refundAnswer } from "./errors.ts"
import { methodToWire } from "./method.ts"
import * as Wire from "./wire.ts"

export const makeClient = Effect.fnUntraced(function* (
  options: { readonly apiKey: Redacted.Redacted; readonly baseUrl?: string },
  context: ProviderContext
) {
  // A base URL that cannot be used is a fault of the configuration: the engine does not start.
  const http = yield* Effect.orDie(
    ProviderHttp.make({
      baseUrl: options.baseUrl ?? "https://api.acme.example",
      headers: RequestHeaders.bearer(options.apiKey),
      timeout: "20 seconds"
    })
  )

  const post = (operation: ProviderOperation, path: ReadonlyArray<string>, json: object) =>
    http.request({
      method: "POST",
      path: ["v1", ...path],
      // Of this one request: where an operation takes two, each needs a key of its own, made from this one.
      headers: { "idempotency-key": operation.key },
      body: { json }
    })

  const create = (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
    HttpOutcome.operation(
      Effect.gen(function* () {
        const answer = yield* post(operation, ["payments"], {
          amount: operation.amount.minorUnits,
          currency: operation.amount.currency,
          capture: operation.captureMethod,
          reference: operation.id,
          description: operation.description,
          return_url: operation.returnUrl,
          method: methodToWire(operation, context.id)
        })
        if (answer.status !== 200) return yield* errorOutcome(answer)
        return Outcome.ofInquiry(paymentAnswer(yield* answer.decode(Wire.Payment)))
      })
    )

  const capture = (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
    later(operation, "capture", { amount: operation.amount.minorUnits }, (answer) =>
      Effect.map(answer.decode(Wire.Payment), (payment) => Outcome.ofInquiry(paymentAnswer(payment)))
    )

  const cancel = (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
    later(operation, "cancel", {}, (answer) =>
      Effect.map(answer.decode(Wire.Payment), ({ id, status }) =>
        status === "canceled"
          ? Outcome.succeeded({ reference: id })
          : Outcome.unknown({ reason: "unmapped", vendorCode: status })
      )
    )

  const refund = (operation: ProviderOperation): Effect.Effect<Outcome.SendOutcome, ProviderError> =>
    later(operation, "refunds", { amount: operation.amount.minorUnits, reference: operation.id }, (answer) =>
      Effect.map(answer.decode(Wire.Refund), refundAnswer)
    )

  /** A capture, cancel or refund of the payment that the create left its reference to. */
  const later = (
    operation: ProviderOperation,
    action: string,
    json: object,
    read: (answer: ProviderHttp.Answer) => Effect.Effect<Outcome.SendOutcome, ProviderHttp.SentOutcomeUnknown>
  ) =>
    HttpOutcome.operation(
      Effect.gen(function* () {
        const payment = operation.original?.reference
        // Nothing was sent: there is nothing to act on.
        if (payment === undefined || payment === null) return Outcome.notExecuted({ reason: "adapter_fault" })
        const answer = yield* post(operation, ["payments", payment, action], json)
        return answer.status === 200 ? yield* read(answer) : yield* errorOutcome(answer)
      })
    )

  const inquire = (operation: ProviderOperation): Effect.Effect<InquiryOutcome, ProviderError> =>
    HttpOutcome.inquiry(
      Effect.gen(function* () {
        switch (operation.kind) {
          case "create":
            return yield* lookUp("payments", operation.id, Wire.Payments, paymentAnswer)
          case "refund":
            return yield* lookUp("refunds", operation.id, Wire.Refunds, refundAnswer)
          case "capture":
          case "cancel":
            return yield* inPayment(operation.kind, operation.original)
        }
      })
    )

  const lookUp = Effect.fnUntraced(function* <A>(
    collection: string,
    reference: string,
    schema: Wire.ListOf<A>,
    read: (found: A) => InquiryOutcome
  ) {
    const answer = yield* http.request({ method: "GET", path: ["v1", collection], query: { reference } })
    if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
    const [found, ...others] = (yield* answer.decode(schema)).data
    if (found === undefined) return Outcome.notFound()
    // Our reference is unique. If several payments have it, it is unknown which is ours.
    return others.length > 0 ? Outcome.unknown({ reason: "unmapped", vendorCode: "several_found" }) : read(found)
  })

  /** Acme keeps no record of captures and cancels of their own. */
  const inPayment = Effect.fnUntraced(function* (kind: "capture" | "cancel", original: ProviderOperation["original"]) {
    // Nothing can have been sent: there was nothing to act on.
    if (original === null || original.reference === null) return Outcome.notFound()
    const answer = yield* http.request({ method: "GET", path: ["v1", "payments", original.reference] })
    if (answer.status !== 200) return yield* inquiryErrorOutcome(answer)
    return changeAnswer(kind, yield* answer.decode(Wire.Payment))
  })

  return { create, capture, cancel, refund, inquire }
})
