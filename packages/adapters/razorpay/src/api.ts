/** Requests to Razorpay, and how whatever is no answer to them ends a call. Each is sent once. */
import { type InquiryOutcome, invalidRequest, Outcome, type ProviderError, rateLimited } from "@paymux/core"
import { HttpOutcome, ProviderHttp, RequestHeaders } from "@paymux/provider-kit"
import { Data, Effect, type Redacted, type Schema } from "effect"
import { requestError } from "./errors.ts"

export interface Account {
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
  readonly baseUrl?: string
}

export const makeApi = (
  { baseUrl, keyId, keySecret }: Account,
  limits: Pick<ProviderHttp.Options, "maxBodyBytes"> = {}
) =>
  Effect.map(
    // A base URL that cannot be used is a fault of the configuration: the engine does not start.
    Effect.orDie(
      ProviderHttp.make({
        baseUrl: baseUrl ?? "https://api.razorpay.com",
        headers: RequestHeaders.basic(keyId, keySecret),
        // The longest that one send over UPI may take.
        timeout: "15 seconds",
        ...limits
      })
    ),
    (http): Api => ({
      get: (path, schema, query = {}) =>
        Effect.flatMap(http.request({ method: "GET", path: ["v1", ...path], query }), read(schema, requestError)),
      post: (path, schema, json, { headers = {}, refused = requestError } = {}) =>
        Effect.flatMap(
          http.request({ method: "POST", path: ["v1", ...path], headers, ...(json !== null && { body: { json } }) }),
          read(schema, refused)
        )
    })
  )

export interface Api {
  readonly get: <A>(
    path: ReadonlyArray<string>,
    schema: Schema.Decoder<A>,
    query?: { readonly [name: string]: string | number }
  ) => Effect.Effect<A, NoAnswer>
  /** `json` is `null` for a request without a body; `refused` reads what is no 200. */
  readonly post: <A>(
    path: ReadonlyArray<string>,
    schema: Schema.Decoder<A>,
    json: object | null,
    options?: { readonly headers?: RequestHeaders.RequestHeaders; readonly refused?: Refused }
  ) => Effect.Effect<A, NoAnswer>
}

export type NoAnswer = Ended | ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

/** The call is over: Razorpay answered with an error, and this is what it comes to. */
export class Ended extends Data.TaggedError("Ended")<{ readonly outcome: Outcome.Declined | Outcome.Unknown }> {}

const unanswered = new Ended({ outcome: Outcome.unknown({ reason: "reset" }) })

/** Razorpay answered with an error other than 429. */
export const isRefused = (error: NoAnswer): boolean =>
  error._tag === "Ended" || (error._tag === "ProviderError" && error.reason._tag !== "RateLimited")

/**
 * What `create` makes, or what an earlier send of it made under our reference: Razorpay rejects a repeat like any other invalid
 * request, and after a server error the object may exist.
 */
export const orFound = <A>(
  create: Effect.Effect<A, NoAnswer>,
  lookUp: Effect.Effect<A | null, NoAnswer>
): Effect.Effect<A, NoAnswer> =>
  Effect.catchIf(create, isRefused, (refusal) =>
    Effect.flatMap(withoutProof(lookUp, refusal), (found) =>
      found === null ? Effect.fail(refusal) : Effect.succeed(found)
    )
  )

/** Of a request after which an earlier send may have had an effect: its refusal is no proof that nothing was done. */
export const withoutProof = <A>(
  request: Effect.Effect<A, NoAnswer>,
  otherwise: NoAnswer = unanswered
): Effect.Effect<A, NoAnswer> =>
  Effect.catchTags(request, {
    ProviderError: (error) => Effect.fail(isRefused(error) ? otherwise : error),
    NotSent: () => Effect.fail(unanswered)
  })

type Refused = (answer: ProviderHttp.Answer) => Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError>

const read =
  <A>(schema: Schema.Decoder<A>, refused: Refused) =>
  (answer: ProviderHttp.Answer): Effect.Effect<A, NoAnswer> =>
    answer.status === 200
      ? answer.decode(schema)
      : Effect.flatMap(refused(answer), (outcome) => Effect.fail(new Ended({ outcome })))

/** A call that may move money. */
export const operation = (
  call: Effect.Effect<Outcome.SendOutcome, NoAnswer>
): Effect.Effect<Outcome.SendOutcome, ProviderError> => HttpOutcome.operation(ended(call))

/** A call that only asks. */
export const inquiry = (call: Effect.Effect<InquiryOutcome, NoAnswer>): Effect.Effect<InquiryOutcome, ProviderError> =>
  HttpOutcome.inquiry(ended(call))

/** A page of the statement. */
export const reading = <A>(call: Effect.Effect<A, NoAnswer>): Effect.Effect<A, ProviderError> =>
  HttpOutcome.statement(Effect.catchTag(call, "Ended", ({ outcome }) => Effect.fail(notRead(outcome))))

/** A status that is not known stays so; a server error may be over later. */
const notRead = (outcome: Outcome.Declined | Outcome.Unknown): ProviderError =>
  outcome._tag === "Unknown" && outcome.reason !== "unmapped"
    ? rateLimited(null)
    : invalidRequest(outcome.vendorCode ?? "refused")

const ended = <A>(call: Effect.Effect<A, NoAnswer>) =>
  Effect.catchTag(call, "Ended", ({ outcome }) => Effect.succeed(outcome))

/** Lists are read page by page: the first that fits, or `null` after the last. On a page beyond the most it may still be. */
export const findIn = Effect.fnUntraced(function* <A>(
  page: (query: {
    readonly count: number
    readonly skip: number
  }) => Effect.Effect<{ readonly items: ReadonlyArray<A> }, NoAnswer>,
  fits: (item: A) => boolean
): Effect.fn.Return<A | null, NoAnswer> {
  for (let skip = 0; skip < mostItems; skip += pageSize) {
    const { items } = yield* page({ count: pageSize, skip })
    const found = items.find(fits)
    if (found !== undefined) return found
    if (items.length < pageSize) return null
  }
  const outcome = Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
  return yield* Effect.fail(new Ended({ outcome }))
})

/** The most that Razorpay gives at once. */
const pageSize = 100
const mostItems = 100 * pageSize
