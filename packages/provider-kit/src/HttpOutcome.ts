/**
 * From what `ProviderHttp` saw to what an adapter answers, where the vendor's own words do not decide it.
 *
 * An answer that says nothing definite is `unknown`, and so is no answer. An inquiry is a question about something else:
 * that it was not sent, refused or not answered says nothing about what it asked.
 *
 * @example
 * ```ts
 * import { Outcome } from "@paymux/core"
 * import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
 * import { Effect, Schema } from "effect"
 *
 * const Payment = Schema.Struct({ id: Schema.String, status: Schema.Literals(["paid", "open"]) })
 *
 * const create = (http: ProviderHttp.ProviderHttp) =>
 *   HttpOutcome.operation(
 *     Effect.gen(function* () {
 *       const answer = yield* http.request({ method: "POST", path: "/v1/payments", body: { json: { amount: 100 } } })
 *       if (answer.status !== 200) return yield* HttpOutcome.ofStatus(answer)
 *       const { id, status } = yield* answer.decode(Payment)
 *       return status === "paid" ? Outcome.succeeded({ reference: id }) : Outcome.pending({ reference: id })
 *     })
 *   )
 * ```
 */
import { invalidRequest, misconfigured, Outcome, type ProviderError, rateLimited } from "@paymux/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Footprint } from "./Footprint.ts"
import type { Answer } from "./HttpAnswer.ts"
import type { NotSent, SentOutcomeUnknown } from "./HttpFailure.ts"

/**
 * Of a call that may take, hold or give back money: what was not sent was not executed, what broke later is unknown.
 *
 * In a call of several requests a later one that was not sent proves nothing, once an earlier one that is no GET was sent:
 * then the outcome is unknown, too. Where the earlier one cannot have moved money (an order, an access token), say so by
 * {@link harmless}.
 */
export const operation = <A, R>(
  call: Effect.Effect<A, ProviderError | NotSent | SentOutcomeUnknown, R>
): Effect.Effect<A | Outcome.NotExecuted | Outcome.Unknown, ProviderError, R> =>
  Effect.suspend(() => {
    const footprint: Footprint = { left: false }
    return Effect.catchTags(Effect.provideService(call, Footprint, footprint), {
      NotSent: (error) => Effect.succeed(footprint.left ? Outcome.unknown({ reason: "reset" }) : notSent(error)),
      SentOutcomeUnknown: (error) => Effect.succeed(unknown(error))
    })
  })

/** Of requests within a call that cannot have moved money, whatever became of them. */
export const harmless = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(call, Footprint, { left: false }))

/** Of a call that only asks: whatever breaks, the answer is not known. */
export const inquiry = <A, R>(
  call: Effect.Effect<A, ProviderError | NotSent | SentOutcomeUnknown, R>
): Effect.Effect<A | Outcome.Unknown, ProviderError, R> =>
  Effect.catchTags(call, {
    NotSent: () => Effect.succeed(Outcome.unknown({ reason: "reset" })),
    SentOutcomeUnknown: (error) => Effect.succeed(unknown(error))
  })

/**
 * Of a page of a statement. If there is no answer, the page is read again later: it fails with `RateLimited` without a time.
 * An answer of another shape, or over the size limit, is `InvalidRequest`, because it would be the same later.
 */
export const statement = <A, R>(
  call: Effect.Effect<A, ProviderError | NotSent | SentOutcomeUnknown, R>
): Effect.Effect<A, ProviderError, R> =>
  Effect.catchTags(call, {
    NotSent: ({ reason }) => Effect.fail(reason === "invalid_request" ? invalidRequest(reason) : rateLimited(null)),
    SentOutcomeUnknown: ({ reason }) =>
      Effect.fail(reason === "unexpected_shape" || reason === "too_large" ? invalidRequest(reason) : rateLimited(null))
  })

/** An answer that is not a page of a statement: as `ofStatus`, and what is unknown is read again later. */
export const statementRefusal = (answer: Answer, vendorCode?: string): Effect.Effect<never, ProviderError> =>
  Effect.andThen(ofStatus(answer, vendorCode), Effect.fail(rateLimited(null)))

/**
 * What a status alone means, for answers whose body the adapter does not know:
 * 401, 403 `Misconfigured` · 429 `RateLimited` with its time · 400, 422 `InvalidRequest` · 409 unknown (`duplicate`) ·
 * 5xx unknown (`server_error`) · anything else unknown (`unmapped`).
 *
 * `vendorCode` is kept on the attempt and shown to operators: the vendor's short code, never its text, which may repeat
 * what we sent.
 */
export const ofStatus = (
  answer: Answer,
  vendorCode = `http_${answer.status}`
): Effect.Effect<Outcome.Unknown, ProviderError> => {
  switch (answer.status) {
    case 400:
    case 422:
      return Effect.fail(invalidRequest(vendorCode))
    case 401:
    case 403:
      return Effect.fail(misconfigured(vendorCode))
    case 429:
      return Effect.flatMap(answer.retryAfter, (wait) =>
        Effect.fail(rateLimited(Option.getOrNull(Option.map(wait, Duration.toMillis))))
      )
    case 409:
      return Effect.succeed(Outcome.unknown({ reason: "duplicate", vendorCode }))
    default:
      return Effect.succeed(Outcome.unknown({ reason: answer.status >= 500 ? "server_error" : "unmapped", vendorCode }))
  }
}

const notSent = ({ reason }: NotSent): Outcome.NotExecuted =>
  reason === "invalid_request"
    ? Outcome.notExecuted({ reason: "adapter_fault" })
    : Outcome.notExecuted({ reason: "not_sent", vendorCode: connectionFailures[reason] })

/** For the attempt in the API, which shows why nothing was sent. */
const connectionFailures = {
  refused: "connection_refused",
  unreachable: "host_unreachable",
  connect_timeout: "connect_timeout",
  dns: "dns_failed",
  tls: "tls_failed"
} as const satisfies { readonly [reason in Exclude<NotSent["reason"], "invalid_request">]: string }

const unknown = ({ reason, reusedConnection }: SentOutcomeUnknown): Outcome.Unknown => {
  switch (reason) {
    case "timeout":
      return Outcome.unknown({ reason: "timeout" })
    case "reset":
      return Outcome.unknown({ reason: reusedConnection ? "reset_reused" : "reset" })
    case "truncated":
    case "too_large":
    case "unreadable":
    case "unexpected_shape":
      return Outcome.unknown({ reason: "unreadable" })
  }
}
