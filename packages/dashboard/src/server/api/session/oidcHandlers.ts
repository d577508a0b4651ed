/** The way to the identity provider and back. A browser comes here, not a page: the answers are redirects. */
import { ApiProblem } from "@paymux/http"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { endedOidcCookie, oidcCookie, readCookie } from "../../people/cookies.ts"
import { Oidc } from "../../people/Oidc.ts"
import type { OidcRefused } from "../../people/Oidc.ts"
import { Sessions } from "../../people/Sessions.ts"
import { SignIn } from "../../people/SignIn.ts"
import { missing } from "../controlHandler.ts"
import { currentClient, openSession, sentSession } from "./sessionShared.ts"
import { CurrentSignIn } from "./SignInSettings.ts"

/** `again`: the person proves once more who they are. */
export const startOidc = Effect.fnUntraced(function* (again: boolean) {
  yield* onlyByGet
  const oidc = yield* Oidc
  const { cookies, publicUrl } = yield* CurrentSignIn
  if (!oidc.isConfigured) return yield* missing("way to sign in")
  const started = yield* Effect.option(oidc.start(again, yield* sentSession))
  if (started._tag === "None") return redirect(`${publicUrl}/dashboard/sign-in?error=unavailable`)
  const { cookie, url } = started.value
  return HttpServerResponse.setHeader(redirect(url.href), "set-cookie", oidcCookie(cookies, cookie))
})

export const finishOidc = Effect.gen(function* () {
  yield* onlyByGet
  const oidc = yield* Oidc
  const { cookies, publicUrl } = yield* CurrentSignIn
  if (!oidc.isConfigured) return yield* missing("way to sign in")
  const client = yield* currentClient
  const { headers, url } = yield* HttpServerRequest.HttpServerRequest
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : ""
  const finished = yield* Effect.result(oidc.finish(query, readCookie(headers["cookie"], cookies.oidc)))
  if (finished._tag === "Failure") {
    const { person, reason } = finished.failure
    if (person !== null) yield* SignIn.use(({ refuseOidc }) => refuseOidc(person, client))
    return yield* backToSignIn(reason)
  }
  const session = yield* SignIn.use((service) => service.oidc(finished.success, client)).pipe(
    Effect.catchTag("LinkInvalid", () => Effect.succeed(null))
  )
  // Another request came back first with the same sign-in.
  if (session === null) return yield* backToSignIn("failed")
  const { former } = finished.success
  if (former !== "") yield* Sessions.use(({ end }) => end(former))
  yield* openSession(session)
  // Beside the cookie of the session: a header that is set would replace that one.
  return HttpServerResponse.expireCookieUnsafe(redirect(`${publicUrl}/dashboard/`), cookies.oidc, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: cookies.secure
  })
})

/** `HEAD`, which previews and scanners of links send, begins no sign-in and uses none up. */
const onlyByGet = Effect.gen(function* () {
  const { method } = yield* HttpServerRequest.HttpServerRequest
  if (method !== "GET") return yield* new ApiProblem({ code: "method_not_allowed", allow: ["GET", "OPTIONS"] })
})

const backToSignIn = Effect.fnUntraced(function* (reason: OidcRefused["reason"]) {
  const { cookies, publicUrl } = yield* CurrentSignIn
  const page = redirect(`${publicUrl}/dashboard/sign-in?error=${reason}`)
  return HttpServerResponse.setHeader(page, "set-cookie", endedOidcCookie(cookies))
})

const redirect = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "no-store" } })
