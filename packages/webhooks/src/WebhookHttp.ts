/**
 * The port through which webhooks leave: one POST, no redirect followed, of the answer's body the first bytes at most.
 *
 * There is no deadline in here: whoever calls interrupts, and an implementation lets go of its connection at once.
 */
import { Context, Layer, Schema } from "effect"
import type { Effect } from "effect"

export interface WebhookRequest {
  readonly url: string
  /** Live events go over https only. */
  readonly livemode: boolean
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
  /** Of the body, as they came; some hundred at most. */
  readonly firstBytes?: Uint8Array
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
