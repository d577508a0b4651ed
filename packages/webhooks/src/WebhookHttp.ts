/**
 * The port that sends webhooks: one POST, no redirects, at most the first bytes of the response body.
 *
 * It has no time limit of its own: the caller interrupts the effect, and the implementation must then close its
 * connection immediately.
 */
import { Context, Layer, Schema } from "effect"
import type { Effect } from "effect"

export interface WebhookRequest {
  readonly url: string
  /** Whether the event is of live mode, which requires https. */
  readonly livemode: boolean
  /** The request headers, with lower-case names. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The unparsed value of the response's `Retry-After` header. */
  readonly retryAfter: string | null
  /** The first bytes of the response body, a few hundred at most. */
  readonly firstBytes?: Uint8Array
}

/**
 * The error of a request without a response. `code` is an error code of Node (`ECONNREFUSED`, `ENOTFOUND`,
 * `CERT_HAS_EXPIRED`) or of Paymux, never free text.
 */
export class WebhookHttpError extends Schema.TaggedError<WebhookHttpError>()("WebhookHttpError", {
  code: Schema.String
}) {}

export class WebhookHttp extends Context.Service<
  WebhookHttp,
  { readonly post: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookHttpError> }
>()("@paymux/webhooks/WebhookHttp") {
  /** A receiver in the same process instead of HTTP, for tests and simulations. */
  static readonly layerMemory = (
    receive: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookHttpError>
  ): Layer.Layer<WebhookHttp> => Layer.succeed(WebhookHttp, WebhookHttp.of({ post: receive }))
}
