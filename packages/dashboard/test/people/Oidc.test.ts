/** Sign-in with an identity provider, and every way in which its answer can be wrong. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog, CurrentActor, Oidc, Sessions, SignIn, theProgram, Users } from "../../src/index.ts"
import type { Membership, OidcPerson, OidcSettings } from "../../src/index.ts"
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
  Effect.suspend(() => Effect.provide(effect, Oidc.layer(settings(changes), publicUrl, [secret])))

const asPersonOf = (id: string) => Effect.provideService(CurrentActor, { ...theProgram, kind: "user", id })

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

  it.live("is not fresh by a time of authentication that is more than a minute ahead, or that is not a time", () =>
    withOidc(
      Effect.gen(function* () {
        const oidc = yield* Oidc
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const signedIn = Effect.fnUntraced(function* (again: boolean, authTime: unknown) {
          provider.claims = { auth_time: authTime }
          const { cookie, url } = yield* oidc.start(again, "")
          return yield* Effect.result(oidc.finish(provider.authorize(url).search, cookie))
        })
        for (const authTime of [now + 3600, 1e15, 0.4]) {
          const first = yield* signedIn(false, authTime)
          assert.strictEqual(
            first._tag === "Success" ? first.success.person.authenticatedAt : null,
            0,
            String(authTime)
          )
          assert.strictEqual((yield* signedIn(true, authTime))._tag, "Failure", String(authTime))
        }
        for (const authTime of [now + 20, now + 0.0001]) {
          const first = yield* signedIn(false, authTime)
          const at = first._tag === "Success" ? first.success.person.authenticatedAt : Number.NaN
          assert.isTrue(Number.isSafeInteger(at), String(at))
          assert.isAtLeast(at, now * 1000)
          assert.isAtMost(at, yield* Clock.currentTimeMillis)
          assert.strictEqual((yield* signedIn(true, authTime))._tag, "Success", String(authTime))
        }
      })
    )
  )

  it.live("shows an email address as the name only if the provider calls it verified, otherwise the subject", () =>
    withOidc(
      Effect.gen(function* () {
        const oidc = yield* Oidc
        for (const [verified, name] of [
          [true, "asha@example.com"],
          [false, "person-1"],
          [undefined, "person-1"],
          ["true", "person-1"],
          [1, "person-1"]
        ] as const) {
          provider.claims = { email_verified: verified }
          const { cookie, query } = yield* round
          const { person } = yield* oidc.finish(query, cookie)
          assert.strictEqual(person.email, name, String(verified))
        }
      })
    )
  )

  it.live("refuses a subject that is not 1 to 255 visible ASCII characters, and keeps every other as it is", () => {
    const asked: Array<string> = []
    const roles = ({ sub }: { readonly sub: string }) => {
      asked.push(sub)
      return viewer
    }
    return withOidc(
      Effect.gen(function* () {
        const refused = [
          "",
          " ",
          "a b",
          " person-1",
          "person-1 ",
          "a\tb",
          "a\0b",
          "ü",
          "\u3164",
          "\ud800",
          "x".repeat(256),
          1
        ]
        for (const sub of refused) {
          provider.claims = { sub }
          assert.strictEqual(yield* outcome, "failed", JSON.stringify(sub))
        }
        assert.deepStrictEqual(asked, [])
        for (const sub of ["x", "X", "auth0|5f7c", "x".repeat(255), "!~"]) {
          provider.claims = { sub }
          assert.strictEqual(yield* outcome, sub)
        }
      }),
      { roles }
    )
  })

  it.effect("refuses a person whose roles are not returned within ten seconds, and says so in the log", () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const roles = () => {
      ask()
      return new Promise<never>(() => undefined)
    }
    return withOidc(
      Effect.gen(function* () {
        yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
        const { cookie, query } = yield* round
        const finishing = yield* Effect.forkChild(Effect.flip(Oidc.use((oidc) => oidc.finish(query, cookie))))
        yield* Effect.promise(() => asked)
        yield* TestClock.adjust("9999 millis")
        assert.isUndefined(finishing.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        const error = yield* Fiber.join(finishing)
        assert.deepStrictEqual([error.reason, error.person], ["unavailable", null])
        assert.strictEqual(String(error.cause), "Error: dashboard.oidc.roles took longer than 10 seconds")
      }),
      { roles }
    )
  })

  it.live(
    "names the person whom the configuration answers with no access, and not one about whom it does not answer",
    () =>
      Effect.gen(function* () {
        for (const [roles, subject] of [
          [() => null, "person-1"],
          [() => [], "person-1"],
          [() => undefined as never, null],
          [() => ({ ...viewer, role: "admin" }) as never, null],
          [() => Promise.reject(new Error("The directory is down")), null]
        ] as const) {
          const refused = Effect.flatMap(round, ({ cookie, query }) => Oidc.use((oidc) => oidc.finish(query, cookie)))
          const { person } = yield* withOidc(Effect.flip(refused), { roles })
          assert.strictEqual(person?.subject ?? null, subject, String(roles))
        }
      })
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
  let pending = 0
  const entryOf = (who: OidcPerson, memberships: ReadonlyArray<Membership>) => {
    pending += 1
    return { person: who, memberships, pending: `pending-${pending}` }
  }
  const owner: Membership = { account: "shop", modes: ["test", "live"], role: "owner" }

  it.effect("lose memberships, sessions and open invitations of theirs as soon as the configuration refuses them", () =>
    Effect.gen(function* () {
      const service = yield* SignIn
      const sessions = yield* Sessions
      const users = yield* Users
      const log = yield* AuditLog
      const before = [
        yield* service.oidc(entryOf(person, [owner]), client),
        yield* service.oidc(entryOf(person, [owner]), client)
      ]
      const other = yield* service.oidc(entryOf({ ...person, subject: "2" }, [owner]), client)
      const id = (yield* sessions.find(before[0] ?? ""))?.userId ?? ""
      const { token } = yield* users.invite(null, { ...owner, email: "friend@example.com" }).pipe(asPersonOf(id))
      yield* service.refuseOidc(person, client)
      for (const session of before) assert.isNull(yield* sessions.find(session))
      assert.isNotNull(yield* sessions.find(other))
      assert.isFalse(yield* users.isMember(id, { account: "shop", livemode: true }))
      const accepted = users.accept({ token, password: "correct horse battery", address: null })
      assert.strictEqual((yield* Effect.flip(accepted))._tag, "LinkInvalid")
      const { entries } = yield* log.list({ account: "shop", livemode: true }, { limit: 1 })
      assert.deepInclude(entries[0], { action: "user.remove", target: id, outcome: "done", after: null })
      yield* service.refuseOidc(person, client)
      yield* service.refuseOidc({ ...person, subject: "never seen" }, client)
      assert.strictEqual(
        (yield* log.list({ account: "shop", livemode: true }, { limit: 1 })).entries[0]?.id,
        entries[0]?.id
      )
      const next = yield* service.oidc(entryOf(person, [viewer]), client)
      assert.deepStrictEqual((yield* sessions.find(next))?.identity.memberships, [viewer])
    }).pipe(Effect.provide(database()))
  )

  it.effect("whose role changes leave no invitation behind that gives more than they have", () =>
    Effect.gen(function* () {
      const service = yield* SignIn
      const users = yield* Users
      const session = yield* service.oidc(entryOf(person, [owner]), client)
      const id = (yield* Sessions.use(({ find }) => find(session)))?.userId ?? ""
      const invited = users.invite(null, { ...owner, email: "friend@example.com" }).pipe(asPersonOf(id))
      const { token } = yield* invited
      yield* service.oidc(entryOf(person, [owner]), client)
      assert.lengthOf(yield* users.invitations({ manager: null, tenant: null }), 1)
      yield* service.oidc(entryOf(person, [viewer]), client)
      const accepted = users.accept({ token, password: "correct horse battery", address: null })
      assert.strictEqual((yield* Effect.flip(accepted))._tag, "LinkInvalid")
    }).pipe(Effect.provide(database()))
  )

  it.effect("are distinguished by every character of their subject and issuer", () =>
    Effect.gen(function* () {
      const service = yield* SignIn
      const subjects = ["person", "Person", "PERSON", "person.", "x".repeat(254), "x".repeat(255)]
      const people = [
        ...subjects.map((subject) => ({ ...person, subject })),
        { ...person, subject: "person", issuer: "https://IDP.example" }
      ]
      const idOf = Effect.fnUntraced(function* (who: OidcPerson) {
        const session = yield* service.oidc(entryOf(who, [viewer]), client)
        return (yield* Sessions.use(({ find }) => find(session)))?.userId ?? ""
      })
      const ids = yield* Effect.forEach(people, idOf)
      assert.strictEqual(new Set(ids).size, people.length)
      assert.deepStrictEqual(yield* Effect.forEach(people, idOf), ids)
    }).pipe(Effect.provide(database()))
  )

  it.effect("come in once by one pending sign-in, also at the same moment", () =>
    Effect.gen(function* () {
      const service = yield* SignIn
      const sql = yield* SqlClient.SqlClient
      const entry = entryOf(person, [viewer])
      const both = yield* Effect.all(
        [1, 2, 3].map(() => Effect.result(service.oidc(entry, client))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(both.filter(({ _tag }) => _tag === "Success").length, 1)
      assert.strictEqual((yield* Effect.flip(service.oidc(entry, client)))._tag, "LinkInvalid")
      assert.lengthOf(yield* sql`SELECT 1 AS present FROM paymux_sessions`, 1)
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM paymux_one_time_tokens`), entry.pending)
    }).pipe(Effect.provide(database()))
  )

  it.effect("have what each sign-in says, in live mode too, and are never taken for a user of the same address", () =>
    Effect.gen(function* () {
      const service = yield* SignIn
      const sessions = yield* Sessions
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      const { userId } = yield* join("asha@example.com")
      const session = yield* service.oidc(entryOf(person, [viewer]), client)
      const found = yield* sessions.find(session)
      assert.notStrictEqual(found?.userId, userId)
      assert.deepStrictEqual(found?.identity.memberships, [viewer])
      assert.deepInclude(found, { needsTotp: false, method: "oidc" })
      assert.strictEqual((yield* signIn("asha@example.com")).step, "signed_in")
      const changed = { ...viewer, role: "developer" } as const
      const next = yield* service.oidc(entryOf({ ...person, email: "asha@new.example" }, [changed]), client)
      for (const id of [session, next]) {
        assert.deepStrictEqual((yield* sessions.find(id))?.identity.memberships, [changed])
      }
      yield* service.oidc(entryOf(person, [changed]), client)
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
