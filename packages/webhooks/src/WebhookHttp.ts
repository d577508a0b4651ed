/**
 * The port that sends webhooks: one POST, no redirects, at most the first bytes of the response body.
 *
 * It has no time limit: the caller interrupts, and an implementation must then close its connection immediately.
 */
import { Context, Layer, Schema } from "effect"
import type { Effect } from "effect"

export interface WebhookRequest {
  readonly url: string
  /** Live mode requires https. */
  readonly livemode: boolean
  /** Keyed by lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The raw `Retry-After` header. */
  readonly retryAfter: string | null
  /** The first bytes of the body, a few hundred at most. */
  readonly firstBytes?: Uint8Array
}

/** No response. `code` is Node's (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`) or our own, never free text. */
export class WebhookHttpError extends Schema.TaggedError<WebhookHttpError>()("WebhookHttpError", {
  code: Schema.String
}) {}

export class WebhookHttp extends Context.Service<
  WebhookHttp,
  { readonly post: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookHttpError> }
>()("@paymux/webhooks/WebhookHttp") {
  /** A receiver in the same process, for tests and simulations. */
  static readonly layerMemory = (
    receive: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookHttpError>
  ): Layer.Layer<WebhookHttp> => Layer.succeed(WebhookHttp, WebhookHttp.of({ post: receive }))
}
