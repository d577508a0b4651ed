/**
 * The endpoint for webhooks of providers: `POST /webhooks/{provider instance}`, without an API key.
 *
 * The raw body of any content type is passed to the adapter, because the provider's signature covers its bytes. The
 * evidence in the webhook is stored before the webhook is acknowledged. If the provider instance is not configured, the
 * raw webhook is stored.
 */
import { Inbox } from "@paymux/core"
import type { WebhookRefused } from "@paymux/core"
import { paymentError, Unavailable } from "@paymux/core/wire"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"
import type { RouteError } from "../auth/RouteError.ts"
import type { BodyLimits } from "../request/BodyLimit.ts"
import type { KnownRoute } from "../server/KnownRoute.ts"
import { Notices, oncePerMinute } from "../request/Notices.ts"
import { countRefusedWebhook } from "../request/RequestTelemetry.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { readBytes } from "../request/RequestBody.ts"

const path = "/webhooks/:provider"

export const webhookRoute = ({ webhooks }: BodyLimits): KnownRoute => ({ method: "POST", path, body: webhooks })

export const webhookRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const inbox = yield* Inbox
    const notices = yield* Notices
    const receive = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { provider = "" } = yield* HttpRouter.params
      const body = yield* readBytes(request)
      const received = yield* Effect.catch(
        inbox.receive(provider, body, { ...request.headers }),
        refusal(notices, provider)
      )
      return responses[received]
    })
    yield* router.add("POST", path, answered(receive))
  })
)

type Receiving = ReturnType<Inbox["Service"]["receive"]>

const responses = {
  applied: jsonResponse(`{"received":"applied"}`),
  kept: jsonResponse(`{"received":"kept"}`, { status: 202 })
} satisfies { readonly [received in Effect.Success<Receiving>]: unknown }

const refusal =
  (notices: Notices["Service"], provider: string) =>
  (error: Effect.Error<Receiving>): Effect.Effect<never, RouteError> => {
    const report = (detail: string, reason: string) =>
      notices.report({
        subject: `webhook ${provider}`,
        detail,
        sentence: `A webhook of ${provider} was refused: ${reason}`,
        interval: oncePerMinute
      })
    switch (error._tag) {
      case "WebhookNotTaken":
        return Effect.fail(new ApiProblem({ code: "not_found" }))
      case "KeptWebhooksFull":
        return Effect.andThen(
          report("full", "the instance is not configured, and the limit of its kept webhooks is reached"),
          Effect.fail(full)
        )
      case "StoreUnavailable":
        return Effect.fail(paymentError(new Unavailable({ cause: error.cause })))
      case "WebhookRefused":
        // A rejected webhook is reported, because it is the first sign that the webhook secret was changed only at the
        // provider or only here.
        return countRefusedWebhook(provider, error.reason).pipe(
          Effect.andThen(report(error.reason, error.reason)),
          Effect.andThen(Effect.fail(refusedProblems[error.reason]))
        )
    }
  }

const full = new ApiProblem({
  code: "service_unavailable",
  detail: "The limit of webhooks that are kept for this instance is reached."
})

const notAuthentic = new ApiProblem({ code: "webhook_signature_invalid" })

const refusedProblems: { readonly [reason in WebhookRefused["reason"]]: ApiProblem } = {
  missing_signature: notAuthentic,
  bad_signature: notAuthentic,
  stale: new ApiProblem({ code: "webhook_stale" }),
  malformed: new ApiProblem({ code: "invalid_request", detail: "The webhook or its signature cannot be read." })
}
