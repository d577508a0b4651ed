/** A receiver in the same process, with the sender to it. */
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { WebhookHttp, WebhookSender } from "../src/index.ts"
import type { SenderOptions, WebhookAnswer, WebhookHttpError, WebhookRequest } from "../src/index.ts"

export const ok: WebhookAnswer = { status: 200, retryAfter: null }
export const status = (code: number, retryAfter: string | null = null) => Effect.succeed({ status: code, retryAfter })

/** A receiver that notes what comes, and the sender's layer to it. */
export const receiver = (
  answer: (request: WebhookRequest, nth: number) => Effect.Effect<WebhookAnswer, WebhookHttpError>,
  options: Partial<SenderOptions> = {}
) => {
  const received: Array<WebhookRequest> = []
  const http = WebhookHttp.layerMemory((request) =>
    Effect.suspend(() => {
      received.push(request)
      return answer(request, received.length)
    })
  )
  const sender = WebhookSender.layer({ version: "1.2.3", gather: 0, ...options }).pipe(Layer.provide(http))
  return { received, sender }
}

/** What is due now is done: attempts are made in one round and stored in the next. */
export const settledNow = Effect.repeat(TestClock.adjust(0), { times: 20 })

/** The sender has started and done what there was to do at once. */
export const started = <A, E, R>(sender: Layer.Layer<A, E, R>) => Effect.tap(Layer.build(sender), settledNow)
