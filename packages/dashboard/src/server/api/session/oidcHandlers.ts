/** The way to the identity provider and back. A browser comes here, not a page: the answers are redirects. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { endedOidcCookie, oidcCookie, readCookie } from "../../people/cookies.ts"
import { Oidc } from "../../people/Oidc.ts"
import { Sessions } from "../../people/Sessions.ts"
import { SignIn } from "../../people/SignIn.ts"
import { missing } from "../controlHandler.ts"
import { currentClient, openSession, sentSession } from "./sessionShared.ts"
import { CurrentSignIn } from "./SignInSettings.ts"

/** `again`: the person proves once more who they are. */
export const startOidc = Effect.fnUntraced(function* (again: boolean) {
  const oidc = yield* Oidc
  const { cookies, publicUrl } = yield* CurrentSignIn
  if (!oidc.isConfigured) return yield* missing("way to sign in")
  const started = yield* Effect.option(oidc.start(again, yield* sentSession))
  if (started._tag === "None") return redirect(`${publicUrl}/dashboard/sign-in?error=unavailable`)
  const { cookie, url } = started.value
  return HttpServerResponse.setHeader(redirect(url.href), "set-cookie", oidcCookie(cookies, cookie))
})

export const finishOidc = Effect.gen(function* () {
  const oidc = yield* Oidc
  const { cookies, publicUrl } = yield* CurrentSignIn
  if (!oidc.isConfigured) return yield* missing("way to sign in")
  const { headers, url } = yield* HttpServerRequest.HttpServerRequest
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : ""
  const finished = yield* Effect.result(oidc.finish(query, readCookie(headers["cookie"], cookies.oidc)))
  if (finished._tag === "Failure") {
    const page = `${publicUrl}/dashboard/sign-in?error=${finished.failure.reason}`
    return HttpServerResponse.setHeader(redirect(page), "set-cookie", endedOidcCookie(cookies))
  }
  const { former, memberships, person } = finished.success
  if (former !== "") yield* Sessions.use(({ end }) => end(former))
  const client = yield* currentClient
  yield* openSession(yield* SignIn.use((service) => service.oidc(person, memberships, client)))
  // Beside the cookie of the session: a header that is set would replace that one.
  return HttpServerResponse.expireCookieUnsafe(redirect(`${publicUrl}/dashboard/`), cookies.oidc, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: cookies.secure
  })
})

const redirect = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "no-store" } })
