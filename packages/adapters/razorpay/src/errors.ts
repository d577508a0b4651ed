/** What an error that Razorpay answers makes of a call. */
import { misconfigured, Outcome, type ProviderError } from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { declinedBy, duplicates, notEnabled, said, undecided } from "./reasons.ts"
import { ErrorBody } from "./wire.ts"

/** An answer that is no 200, to a request that asks, captures or gives back: it declines no payment. */
export const requestError = (answer: ProviderHttp.Answer): Effect.Effect<Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const { code, description, reason } = yield* errorOf(answer)
    if (isNoEndpoint(answer.status, description)) return yield* Effect.fail(misconfigured("endpoint_not_enabled"))
    // After a 5xx it is not known what was done before, whatever its reason.
    if (answer.status !== 400 && answer.status !== 409) return yield* HttpOutcome.ofStatus(answer, reason ?? code)
    if (/same idempotency key/i.test(description)) {
      const isAtWork = /in progress/i.test(description)
      return Outcome.unknown({ reason: isAtWork ? "in_progress" : "duplicate", vendorCode: "idempotency_key" })
    }
    if (isCaptured(description)) return Outcome.unknown({ reason: "duplicate", vendorCode: "already_captured" })
    if (reason !== undefined && duplicates.has(reason)) {
      return Outcome.unknown({ reason: "duplicate", vendorCode: reason })
    }
    if (reason !== undefined && undecided.has(reason)) {
      return Outcome.unknown({ reason: "in_progress", vendorCode: reason })
    }
    if (reason !== undefined && notEnabled.has(reason)) return yield* Effect.fail(misconfigured(reason))
    return yield* HttpOutcome.ofStatus(answer, reason ?? code)
  })

/**
 * Payments from a server are an endpoint that Razorpay enables per account: without it, it answers as if there were no such
 * address (razorpay-node issues 243 and 315).
 */
const isNoEndpoint = (status: number, description: string): boolean =>
  (status === 400 || status === 404) && /requested url was not found/i.test(description)

/** Captured by hand, or by the account's own setting, since it was looked up (razorpay-node issue 107). It names no reason. */
const isCaptured = (description: string): boolean => /already been captured/i.test(description)

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
