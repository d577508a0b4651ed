/** What handlers of sign-ins share: the client, the cookie, and refusals as problems. */
import { ApiProblem } from "@paymux/http"
import { Context, Effect } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { PeopleRefusal } from "../../people/errors.ts"
import { addressOf } from "../../people/clientAddress.ts"
import { readCookie, sessionCookie } from "../../people/cookies.ts"
import { deviceLifetime } from "../../people/KnownDevices.ts"
import { Oidc } from "../../people/Oidc.ts"
import { Sessions } from "../../people/Sessions.ts"
import { SignIn } from "../../people/SignIn.ts"
import type { SignedIn } from "../../people/SignIn.ts"
import { TwoFactor } from "../../people/TwoFactor.ts"
import { Users } from "../../people/Users.ts"
import { control, invalid, missing } from "../controlHandler.ts"
import type { ControlError } from "../controlHandler.ts"
import type { Client } from "../../people/Sessions.ts"
import { CurrentSignIn } from "./SignInSettings.ts"

/** How handlers of people run: with these services, and with refusals as problems. */
export const peopleHandler = Effect.gen(function* () {
  const services = Context.make(CurrentSignIn, yield* CurrentSignIn).pipe(
    Context.add(Oidc, yield* Oidc),
    Context.add(Sessions, yield* Sessions),
    Context.add(SignIn, yield* SignIn),
    Context.add(TwoFactor, yield* TwoFactor),
    Context.add(Users, yield* Users)
  )
  return <A, R>(handler: Effect.Effect<A, PeopleRefusal | ControlError, R>) =>
    control(Effect.provideContext(refusals(handler), services))
})

/** Who sends the request, as far as that is known. */
export const currentClient = Effect.gen(function* () {
  const { trustedProxies } = yield* CurrentSignIn
  const request = yield* HttpServerRequest.HttpServerRequest
  const userAgent = request.headers["user-agent"] ?? null
  return { address: addressOf(request, trustedProxies), userAgent } satisfies Client
})

/** The id of the session, as the browser sent it; empty: none. */
export const sentSession = Effect.gen(function* () {
  const { cookies } = yield* CurrentSignIn
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return readCookie(headers["cookie"], cookies.session) ?? ""
})

/** Gives the browser the id of its new session. The one that it had before ends. */
export const openSession = Effect.fnUntraced(function* (id: string) {
  const { cookies } = yield* CurrentSignIn
  const former = yield* sentSession
  if (former !== "") yield* Sessions.use(({ end }) => end(former))
  yield* setCookie(sessionCookie(cookies, id))
})

/** The cookie of the device, as the browser sent it; `null`: none. */
export const sentDevice = Effect.gen(function* () {
  const { cookies } = yield* CurrentSignIn
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return readCookie(headers["cookie"], cookies.device)
})

/** Gives the browser the cookies of a sign-in with a password. */
export const openKnownDevice = Effect.fnUntraced(function* ({ device, session }: SignedIn) {
  const { cookies } = yield* CurrentSignIn
  yield* openSession(session)
  // Beside the cookie of the session: a header that is set would replace that one.
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setCookieUnsafe(response, cookies.device, device, {
        path: "/",
        httpOnly: true,
        sameSite: "strict",
        secure: cookies.secure,
        maxAge: deviceLifetime
      })
    )
  )
})

export const setCookie = (cookie: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "set-cookie", cookie))
  )

/** In a host with users of its own there is nothing here. */
export const withAccounts = <A, E, R>(
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E | ApiProblem, R | CurrentSignIn> =>
  Effect.flatMap(CurrentSignIn, ({ accounts }): Effect.Effect<A, E | ApiProblem, R> =>
    accounts ? handled : Effect.fail(missing("way to sign in"))
  )

/** A refusal of a service of people as a problem; other errors go on. */
const refusals = <A, R>(handled: Effect.Effect<A, PeopleRefusal | ControlError, R>) =>
  Effect.mapError(handled, controlErrorOf)

const controlErrorOf = (error: PeopleRefusal | ControlError): ControlError => {
  switch (error._tag) {
    case "PeopleInputInvalid":
      return invalid({ pointer: `/${error.field}`, message: error.problem })
    case "SignInRefused":
    case "CodeRefused":
      return new ApiProblem({ code: "sign_in_failed", detail: error.message })
    case "TooManyTries":
      return new ApiProblem({
        code: "rate_limited",
        detail: error.message,
        retryAfterSeconds: error.retryAfterSeconds
      })
    case "SignInBusy":
      return new ApiProblem({
        code: "overloaded",
        detail: error.message,
        retryAfterSeconds: error.retryAfterSeconds
      })
    case "LinkInvalid":
      return new ApiProblem({ code: "not_found", detail: error.message })
    case "UserNotFound":
      return missing("user")
    case "InvitationNotFound":
      return missing("invitation")
    case "UserCursorInvalid":
      return invalid({ pointer: "after", message: error.message })
    case "NotTheirTeam":
      return new ApiProblem({ code: "forbidden", detail: error.message })
    case "LastOwner":
    case "ManagedElsewhere":
    case "TotpUnreadable":
      return new ApiProblem({ code: "conflict", detail: error.message })
    default:
      return error
  }
}
