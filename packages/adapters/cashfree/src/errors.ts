/** What Cashfree's errors and failed payments mean, by `codes.ts`. What is not listed there is unknown, never a decline. */
import { type InquiryOutcome, Outcome, type ProviderError, rateLimited } from "@paymux/core"
import { Codes, HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Data, Effect, Option, type Schema } from "effect"
import { codes, paymentCodes, wordOf } from "./codes.ts"
import * as Wire from "./wire.ts"

/** An answer that is no 200: what it means depends on the call. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly answer: ProviderHttp.Answer
  /** It is about the object that the call is about: if Cashfree has none, an inquiry finds nothing. */
  readonly isSubject: boolean
}> {}

/** The body of a 200. */
export const bodyOf = <A>(
  schema: Schema.Decoder<A>,
  answer: ProviderHttp.Answer,
  isSubject = false
): Effect.Effect<A, Refused | ProviderHttp.SentOutcomeUnknown> =>
  answer.status === 200 ? answer.decodeWithNumberText(schema) : Effect.fail(new Refused({ answer, isSubject }))

/** Sends a request, and reads the body of a 200. */
export const read = <A, E>(schema: Schema.Decoder<A>, request: Effect.Effect<ProviderHttp.Answer, E>) =>
  Effect.flatMap(request, (answer) => bodyOf(schema, answer))

/** The same for the object that the call is about. */
export const readSubject = <A, E>(schema: Schema.Decoder<A>, request: Effect.Effect<ProviderHttp.Answer, E>) =>
  Effect.flatMap(request, (answer) => bodyOf(schema, answer, true))

type NoAnswer = ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown | Refused

/** Of a call that may move money. */
export const operation = <A>(call: Effect.Effect<A, NoAnswer>) =>
  HttpOutcome.operation(Effect.catchTag(call, "Refused", ({ answer }) => errorOutcome(answer)))

/** Of requests after one that may have had an effect: that they are refused or not sent is no proof that nothing was done. */
export const withoutProof = <A>(
  call: Effect.Effect<A, NoAnswer>
): Effect.Effect<A | Outcome.Declined | Outcome.Unknown, ProviderError | ProviderHttp.SentOutcomeUnknown> =>
  call.pipe(
    Effect.catchTag("NotSent", () => Effect.succeed(Outcome.unknown({ reason: "reset" }))),
    Effect.catchTag("Refused", ({ answer }) => unproven(answer))
  )

const unproven = (answer: ProviderHttp.Answer) =>
  Effect.flatMap(errorOf(answer), ({ found: [vendorCode = `http_${answer.status}`] }) =>
    Effect.catchIf(errorOutcome(answer), isRefusal, () =>
      Effect.succeed(Outcome.unknown({ reason: "in_progress", vendorCode }))
    )
  )

const isRefusal = ({ reason }: ProviderError): boolean => reason._tag !== "RateLimited"

/** Of a call that only asks. */
export const inquiry = <A>(call: Effect.Effect<A, NoAnswer>) =>
  HttpOutcome.inquiry(
    Effect.catchTag(call, "Refused", ({ answer, isSubject }) =>
      Effect.flatMap(isNotFound(answer), (isMissing): Effect.Effect<InquiryOutcome, ProviderError> =>
        isMissing && isSubject ? Effect.succeed(Outcome.notFound()) : errorOutcome(answer)
      )
    )
  )

/** An answer that is no 200. "Duplicate" and "same key, other body" say nothing about the request that came first. */
export const errorOutcome = (
  answer: ProviderHttp.Answer
): Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError> =>
  Effect.flatMap(errorOf(answer), ({ found, meaning }) => {
    const wait = answer.status === 429 ? retryMs(answer.header("x-ratelimit-retry")) : null
    if (wait !== null) return Effect.fail(rateLimited(wait))
    return answer.status === 422 && meaning === null
      ? Effect.succeed(Outcome.unknown({ reason: "duplicate", vendorCode: found[0] ?? "http_422" }))
      : Codes.outcome(codes, answer, found)
  })

/** The codes of the error, the most specific first, and what `codes` makes of it (`null`: it is not there). */
export const errorOf = (answer: ProviderHttp.Answer) =>
  Effect.map(Effect.option(answer.decode(Wire.ErrorBody)), (body) => {
    const { code = null, message = null, type = null } = Option.getOrElse(body, (): typeof Wire.ErrorBody.Type => ({}))
    // Cashfree's pages and its answers write some codes with other capitals.
    const found = [code, code?.toLowerCase() ?? null, wordOf(code, message), type].map(shortCode)
    const known = found.filter((each) => each !== null)
    const meaning = known.map((each) => Codes.meaningOf(codes, each)).find((each) => each !== null)
    return { code: shortCode(code), type, found: known, meaning: meaning ?? null }
  })

/** The id was used before: by a first send whose answer was lost, perhaps long ago. */
export const isMadeBefore = (answer: ProviderHttp.Answer) =>
  Effect.map(errorOf(answer), ({ found }) =>
    answer.status === 200
      ? answer.header("x-idempotency-replayed") === "true"
      : isClientError(answer) && (found.includes("order_already_exists") || found.includes("link_already_exists"))
  )

/** The vendor refused the request, and did not fail over it. */
export const isClientError = ({ status }: ProviderHttp.Answer): boolean =>
  status >= 400 && status < 500 && status !== 429

/** Cashfree itself reports that it has no such object; a 404 in any other form says nothing. */
export const isNotFound = (answer: ProviderHttp.Answer) =>
  Effect.map(
    errorOf(answer),
    ({ code, meaning, type }) =>
      answer.status === 404 &&
      type === "invalid_request_error" &&
      code !== null &&
      code.endsWith("not_found") &&
      meaning === null
  )

/** Of a payment that took nothing. The narrowest code that is known decides; `FAILED` alone is a decline without a reason. */
export const declined = (
  status: string,
  details: Wire.ErrorDetails | null,
  reference: string
): Outcome.Declined | Outcome.Unknown => {
  const byStatus = Codes.declinedBy(paymentCodes, status, { reference })
  if (byStatus !== null) return byStatus
  const { error_code = null, error_code_raw = null, error_reason = null } = details ?? {}
  const given = [error_code_raw, error_reason, error_code].map(shortCode).filter((each) => each !== null)
  const vendorCode = given[0] ?? null
  if (vendorCode === null) {
    return Outcome.declined({ code: "generic_decline", retry: "same_later", reference, vendorCode: status })
  }
  const known = given.map((each) => Codes.declinedBy(paymentCodes, each, { reference })).find((each) => each !== null)
  return known === undefined || known === null
    ? Outcome.unknown({ reason: "unmapped", reference, vendorCode })
    : { ...known, vendorCode }
}

/** Codes are words; whatever is longer may repeat what was sent. */
export const shortCode = (code: string | null): string | null =>
  code !== null && /^[\w.-]{1,64}$/.test(code) ? code : null

/** `x-ratelimit-retry` is in seconds, and 0 within the limit. */
const retryMs = (seconds: string | undefined): number | null =>
  seconds !== undefined && /^[1-9]\d{0,4}$/.test(seconds) ? Number(seconds) * 1000 : null
