/** Sign-in with an identity provider, and every way in which its answer can be wrong. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog, Oidc, Sessions, SignIn, Users } from "../../src/index.ts"
import type { Membership, OidcSettings } from "../../src/index.ts"
import { clientId, clientSecret, identityProvider } from "./IdentityProvider.ts"
import type { IdentityProvider } from "./IdentityProvider.ts"
import { client, databases, join, signIn } from "./TestPeople.ts"

const publicUrl = "https://pay.example"
const secret = Redacted.make("the secret of the installation, of these tests")
const viewer: Membership = { account: "shop", modes: ["test", "live"], role: "viewer" }

let provider: IdentityProvider
beforeAll(async () => {
  provider = await identityProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())
beforeEach(() => {
  provider.claims = {}
  provider.foreignKey = false
})

const settings = (changes: Partial<OidcSettings> = {}): OidcSettings => ({
  issuer: provider.issuer,
  clientId,
  clientSecret: Redacted.make(clientSecret),
  roles: () => viewer,
  ...changes
})

const withOidc = <A, E>(effect: Effect.Effect<A, E, Oidc>, changes: Partial<OidcSettings> = {}) =>
  Effect.suspend(() => Effect.provide(effect, Oidc.layer(settings(changes), publicUrl, secret)))

/** Goes there and back. */
const round = Effect.gen(function* () {
  const oidc = yield* Oidc
  const { cookie, url } = yield* oidc.start(false, "")
  return { cookie, query: provider.authorize(url).search }
})

const outcome = Effect.gen(function* () {
  const { cookie, query } = yield* round
  return yield* finished(query, cookie)
})

const finished = (query: string, cookie: string | null) =>
  Effect.match(
    Oidc.use((oidc) => oidc.finish(query, cookie)),
    { onSuccess: ({ person }) => person.subject, onFailure: ({ reason }) => reason }
  )

describe("sign-in with an identity provider", () => {
  it.live("asks for a code with PKCE, state and nonce, and knows the person by issuer and subject", () =>
    withOidc(
      Effect.gen(function* () {
        const oidc = yield* Oidc
        const { cookie, url } = yield* oidc.start(false, "")
        assert.strictEqual(url.origin, provider.issuer)
        assert.strictEqual(url.searchParams.get("redirect_uri"), `${publicUrl}/dashboard/api/sign-in/oidc/callback`)
        assert.strictEqual(url.searchParams.get("code_challenge_method"), "S256")
        for (const name of ["state", "nonce", "code_challenge"]) {
          assert.notInclude(cookie, url.searchParams.get(name) ?? "missing")
        }
        const { memberships, person } = yield* oidc.finish(provider.authorize(url).search, cookie)
        assert.deepInclude(person, { issuer: provider.issuer, subject: "person-1", email: "asha@example.com" })
        assert.isAbove(person.authenticatedAt, (yield* Clock.currentTimeMillis) - 60_000)
        assert.deepStrictEqual(memberships, [viewer])
      })
    )
  )

  it.live("refuses a wrong nonce, issuer, audience, key, and an expired or missing token time", () =>
    withOidc(
      Effect.gen(function* () {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        for (const claims of [
          { nonce: "another" },
          { nonce: undefined },
          { iss: "https://evil.example" },
          { aud: "another client" },
          { aud: [clientId, "another client"], azp: "another client" },
          { exp: now - 600 },
          { exp: undefined },
          { iat: undefined },
          { sub: undefined }
        ]) {
          provider.claims = claims
          assert.strictEqual(yield* outcome, "failed", JSON.stringify(claims))
        }
        provider.claims = {}
        provider.foreignKey = true
        assert.strictEqual(yield* outcome, "failed")
        provider.foreignKey = false
        assert.strictEqual(yield* outcome, "person-1")
      })
    )
  )

  it.live("refuses a wrong state, a foreign or missing cookie, a used code, and errors of the provider", () =>
    withOidc(
      Effect.gen(function* () {
        const one = yield* round
        const two = yield* round
        assert.strictEqual(yield* finished(one.query, two.cookie), "failed")
        assert.strictEqual(yield* finished(one.query, null), "failed")
        assert.strictEqual(yield* finished(one.query, `${one.cookie.slice(0, -4)}AAAA`), "failed")
        assert.strictEqual(yield* finished(one.query, "x".repeat(10_000)), "failed")
        assert.strictEqual(yield* finished(one.query.replace(/state=[^&]*/, "state=x"), one.cookie), "failed")
        assert.strictEqual(yield* finished(one.query.replace(/&?state=[^&]*/, ""), one.cookie), "failed")
        assert.strictEqual(yield* finished("", one.cookie), "failed")
        assert.strictEqual(yield* finished("?error=access_denied", one.cookie), "failed")
        assert.strictEqual(yield* finished(two.query, two.cookie), "person-1")
        assert.strictEqual(yield* finished(two.query, two.cookie), "failed")
      })
    )
  )

  it.effect("refuses an answer that comes after ten minutes, or before it was asked for", () =>
    withOidc(
      Effect.gen(function* () {
        for (const shift of [10 * 60_000, -3_600_000]) {
          const now = yield* TestClock.withLive(Clock.currentTimeMillis)
          yield* TestClock.setTime(now)
          const { cookie, query } = yield* round
          yield* TestClock.setTime(now + shift)
          assert.strictEqual(yield* finished(query, cookie), "failed", String(shift))
        }
      })
    )
  )

  it.live("requires a recent sign-in when the person proves again who they are", () =>
    withOidc(
      Effect.gen(function* () {
        const oidc = yield* Oidc
        const again = Effect.gen(function* () {
          const { cookie, url } = yield* oidc.start(true, "")
          assert.strictEqual(url.searchParams.get("prompt"), "login")
          return yield* finished(provider.authorize(url).search, cookie)
        })
        assert.strictEqual(yield* again, "person-1")
        provider.claims = { auth_time: Math.floor((yield* Clock.currentTimeMillis) / 1000) - 3600 }
        assert.strictEqual(yield* again, "failed")
        provider.claims = { auth_time: undefined }
        assert.strictEqual(yield* again, "failed")
        const { cookie, url } = yield* oidc.start(false, "")
        const { person } = yield* oidc.finish(provider.authorize(url).search, cookie)
        assert.strictEqual(person.authenticatedAt, 0)
      })
    )
  )

  it.live("gives what the configuration says, and nothing if that is malformed", () =>
    Effect.gen(function* () {
      for (const [roles, expected] of [
        [() => null, "no_access"],
        [() => [], "no_access"],
        [async () => viewer, "person-1"],
        [() => [viewer, { ...viewer, account: null }], "person-1"],
        [() => ({ ...viewer, role: "admin" }) as never, "failed"],
        [() => ({ ...viewer, account: undefined }) as never, "failed"],
        [() => ({ ...viewer, modes: ["prod"] }) as never, "failed"],
        [() => true as never, "failed"],
        [() => undefined as never, "failed"],
        [
          () => {
            throw new Error("no")
          },
          "failed"
        ]
      ] as const) {
        assert.strictEqual(yield* withOidc(outcome, { roles }), expected)
      }
    })
  )
})

describe.each(databases)("people of an identity provider on %s", (_, database) => {
  const person = { issuer: "https://idp.example", subject: "1", email: "asha@example.com", authenticatedAt: 1 }

  it.effect("have what each sign-in says, in live mode too, and are never taken for a user of the same address", () =>
    Effect.gen(function* () {
      const service = yield* SignIn
      const sessions = yield* Sessions
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      const { userId } = yield* join("asha@example.com")
      const session = yield* service.oidc(person, [viewer], client)
      const found = yield* sessions.find(session)
      assert.notStrictEqual(found?.userId, userId)
      assert.deepStrictEqual(found?.identity.memberships, [viewer])
      assert.deepInclude(found, { needsTotp: false, method: "oidc" })
      assert.strictEqual((yield* signIn("asha@example.com")).step, "signed_in")
      const changed = { ...viewer, role: "developer" } as const
      const next = yield* service.oidc({ ...person, email: "asha@new.example" }, [changed], client)
      for (const id of [session, next]) {
        assert.deepStrictEqual((yield* sessions.find(id))?.identity.memberships, [changed])
      }
      yield* service.oidc(person, [changed], client)
      const { entries } = yield* log.list({ account: "shop", livemode: true }, { limit: 10 })
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["user.role", "user.join"]
      )
      assert.strictEqual((yield* sql`SELECT * FROM paymux_users`).length, 2)
      const users = yield* Users
      const id = found?.userId ?? ""
      for (const refused of [users.setRole(null, id, viewer), users.reset(null, id, { totp: false })]) {
        assert.strictEqual((yield* Effect.flip(refused))._tag, "ManagedElsewhere")
      }
      yield* users.remove(null, id)
      assert.isNull(yield* sessions.find(next))
    }).pipe(Effect.provide(database()))
  )
})

it.effect("without a provider there is nothing to start", () =>
  Effect.gen(function* () {
    const oidc = yield* Oidc
    assert.isFalse(oidc.isConfigured)
    assert.strictEqual((yield* Effect.flip(oidc.start(false, "")))._tag, "OidcRefused")
  }).pipe(Effect.provide(Layer.fresh(Oidc.none)))
)
