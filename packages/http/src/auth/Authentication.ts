/**
 * Authentication by API key: a request reaches its handler with a `CurrentPrincipal`, or gets 401 or 429 before its
 * body is read.
 */
import type { Tenant } from "@paymux/core"
import { spending } from "@paymux/core/wire"
import { Context, Effect, Layer, Result } from "effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "./RouteError.ts"
import type { RouteError } from "./RouteError.ts"
import { ApiKeys } from "./ApiKeys.ts"
import type { ApiKeyOfOtherCell, ApiKeysUnavailable, Unauthorized } from "./ApiKeyErrors.ts"
import type { Principal } from "../request/RequestNote.ts"
import { CurrentRequestNote } from "../request/RequestNote.ts"
import { Notices, oncePerMinute } from "../request/Notices.ts"
import { countRefusedKey } from "../request/RequestTelemetry.ts"
import { RateLimits } from "./RateLimits.ts"

/** The principal of the current request. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@paymux/http/Authentication/CurrentPrincipal"
) {}

/** The tenant of a principal: stored data is scoped by account and mode, not by key. */
export const currentTenant = Effect.map(CurrentPrincipal, ({ account, livemode }): Tenant => ({ account, livemode }))

export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "@paymux/http/Authentication",
  {
    security: {
      apiKey: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "A secret key, for servers only: `pmx_test_…` or `pmx_live_…`."),
        HttpApiSecurity.annotate(OpenApi.Format, "pmx_(test|live)_([a-z][0-9a-z]{0,7}_)?[0-9A-Za-z]{38}")
      )
    }
  }
) {}

/** Authenticates a request and counts it against the rate limit. */
export const principals = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const notices = yield* Notices
  const limits = yield* RateLimits
  return Effect.fnUntraced(function* ({ headers, method }: HttpServerRequest) {
    const principal = yield* Effect.tapError(keys.authenticate(headers["authorization"]), reportRefusal(notices))
    const note = yield* CurrentRequestNote
    if (note !== null) note.principal = principal
    return limits.take(principal, method) ? principal : yield* rateLimited
  })
})

/**
 * Counts a rejected API key and reports it to operators, because it may be a guess. A request without a key is not
 * reported.
 */
const reportRefusal = (notices: Notices["Service"]) => (error: Unauthorized | ApiKeyOfOtherCell | ApiKeysUnavailable) =>
  error._tag !== "Unauthorized" || error.because === "missing"
    ? Effect.void
    : Effect.andThen(
        countRefusedKey(error.because),
        notices.report({
          subject: "api_key",
          detail: error.because,
          sentence: `A request with an API key was refused: ${error.because}`,
          interval: oncePerMinute
        })
      )

const rateLimited = new ApiProblem({ code: "rate_limited" })

/** Runs `route` for the principal of the request. */
export const authenticated =
  (principal: Effect.Success<typeof principals>) =>
  <E extends RouteError, R>(route: Effect.Effect<HttpServerResponse, E, R>) =>
    answered(
      Effect.flatMap(Effect.flatMap(HttpServerRequest, principal), (principal) =>
        Effect.provideService(route, CurrentPrincipal, principal)
      )
    )

export const authenticationLayer = Layer.effect(
  Authentication,
  Effect.map(principals, (principal) =>
    Authentication.of({
      apiKey: (handled) =>
        // The time for the look-up of the API key counts towards the deadline of the request. The body is read after
        // the look-up.
        spending(Effect.result(Effect.flatMap(HttpServerRequest, principal)), (found) =>
          Result.isSuccess(found)
            ? Effect.provideService(handled, CurrentPrincipal, found.success)
            : answered(Effect.fail(found.failure))
        )
    })
  )
)
