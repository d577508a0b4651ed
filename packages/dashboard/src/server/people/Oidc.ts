/**
 * Sign-in with an identity provider by OpenID Connect: the authorization code flow with PKCE. `openid-client` checks the
 * signature, issuer, audience, times and nonce of the ID token; the state binds the answer to the browser that began.
 */
import type { ServerSecrets } from "@paymux/core/wire"
import { sealedText } from "@paymux/webhooks"
import { Clock, Context, Data, Effect, Layer, Redacted } from "effect"
import type * as OpenIdClient from "openid-client"
import type { Membership } from "../access/Identity.ts"
import { clockTolerance } from "../access/Permission.ts"
import { isLoopback } from "../access/RequestOrigin.ts"
import { readMembership } from "./Memberships.ts"
import { pendingFor } from "./oidcUsers.ts"
import type { OidcEntry, OidcPerson } from "./oidcUsers.ts"

/** What the provider says of a person: the claims of the ID token. */
export type OidcClaims = { readonly [claim: string]: unknown; readonly sub: string }

export interface OidcSettings {
  /** Its address, under which `.well-known/openid-configuration` is found. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * What a person may do. `null`, or an empty list: nothing; they are refused, and what they had ends. If it throws,
   * returns anything else or takes longer than 10 seconds, they are refused and keep what they had.
   */
  readonly roles: (claims: OidcClaims) => OidcRoles | null | Promise<OidcRoles | null>
}

export type OidcRoles = Membership | ReadonlyArray<Membership>

/** People are shown the reason; the rest is for the log. */
export class OidcRefused extends Data.TaggedError("OidcRefused")<{
  /** `unavailable`: `roles` did not answer in time. */
  readonly reason: "failed" | "no_access" | "unavailable"
  /** The person to whom the configuration gives nothing: what they had ends. `null`: it is not known who it is, or what they may do. */
  readonly person: OidcPerson | null
  readonly cause: unknown
}> {
  override get message(): string {
    return this.reason === "no_access"
      ? "dashboard.oidc.roles gives this person no access."
      : "The sign-in with the identity provider failed."
  }
}

export interface OidcStart {
  /** Where the browser goes. */
  readonly url: URL
  /** The value of the cookie that it comes back with. */
  readonly cookie: string
}

export interface OidcSignIn extends OidcEntry {
  /** The session that the browser had when it left, which ends. Its own cookie is not sent as it comes back from another site. */
  readonly former: string
}

export class Oidc extends Context.Service<
  Oidc,
  {
    readonly isConfigured: boolean
    /** `again`: the person has to prove who they are, even if the provider knows them. `former`: see `OidcSignIn`. */
    readonly start: (again: boolean, former: string) => Effect.Effect<OidcStart, OidcRefused>
    /** `query`: of the address at which the browser came back. */
    readonly finish: (query: string, cookie: string | null) => Effect.Effect<OidcSignIn, OidcRefused>
  }
>()("@paymux/dashboard/Oidc") {
  static readonly none: Layer.Layer<Oidc> = Layer.succeed(
    Oidc,
    Oidc.of({ isConfigured: false, start: () => notConfigured, finish: () => notConfigured })
  )

  /** `publicUrl`: where browsers reach this server, with its base path. */
  static readonly layer = (settings: OidcSettings, publicUrl: string, secrets: ServerSecrets): Layer.Layer<Oidc> =>
    Layer.effect(
      Oidc,
      Effect.map(
        Effect.promise(() => import("openid-client")),
        (client) => make(client, settings, `${publicUrl}${callbackPath}`, secrets)
      )
    )
}

const callbackPath = "/dashboard/api/sign-in/oidc/callback"

const notConfigured = Effect.suspend(() => Effect.fail(refused(new Error("No identity provider is configured"))))

const refused = (cause: unknown): OidcRefused => new OidcRefused({ reason: "failed", person: null, cause })

/** What the browser keeps while it is away, encrypted. */
interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly again: boolean
  readonly former: string
  /** ms UTC */
  readonly until: number
}

/** s within which a person must have proved who they are, when they do so again. */
const recent = 300

type Client = typeof OpenIdClient

const make = (client: Client, settings: OidcSettings, redirectUri: string, secrets: ServerSecrets): Oidc["Service"] => {
  const box = sealedText(secrets, "paymux dashboard oidc sign-in v1")
  const provider = discovered(client, settings)

  const start = Effect.fnUntraced(function* (again: boolean, former: string) {
    const until = (yield* Clock.currentTimeMillis) + pendingFor
    const configuration = yield* provider
    const verifier = client.randomPKCECodeVerifier()
    const pending: Pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier,
      again,
      former,
      until
    }
    const challenge = yield* attempt(() => client.calculatePKCECodeChallenge(verifier))
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "openid email",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: pending.state,
      nonce: pending.nonce,
      ...(again && { prompt: "login", max_age: String(recent) })
    })
    return { url, cookie: box.seal("oidc", JSON.stringify(pending)) }
  })

  const finish = Effect.fnUntraced(function* (query: string, cookie: string | null) {
    const now = yield* Clock.currentTimeMillis
    const opened = cookie === null ? null : box.open("oidc", cookie)
    if (opened === null) return yield* refused(new Error("The browser sent no cookie of a sign-in that is under way"))
    // Boundary: only `start` can seal it.
    const { again, former, nonce, state, until, verifier } = JSON.parse(opened) as Pending
    if (now >= until || until - now > pendingFor) return yield* refused(new Error("The sign-in took too long"))
    const configuration = yield* provider
    const tokens = yield* attempt(() =>
      client.authorizationCodeGrant(configuration, new URL(`${redirectUri}${query}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(again && { maxAge: recent })
      })
    )
    const claims = tokens.claims()
    if (claims === undefined) return yield* refused(new Error("There is no ID token"))
    if (!isSubject(claims.sub)) return yield* refused(new Error(`The subject of the ID token ${subjectRule}`))
    const person = personOf(claims, now)
    if (again && person.authenticatedAt === 0) return yield* refused(new Error("The sign-in is not recent"))
    return { person, memberships: yield* membershipsOf(settings, claims, person), pending: state, former }
  })

  const logged = <A>(work: Effect.Effect<A, OidcRefused>) =>
    Effect.tapError(work, (error) => Effect.logWarning(`${error.message} ${messagesOf(error.cause)}`.trimEnd()))

  return Oidc.of({
    isConfigured: true,
    start: (again, former) => logged(start(again, former)),
    finish: (query, cookie) => logged(finish(query, cookie))
  })
}

/** Messages alone: the errors also carry claims of the person. */
const messagesOf = (cause: unknown): string =>
  cause instanceof Error ? `${cause.message} ${messagesOf(cause.cause)}`.trimEnd() : ""

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, OidcRefused> =>
  Effect.tryPromise({ try: work, catch: refused })

/** Asked for once. If it does not answer, the next sign-in asks again. */
const discovered = (client: Client, { clientId, clientSecret, issuer }: OidcSettings) => {
  const state: { known: OpenIdClient.Configuration | null } = { known: null }
  const address = new URL(issuer)
  const ask = () =>
    client.discovery(address, clientId, Redacted.value(clientSecret), undefined, {
      timeout: 10,
      execute: [
        // The signature is checked although the token comes over TLS from the provider itself: that is cheap.
        client.enableNonRepudiationChecks,
        // Only of this machine: it is for development.
        ...(isLoopback(address.hostname) ? [client.allowInsecureRequests] : [])
      ]
    })
  return Effect.suspend(() =>
    state.known === null
      ? Effect.tap(attempt(ask), (found) =>
          Effect.sync(() => {
            state.known = found
          })
        )
      : Effect.succeed(state.known)
  )
}

const membershipsOf = Effect.fnUntraced(function* ({ roles }: OidcSettings, claims: OidcClaims, person: OidcPerson) {
  const given = yield* Effect.timeoutOrElse(
    attempt(async () => roles(claims)),
    { duration: rolesDeadline, orElse: () => rolesTooSlow }
  )
  const list = given === null ? [] : Array.isArray(given) ? given : [given]
  if (list.length === 0) return yield* new OidcRefused({ reason: "no_access", person, cause: null })
  return yield* Effect.mapError(Effect.forEach(list, readMembership), refused)
})

const rolesDeadline = "10 seconds"

const rolesTooSlow = Effect.suspend(() =>
  Effect.fail(
    new OidcRefused({
      reason: "unavailable",
      person: null,
      cause: new Error(`dashboard.oidc.roles took longer than ${rolesDeadline}`)
    })
  )
)

/** OpenID Connect Core 1.0 § 2. Of other characters two could look the same, or be the same in a database. */
const isSubject = (sub: string): boolean => /^[!-~]{1,255}$/.test(sub)
const subjectRule = "must be 1 to 255 visible ASCII characters"

const personOf = ({ auth_time, email, email_verified, iss, sub }: OidcClaims, now: number): OidcPerson => ({
  issuer: String(iss),
  subject: sub,
  email: email_verified === true && isShown(email) ? email : sub.slice(0, 254),
  authenticatedAt: authenticatedAt(auth_time, now)
})

const isShown = (email: unknown): email is string =>
  typeof email === "string" && /^[^\p{Cc}\p{Bidi_Control}\s]{3,254}$/u.test(email)

/** A provider that does not say when, or says a time ahead, gives no recent sign-in: sensitive actions then require one. */
const authenticatedAt = (authTime: unknown, now: number): number => {
  const at = typeof authTime === "number" ? Math.floor(authTime) * 1000 : 0
  return at > 0 && at <= now + clockTolerance ? Math.min(at, now) : 0
}
