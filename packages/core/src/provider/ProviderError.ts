/**
 * The errors of an adapter: the provider answered, and the answer is about the request or the account instead of the
 * payment.
 *
 * One error with a tagged reason. Everything else that an adapter throws is a defect: the engine treats it as an
 * unknown outcome, because it cannot know how far the request got.
 */
import { Predicate, Schema } from "effect"
import { requiredFacts } from "./Capabilities.ts"

/**
 * The provider refused the credentials, or the account is closed or not active, and did nothing: HTTP status 401, or
 * 403 without a more specific code. The breaker opens: the provider gets no payments for a while, and the next
 * candidate is tried. For an account that may not take this kind of payment, use `AccountNotEnabled`.
 */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  /** The detail for the operator. It must not contain a secret. */
  detail: Schema.String
}) {}

/**
 * The provider accepts the credentials, and refuses this kind of payment to the account: a feature or a payment method
 * is not enabled, the account is not approved, or not for this country or currency. Nothing was done, and the next
 * candidate is tried.
 *
 * The response proves only for its own request that nothing was done: if an earlier send had no definite response, the
 * outcome stays unknown. The error never opens a circuit breaker, because the account may take other kinds of payments.
 */
export class AccountNotEnabled extends Schema.TaggedError<AccountNotEnabled>()("AccountNotEnabled", {
  /** The vendor's code, 500 characters at most; never the vendor's text. */
  code: Schema.String,
  /**
   * The scope of the refusal.
   *
   * - `kind`: every payment of this rail, flow and currency. The engine remembers it for some minutes, and tries this
   *   provider last for such payments.
   * - `payment`: this payment, such as for the country of its card. It is not remembered.
   * - a fact: the account requires this fact, and the payment does not have it. It is not remembered.
   */
  about: Schema.Literals(["kind", "payment", ...requiredFacts])
}) {}

/**
 * The provider responded with 429: too many requests. Nothing was executed if `rateLimitIsNotExecuted` is declared;
 * otherwise the outcome is unknown.
 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  /** The wait from `Retry-After`, ms; `null`: the header is missing. */
  retryAfterMs: Schema.NullOr(Schema.Finite)
}) {}

/**
 * The provider rejected the request as invalid (400 or 422), and did nothing. The payment fails with
 * `request_rejected`; no other provider is tried, because the request would be invalid there, too.
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  /** The invalid field and the reason, for the operator. It must not contain a secret or a value of the payer. */
  detail: Schema.String
}) {}

/** The error of a call. Create it with `misconfigured`, `accountNotEnabled`, `rateLimited` or `invalidRequest`. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  /** The reason why the provider refused the request. */
  reason: Schema.Union([Misconfigured, AccountNotEnabled, RateLimited, InvalidRequest])
}) {}

/** Creates the error for refused credentials. */
export const misconfigured = (detail: string): ProviderError =>
  new ProviderError({ reason: new Misconfigured({ detail }) })

/**
 * Creates the error for an account that is not enabled for this kind of payment, or needs a fact that the payment does
 * not have.
 */
export const accountNotEnabled = (code: string, about: AccountNotEnabled["about"]): ProviderError =>
  new ProviderError({ reason: new AccountNotEnabled({ code, about }) })

/** Creates the error for too many requests; the time to wait is in ms. */
export const rateLimited = (retryAfterMs: number | null): ProviderError =>
  new ProviderError({ reason: new RateLimited({ retryAfterMs }) })

/** Creates the error for an invalid request. */
export const invalidRequest = (detail: string): ProviderError =>
  new ProviderError({ reason: new InvalidRequest({ detail }) })

/** A rejected webhook. Nothing of it is stored; the HTTP response has the status in brackets. */
export class WebhookRefused extends Schema.TaggedError<WebhookRefused>()("WebhookRefused", {
  /**
   * The reason of the rejection.
   *
   * - `missing_signature`: a required header is missing (401)
   * - `bad_signature`: well-formed, and not signed with any of the secrets (401)
   * - `stale`: authentic, but its timestamp is outside of the tolerance (400)
   * - `malformed`: a header or body that cannot be read (400)
   */
  reason: Schema.Literals(["missing_signature", "bad_signature", "stale", "malformed"])
}) {
  override get message(): string {
    return `The webhook was refused: ${this.reason}.`
  }
}

/**
 * Whether `error` is a `ProviderError`, by its tag and shape. `instanceof` fails for an adapter that has its own copy
 * of this package.
 */
export const isProviderError = (error: unknown): error is ProviderError => {
  if (!Predicate.isTagged(error, "ProviderError") || !Predicate.hasProperty(error, "reason")) return false
  const { reason } = error
  if (!Predicate.isObject(reason)) return false
  switch (reason["_tag"]) {
    case "Misconfigured":
    case "InvalidRequest":
      return Predicate.isString(reason["detail"])
    case "AccountNotEnabled":
      return isVendorCode(reason["code"]) && isAbout(reason["about"])
    case "RateLimited":
      return reason["retryAfterMs"] === null || Number.isFinite(reason["retryAfterMs"])
    default:
      return false
  }
}

const isVendorCode = (code: unknown): boolean => Predicate.isString(code) && code.length <= 500

const isAbout = Schema.is(AccountNotEnabled.fields.about)

/** Whether `error` is a `WebhookRefused`, by its tag and shape, from any copy of this package. */
export const isWebhookRefused = (error: unknown): error is WebhookRefused =>
  Predicate.isTagged(error, "WebhookRefused") && Predicate.hasProperty(error, "reason") && isRefusal(error.reason)

const isRefusal = Schema.is(WebhookRefused.fields.reason)
