/**
 * How an adapter fails when the provider answered, and the answer is about us rather than about the payment.
 *
 * One error with a tagged reason. Everything else an adapter throws is a defect of the adapter: the engine treats it as
 * an unknown outcome, because it cannot know how far the request got.
 */
import { Schema } from "effect"

/** 401 or 403: our credentials were refused. The breaker is forced open, the next candidate is tried (row 9). */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  /** For the operator; no secret in it. */
  detail: Schema.String
}) {}

/** 429. `retryAfterMs` from `Retry-After`, when it came. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfterMs: Schema.NullOr(Schema.Finite)
}) {}

/** 400 or 422: the provider finds our request invalid. No other provider is tried (row 8). */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  detail: Schema.String
}) {}

export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  reason: Schema.Union([Misconfigured, RateLimited, InvalidRequest])
}) {}

export const misconfigured = (detail: string): ProviderError =>
  new ProviderError({ reason: new Misconfigured({ detail }) })
export const rateLimited = (retryAfterMs: number | null): ProviderError =>
  new ProviderError({ reason: new RateLimited({ retryAfterMs }) })
export const invalidRequest = (detail: string): ProviderError =>
  new ProviderError({ reason: new InvalidRequest({ detail }) })

/**
 * A webhook that is not believed. Nothing of it is kept.
 *
 * - `missing_signature`: a header that must be there is not (401)
 * - `bad_signature`: well-formed, and signed with none of the secrets (401)
 * - `stale`: authentic, but its time is further from now than the tolerance (400)
 * - `malformed`: a header or body that cannot be read (400)
 */
export class WebhookRefused extends Schema.TaggedError<WebhookRefused>()("WebhookRefused", {
  reason: Schema.Literals(["missing_signature", "bad_signature", "stale", "malformed"])
}) {
  override get message(): string {
    return `The webhook was refused: ${this.reason}.`
  }
}
