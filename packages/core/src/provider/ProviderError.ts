/**
 * How an adapter fails when the provider answered, and the answer is about us rather than about the payment.
 *
 * One error with a tagged reason. Everything else an adapter throws is a defect of the adapter: the engine treats it as
 * an unknown outcome, because it cannot know how far the request got.
 */
import { Predicate, Schema } from "effect"

/**
 * 401 or 403: our credentials were refused, and nothing was done. The provider gets no more payments for a while, and
 * the next candidate is tried.
 */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  /** For the operator; no secret in it. */
  detail: Schema.String
}) {}

/**
 * 429: too many requests. Whether nothing was executed then is declared as `rateLimitIsNotExecuted`; if it is not, the
 * outcome is unknown.
 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  /** ms, from `Retry-After`; `null` when it did not come. */
  retryAfterMs: Schema.NullOr(Schema.Finite)
}) {}

/**
 * 400 or 422: the provider finds our request invalid, and did nothing. The payment fails as `request_rejected`; no other
 * provider is tried, since it would find the same.
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  /** For the operator: which field, in what way. No secret and no value of a payer in it. */
  detail: Schema.String
}) {}

/** The one error of a call; `misconfigured`, `rateLimited` and `invalidRequest` make it. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  /** What the provider found wrong with us. */
  reason: Schema.Union([Misconfigured, RateLimited, InvalidRequest])
}) {}

/** Our credentials were refused. */
export const misconfigured = (detail: string): ProviderError =>
  new ProviderError({ reason: new Misconfigured({ detail }) })

/** Too many requests; the time is in ms. */
export const rateLimited = (retryAfterMs: number | null): ProviderError =>
  new ProviderError({ reason: new RateLimited({ retryAfterMs }) })

/** Our request is invalid. */
export const invalidRequest = (detail: string): ProviderError =>
  new ProviderError({ reason: new InvalidRequest({ detail }) })

/** A webhook that is not believed. Nothing of it is kept; the provider gets the status in brackets. */
export class WebhookRefused extends Schema.TaggedError<WebhookRefused>()("WebhookRefused", {
  /**
   * - `missing_signature`: a header that must be there is not (401)
   * - `bad_signature`: well-formed, and signed with none of the secrets (401)
   * - `stale`: authentic, but its time is further from now than the tolerance (400)
   * - `malformed`: a header or body that cannot be read (400)
   */
  reason: Schema.Literals(["missing_signature", "bad_signature", "stale", "malformed"])
}) {
  override get message(): string {
    return `The webhook was refused: ${this.reason}.`
  }
}

/**
 * Whether `error` is a `ProviderError`, by its tag and shape. An adapter may bring its own copy of this package, whose
 * classes are others than ours: `instanceof` would not know them.
 */
export const isProviderError = (error: unknown): error is ProviderError => {
  if (!Predicate.isTagged(error, "ProviderError") || !Predicate.hasProperty(error, "reason")) return false
  const { reason } = error
  if (!Predicate.isObject(reason)) return false
  switch (reason["_tag"]) {
    case "Misconfigured":
    case "InvalidRequest":
      return Predicate.isString(reason["detail"])
    case "RateLimited":
      return reason["retryAfterMs"] === null || Number.isFinite(reason["retryAfterMs"])
    default:
      return false
  }
}

/** Whether `error` is a `WebhookRefused`, by its tag and shape, of whichever copy of this package. */
export const isWebhookRefused = (error: unknown): error is WebhookRefused =>
  Predicate.isTagged(error, "WebhookRefused") && Predicate.hasProperty(error, "reason") && isRefusal(error.reason)

const isRefusal = Schema.is(WebhookRefused.fields.reason)
