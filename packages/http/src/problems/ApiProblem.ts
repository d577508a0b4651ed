/** The error `ApiProblem`, which becomes a problem response, and the mapping of core's errors to it. */
import type { PaymentError } from "@paymux/core"
import { otherCellText } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { paymentError, Unavailable } from "@paymux/core/wire"
import { Data, Effect } from "effect"
import { problem } from "./Problem.ts"
import type { Problem, ProblemCode, ProblemOptions } from "./Problem.ts"

/**
 * An error that becomes a problem response. Handlers of extensions also fail with this error.
 *
 * @example
 * ```ts
 * const refusal = new ApiProblem({ code: "not_found" })
 * ```
 */
export class ApiProblem extends Data.TaggedError("ApiProblem")<Refusal> {}

type Refusal = { readonly code: ProblemCode } & Omit<ProblemOptions, keyof RequestContext>

/** The fields of a problem that depend on the request: its id, the base path and the trace id. */
type RequestContext = Required<Pick<ProblemOptions, "requestId" | "basePath" | "traceId">>

export const asProblem = (refusal: Refusal, request: RequestContext): Problem =>
  problem(refusal.code, { ...refusal, ...request })

/**
 * The problem `misdirected_request`: the request is for another cell. `subject` is the part of the request that names
 * that cell. `here` is the cell of this server, or `null` if the server is not a cell.
 */
export const misdirected = (subject: "API key" | "address", cell: string, here: string | null): ApiProblem =>
  new ApiProblem({
    code: "misdirected_request",
    detail: `The ${subject} is ${otherCellText(cell, here)}.`
  })

/** Maps an error of core to a problem. */
export const paymentProblem = ({ reason }: PaymentError): ApiProblem => new ApiProblem(refusalOf(reason))

const refusalOf = (reason: PaymentError["reason"]): Refusal => {
  switch (reason._tag) {
    case "InvalidPayment":
      return { code: "invalid_request", errors: reason.errors }
    case "RawCardData":
      return {
        code: "raw_card_data_not_accepted",
        errors: [{ pointer: reason.pointer, message: "holds raw card data" }]
      }
    case "NoRoute":
      return {
        code: "no_route",
        errors: reason.candidates.map(({ provider, reason }) => ({ pointer: "", message: `${provider}: ${reason}` }))
      }
    case "CardNotRetried":
      return {
        code: "card_not_retried",
        detail: messageOfCard[reason.reason],
        retryAfterSeconds: seconds(reason.retryAfterMs)
      }
    case "NoProviderAvailable":
      return {
        code: "no_provider_available",
        ...(reason.kind !== undefined && { detail: reason.message }),
        retryAfterSeconds: seconds(reason.retryAfterMs)
      }
    case "Restoring":
    case "Overloaded":
    case "IdempotencyInFlight":
      return { code: codeOfWait[reason._tag], retryAfterSeconds: seconds(reason.retryAfterMs) }
    case "IdempotencyKeyReused":
      return {
        code: "idempotency_key_reused",
        detail: reason.message,
        paymentId: reason.paymentId,
        ...(reason.pointer !== null && {
          errors: [{ pointer: reason.pointer, message: "differs from the first request under this key" }]
        })
      }
    case "OrderTaken":
      return { code: "order_taken", detail: reason.message, paymentId: reason.paymentId }
    case "PaymentNotFound":
    case "RefundNotFound":
      return { code: "not_found", detail: reason.message }
    case "OperationRefused":
      return {
        code: reason.reason === "in_flight" ? "operation_in_flight" : "operation_not_supported",
        detail: reason.sentence
      }
    case "RefundExceedsAvailable": {
      const { available, captured, disputed, message, pending, refunded, refundedElsewhere } = reason
      const refundable = { captured, refunded, pending, refunded_elsewhere: refundedElsewhere, disputed, available }
      return { code: "refund_exceeds_available", detail: message, refundable }
    }
    // This error occurs only in the control API, since requests of `/v1` do not state a version of an object.
    case "VersionConflict":
      return { code: "version_conflict" }
    case "ListTimedOut":
      return { code: "service_unavailable", detail: reason.message }
    case "Unavailable":
      return { code: "service_unavailable" }
  }
}

const codeOfWait = {
  Restoring: "restoring",
  Overloaded: "overloaded",
  IdempotencyInFlight: "idempotency_in_flight"
} as const

const messageOfCard = {
  hard_decline: "This card was declined for good. Ask for another one.",
  retry_limit: "This card was declined as often as its network allows. Ask for another one."
} as const

/**
 * Converts the wait before a retry to seconds. An infinite wait becomes one minute, because the time at which a
 * provider recovers cannot be predicted.
 */
const seconds = (ms: number): number => (Number.isFinite(ms) ? ms / 1000 : 60)

/** Maps an unavailable store to an error of a route. */
export const mapStoreError = Effect.mapError(({ cause }: StoreUnavailable) => paymentError(new Unavailable({ cause })))
