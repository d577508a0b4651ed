/**
 * The port through which webhooks leave: one POST, no redirect followed, nothing of the answer's body kept.
 *
 * There is no deadline in here: whoever calls interrupts, and an implementation lets go of its connection at once.
 */
import { Context, Layer, Schema } from "effect"
import type { Effect } from "effect"

export interface WebhookRequest {
  readonly url: string
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
}

/** No answer came. `code` is Node's (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`) or a word of ours, never free text. */
export class WebhookHttpError extends Schema.TaggedError<WebhookHttpError>()("WebhookHttpError", {
  code: Schema.String
}) {}

export class WebhookHttp extends Context.Service<
  WebhookHttp,
  { readonly post: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookHttpError> }
>()("@paymux/webhooks/WebhookHttp") {
  /** A receiver in the same process: for tests and simulations. */
  static readonly layerMemory = (
    receive: (request: WebhookRequest) => Effect.Effect<WebhookAnswer, WebhookHttpError>
  ): Layer.Layer<WebhookHttp> => Layer.succeed(WebhookHttp, WebhookHttp.of({ post: receive }))
}
