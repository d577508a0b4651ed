/** Invitations, roles and resets. */
// cspell:ignore qwertyuiop passwordpassword iloveyouiloveyou sonyericsson wetter
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog, Sessions, SignIn, Users } from "../../src/index.ts"
import type { Identity, Issuers } from "../../src/index.ts"
import { client, databases, join, password, sessionOf, signIn } from "./TestPeople.ts"

const hour = 3_600_000

const identity = (memberships: Identity["memberships"], id = "usr_someone"): Identity => ({
  id,
  name: "someone@example.com",
  memberships,
  authenticatedAt: 0
})

const ownerOf = (account: string | null): Identity => identity([{ account, modes: ["test", "live"], role: "owner" }])

const issuer = "https://login.example.com"

/** As of a process that is configured with these identity providers. */
const usersWith = (issuers: Issuers) => Layer.fresh(Users.layer({ issuers }))

const signInOwnerBySso = Effect.gen(function* () {
  const person = { issuer: `${issuer}/`, subject: "1", email: "sso@example.com", authenticatedAt: 0 }
  const memberships = [{ account: null, modes: ["test", "live"], role: "owner" }] as const
  const session = yield* SignIn.use((service) => service.oidc({ person, memberships, pending: "1" }, client))
  return { userId: (yield* Sessions.use(({ find }) => find(session)))?.userId ?? "" }
})

const viewerEverywhere = { account: null, modes: ["test", "live"], role: "viewer" } as const

const tag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: (error) => error._tag })

describe.each(databases)("users on %s", (_, database) => {
  it.effect("come in by an invitation, once, within 72 hours", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const users = yield* Users
      const { expiresAt, token } = yield* users.invite(null, {
        email: " Asha@Example.com ",
        account: "shop",
        modes: ["test"],
        role: "viewer"
      })
      assert.strictEqual(expiresAt, 1_700_000_000_000 + 72 * hour)
      const late = yield* users.invite(null, {
        email: "b@example.com",
        account: "shop",
        modes: ["test"],
        role: "viewer"
      })
      yield* users.accept({ token, password, address: null })
      assert.strictEqual(yield* tag(users.accept({ token, password, address: null })), "LinkInvalid")
      yield* TestClock.adjust(72 * hour)
      assert.strictEqual(yield* tag(users.accept({ token: late.token, password, address: null })), "LinkInvalid")
      for (const other of ["", "x", token.slice(1), `${token}x`, "\0", "' OR 1=1 --"]) {
        assert.strictEqual(yield* tag(users.accept({ token: other, password, address: null })), "LinkInvalid")
      }
      const { users: listed } = yield* users.list({ manager: null, tenant: null, limit: 10 })
      assert.deepStrictEqual(
        listed.map(({ email, memberships }) => [email, memberships]),
        [["asha@example.com", [{ account: "shop", modes: ["test"], role: "viewer" }]]]
      )
    }).pipe(Effect.provide(database()))
  )

  it.effect("of one invitation at the same moment one comes in", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const { token } = yield* users.invite(null, {
        email: "a@example.com",
        account: null,
        modes: ["test"],
        role: "owner"
      })
      const both = yield* Effect.all(
        [1, 2, 3].map(() => tag(users.accept({ token, password, address: null }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(both.sort(), ["LinkInvalid", "LinkInvalid", "done"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("who exist give their own password: the link of another owner does not replace it", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* join("asha@example.com", "owner", "shop")
      const invitation = { email: "asha@example.com", account: "evil", modes: ["test"], role: "viewer" } as const
      const { token } = yield* users.invite(ownerOf("evil"), invitation)
      assert.strictEqual(
        yield* tag(users.accept({ token, password: "another good password", address: null })),
        "SignInRefused"
      )
      assert.strictEqual((yield* signIn("asha@example.com")).step, "signed_in")
      yield* users.accept({ token, password, address: null })
      const { users: listed } = yield* users.list({
        manager: null,
        tenant: { account: "evil", livemode: false },
        limit: 10
      })
      assert.strictEqual(listed[0]?.memberships.length, 2)
    }).pipe(Effect.provide(database()))
  )

  it.effect("the first owner comes in by a link that ends as soon as there is a user", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const [one, two] = [yield* users.inviteFirstOwner, yield* users.inviteFirstOwner]
      const accept = (token = "", email = "asha@example.com") =>
        tag(users.accept({ token, email, password, address: null }))
      assert.strictEqual(yield* accept(one?.token, "no address"), "PeopleInputInvalid")
      assert.strictEqual(yield* accept(one?.token), "done")
      assert.strictEqual(yield* accept(two?.token, "mallory@example.com"), "LinkInvalid")
      assert.isNull(yield* users.inviteFirstOwner)
      const { users: listed } = yield* users.list({ manager: null, tenant: null, limit: 10 })
      assert.deepStrictEqual(listed[0]?.memberships, [{ account: null, modes: ["test", "live"], role: "owner" }])
    }).pipe(Effect.provide(database()))
  )

  it.effect("keep an owner: the last one is neither removed nor demoted, not even by two at the same moment", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const a = yield* join("a@example.com")
      const demoted = { account: null, modes: ["test", "live"], role: "viewer" } as const
      assert.strictEqual(yield* tag(users.remove(null, a.userId)), "LastOwner")
      assert.strictEqual(yield* tag(users.setRole(null, a.userId, demoted)), "LastOwner")
      const onlyTest = { account: null, modes: ["test"], role: "owner" } as const
      assert.strictEqual(yield* tag(users.setRole(null, a.userId, onlyTest)), "LastOwner")
      const b = yield* join("b@example.com")
      const both = yield* Effect.all([tag(users.remove(null, a.userId)), tag(users.setRole(null, b.userId, demoted))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(both.sort(), ["LastOwner", "done"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("keep an owner who can sign in: one of an identity provider that is not configured does not count", () =>
    Effect.gen(function* () {
      const { userId } = yield* signInOwnerBySso
      const a = yield* join("a@example.com")
      for (const configured of [[], ["https://other.example"]]) {
        yield* Effect.gen(function* () {
          const users = yield* Users
          assert.strictEqual(yield* tag(users.remove(null, a.userId)), "LastOwner")
          assert.strictEqual(yield* tag(users.setRole(null, a.userId, viewerEverywhere)), "LastOwner")
          const { token } = yield* users.invite(null, { ...viewerEverywhere, email: "a@example.com" })
          assert.strictEqual(yield* tag(users.accept({ token, password, address: null })), "LastOwner")
        }).pipe(Effect.provide(usersWith(configured)))
      }
      const b = yield* join("b@example.com")
      const users = yield* Users
      const both = [tag(users.remove(null, a.userId)), tag(users.setRole(null, b.userId, viewerEverywhere))]
      assert.deepStrictEqual((yield* Effect.all(both, { concurrency: "unbounded" })).toSorted(), ["LastOwner", "done"])
      assert.strictEqual(yield* tag(users.remove(null, userId)), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect(
    "keep an owner: one who signs in with the configured identity provider counts, and is not removed as the last",
    () =>
      Effect.gen(function* () {
        const { userId } = yield* signInOwnerBySso
        const a = yield* join("a@example.com")
        const remove = (user: string, configured: Issuers) =>
          tag(Users.use((users) => users.remove(null, user))).pipe(Effect.provide(usersWith(configured)))
        assert.strictEqual(yield* remove(a.userId, [issuer]), "done")
        assert.strictEqual(yield* remove(userId, [issuer]), "LastOwner")
        // It is not known which provider is configured.
        assert.strictEqual(yield* remove(userId, "any"), "LastOwner")
        // Without the provider this person cannot sign in, so nothing is lost with them.
        assert.strictEqual(yield* remove(userId, []), "done")
      }).pipe(Effect.provide(database()))
  )

  it.effect(
    "keep an owner of each account, also against a role there that takes precedence over one in every account",
    () =>
      Effect.gen(function* () {
        const users = yield* Users
        const a = yield* join("a@example.com")
        const inShop = { account: "shop", modes: ["test", "live"], role: "viewer" } as const
        yield* join("b@example.com")
        assert.strictEqual(yield* tag(users.setRole(null, a.userId, inShop)), "done")
        assert.strictEqual(yield* tag(users.remove(null, "b@example.com")), "LastOwner")
        yield* users.setRole(null, a.userId, { ...inShop, role: "owner" })
        assert.strictEqual(yield* tag(users.remove(null, "b@example.com")), "done")
      }).pipe(Effect.provide(database()))
  )

  it.effect("keep an owner: the last one accepts no lower role, and the link goes on to work", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* join("a@example.com", "owner", "shop")
      const { token } = yield* users.invite(null, {
        email: "a@example.com",
        account: "shop",
        modes: ["test"],
        role: "viewer"
      })
      const accept = tag(users.accept({ token, password, address: null }))
      assert.strictEqual(yield* accept, "LastOwner")
      yield* join("b@example.com", "owner", "shop")
      assert.strictEqual(yield* accept, "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("who are removed or demoted do not come back by an open invitation, except to what others manage", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const email = "a_%@example.com"
      yield* join("owner@example.com")
      const b = yield* join(email, "owner", "shop")
      const invitationTo = (to: string, account: string) =>
        Effect.map(
          users.invite(null, { email: to, account, modes: ["test", "live"], role: "owner" }),
          ({ token }) => token
        )
      const accept = (token: string) => tag(users.accept({ token, password, address: null }))
      const before = yield* invitationTo(email, "shop")
      yield* users.setRole(null, b.userId, { account: "shop", modes: ["test", "live"], role: "viewer" })
      assert.strictEqual(yield* accept(before), "LinkInvalid")

      const own = yield* invitationTo(email, "shop")
      const elsewhere = yield* invitationTo(email, "other")
      const another = yield* invitationTo("a_xx@example.com", "shop")
      const onlyTest = identity([{ account: "shop", modes: ["test"], role: "owner" }])
      yield* users.remove(onlyTest, b.userId)
      yield* users.remove(ownerOf("shop"), b.userId)
      assert.strictEqual(yield* accept(own), "LinkInvalid")
      assert.strictEqual(yield* accept(elsewhere), "done")
      assert.strictEqual(yield* accept(another), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("who are invited are listed until they accept, are revoked, or 72 hours have passed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const users = yield* Users
      const every = { manager: null, tenant: null } as const
      const invitationOf = (email: string, account: string | null) =>
        users.invite(null, { email, account, modes: ["test"], role: "viewer" })
      const emails = (account: string, livemode = false) =>
        Effect.map(users.invitations({ manager: ownerOf(account), tenant: { account, livemode } }), (open) =>
          open.map(({ email }) => email)
        )
      yield* users.inviteFirstOwner
      yield* invitationOf("expired@example.com", "shop")
      yield* TestClock.adjust(72 * hour - 1)
      assert.deepStrictEqual(yield* emails("shop"), ["expired@example.com"])
      yield* TestClock.adjust(1)
      const accepted = yield* invitationOf("accepted@example.com", "shop")
      yield* users.accept({ token: accepted.token, password, address: null })
      yield* invitationOf("a_shop@example.com", "my_shop")
      yield* TestClock.adjust(1)
      const everywhere = yield* invitationOf("everywhere@example.com", null)
      yield* TestClock.adjust(1)
      yield* invitationOf("new@example.com", "shop")
      const replacing = yield* invitationOf("new@example.com", "shop")
      assert.deepStrictEqual(yield* emails("shop"), ["new@example.com", "everywhere@example.com"])
      assert.deepStrictEqual(yield* emails("shop", true), [])
      assert.deepStrictEqual(yield* emails("my_shop"), ["everywhere@example.com", "a_shop@example.com"])

      const open = yield* users.invitations(every)
      assert.strictEqual(open.length, 3)
      for (const { token } of [everywhere, replacing]) assert.notInclude(JSON.stringify(open), token)
      const [invitation] = open
      const { id = "" } = invitation ?? {}
      assert.match(id, /^inv_[0-9a-f]{24}$/)
      assert.deepStrictEqual(invitation, {
        id,
        email: "new@example.com",
        account: "shop",
        modes: ["test"],
        role: "viewer",
        invitedBy: "program",
        createdAt: 1_700_000_000_002 + 72 * hour,
        expiresAt: replacing.expiresAt
      })
      yield* users.revokeInvitation(every, id)
      assert.strictEqual(yield* tag(users.accept({ token: replacing.token, password, address: null })), "LinkInvalid")
      assert.deepStrictEqual(yield* emails("shop"), ["everywhere@example.com"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("are revoked, and invited again, by a manager of all that an invitation gives", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const every = { manager: null, tenant: null } as const
      yield* users.invite(null, { email: "a@example.com", account: "shop", modes: ["test", "live"], role: "viewer" })
      const [{ id } = { id: "" }] = yield* users.invitations(every)
      const tenant = { account: "shop", livemode: false }
      const onlyTest = identity([{ account: "shop", modes: ["test"], role: "owner" }])
      const developer = identity([{ account: "shop", modes: ["test", "live"], role: "developer" }])
      for (const manager of [onlyTest, developer]) {
        assert.strictEqual(yield* tag(users.revokeInvitation({ manager, tenant }, id)), "NotTheirTeam")
        assert.strictEqual(yield* tag(users.renewInvitation({ manager, tenant }, id)), "NotTheirTeam")
      }
      const elsewhere = { manager: ownerOf(null), tenant: { account: "other", livemode: false } }
      for (const [scope, unknown] of [
        [elsewhere, id],
        ...["", "inv_", `${id}0`, id.toUpperCase(), "inv_%", "\0", "' OR 1=1 --", "x".repeat(1e6)].map(
          (each) => [every, each] as const
        )
      ] as const) {
        assert.strictEqual(yield* tag(users.revokeInvitation(scope, unknown)), "InvitationNotFound")
        assert.strictEqual(yield* tag(users.renewInvitation(scope, unknown)), "InvitationNotFound")
      }
      const owner = { manager: ownerOf("shop"), tenant }
      const { token } = yield* users.renewInvitation(owner, id)
      assert.strictEqual(yield* tag(users.renewInvitation(owner, id)), "InvitationNotFound")
      yield* users.accept({ token, password, address: null })
      assert.deepStrictEqual(yield* users.invitations(every), [])
      const { users: listed } = yield* users.list({ manager: null, tenant: null, limit: 10 })
      assert.deepStrictEqual(
        listed.map(({ email, memberships }) => [email, memberships]),
        [["a@example.com", [{ account: "shop", modes: ["test", "live"], role: "viewer" }]]]
      )
    }).pipe(Effect.provide(database()))
  )

  it.effect("of an invitation that is revoked and accepted at the same moment one succeeds", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const every = { manager: null, tenant: null } as const
      const { token } = yield* users.invite(null, {
        email: "a@example.com",
        account: "shop",
        modes: ["test"],
        role: "viewer"
      })
      const [{ id } = { id: "" }] = yield* users.invitations(every)
      const results = yield* Effect.all(
        [
          tag(users.revokeInvitation(every, id)),
          tag(users.accept({ token, password, address: null })),
          tag(users.revokeInvitation(every, id))
        ],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter((result) => result === "done").length, 1, results.join())
    }).pipe(Effect.provide(database()))
  )

  it.effect("are shown to the owner of one account without what they may do in others", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* join("everywhere@example.com", "viewer")
      const { userId } = yield* join("both@example.com", "owner", "shop")
      yield* users.setRole(null, userId, { account: "secret", modes: ["test", "live"], role: "developer" })
      const shown = (manager: Identity, livemode: boolean) =>
        Effect.map(users.list({ manager, tenant: { account: "shop", livemode }, limit: 10 }), (page) =>
          page.users.map((user) => user.memberships)
        )
      const modes = ["test", "live"] as const
      assert.deepStrictEqual(yield* shown(ownerOf("shop"), true), [
        [{ account: "shop", modes, role: "owner" }],
        [{ account: null, modes: ["live"], role: "viewer" }]
      ])
      const viewer = identity([{ account: "shop", modes: ["test"], role: "viewer" }])
      assert.deepStrictEqual(yield* shown(viewer, false), [
        [{ account: "shop", modes: ["test"], role: "owner" }],
        [{ account: null, modes: ["test"], role: "viewer" }]
      ])
      const ofAll = yield* shown(ownerOf(null), true)
      assert.deepStrictEqual(ofAll[0], [
        { account: "secret", modes, role: "developer" },
        { account: "shop", modes, role: "owner" }
      ])
    }).pipe(Effect.provide(database()))
  )

  it.effect("of another account are as if missing, and their owner gives no more than they have", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const everywhere = yield* join("everywhere@example.com")
      const shop = yield* join("shop@example.com", "owner", "shop")
      const other = ownerOf("other")
      const viewer = { account: "shop", modes: ["test"], role: "viewer" } as const
      const known = yield* Effect.flip(users.remove(other, shop.userId))
      assert.deepInclude(known, { _tag: "UserNotFound" })
      for (const user of [
        shop.userId,
        "shop@example.com",
        everywhere.userId,
        "usr_000000000000000000000000",
        "missing",
        ""
      ]) {
        assert.strictEqual(yield* tag(users.remove(other, user)), "UserNotFound")
        assert.strictEqual(yield* tag(users.setRole(other, user, viewer)), "UserNotFound")
        assert.strictEqual(yield* tag(users.reset(other, user, { totp: true })), "UserNotFound")
      }
      for (const manager of [
        other,
        identity([]),
        identity([{ account: "shop", modes: ["test", "live"], role: "developer" }])
      ]) {
        const email = "new@example.com"
        assert.strictEqual(yield* tag(users.invite(manager, { email, ...viewer })), "NotTheirTeam")
        assert.strictEqual(yield* tag(users.invite(manager, { email, ...viewer, account: null })), "NotTheirTeam")
      }
      const ofTest = identity([{ account: "shop", modes: ["test"], role: "owner" }])
      assert.strictEqual(
        yield* tag(users.invite(ofTest, { email: "new@example.com", ...viewer, modes: ["live"] })),
        "NotTheirTeam"
      )
      // One who manages part of what a user has does not get the password that opens the rest.
      yield* users.setRole(null, shop.userId, { account: "other", modes: ["test"], role: "viewer" })
      assert.strictEqual(yield* tag(users.reset(other, shop.userId, { totp: false })), "NotTheirTeam")
      yield* users.remove(other, shop.userId)
      const { users: left } = yield* users.list({
        manager: null,
        tenant: { account: "shop", livemode: true },
        limit: 10
      })
      assert.deepStrictEqual(
        left.map(({ email }) => email),
        ["shop@example.com", "everywhere@example.com"]
      )
    }).pipe(Effect.provide(database()))
  )

  it.effect("who are removed or demoted leave no session and no invitation behind", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      yield* join("owner@example.com")
      const b = yield* join("b@example.com", "owner", "shop")
      const session = yield* sessionOf("b@example.com")
      const found = yield* sessions.find(session)
      const { token } = yield* users.invite(found?.identity ?? null, {
        email: "friend@example.com",
        account: "shop",
        modes: ["test"],
        role: "owner"
      })
      // The entry of who invited is that of the actor: here the program.
      yield* sql`UPDATE paymux_one_time_tokens SET created_by = ${b.userId}`
      yield* users.remove(null, b.userId)
      assert.isNull(yield* sessions.find(session))
      assert.strictEqual(yield* tag(users.accept({ token, password, address: null })), "LinkInvalid")
      assert.strictEqual(yield* tag(signIn("b@example.com")), "SignInRefused")
    }).pipe(Effect.provide(database()))
  )

  it.effect("set a new password by a link that works once, and are signed out everywhere", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const sessions = yield* Sessions
      yield* join("a@example.com")
      const session = yield* sessionOf("a@example.com")
      const former = yield* users.reset(null, "a@example.com", { totp: false })
      const { token } = yield* users.reset(null, "a@example.com", { totp: false })
      assert.isNotNull(yield* sessions.find(session))
      const next = "staple staple horse"
      assert.strictEqual(
        yield* tag(users.useReset({ token: former.token, password: next, address: null })),
        "LinkInvalid"
      )
      yield* users.useReset({ token, password: next, address: null })
      assert.strictEqual(yield* tag(users.useReset({ token, password, address: null })), "LinkInvalid")
      assert.isNull(yield* sessions.find(session))
      assert.strictEqual(yield* tag(signIn("a@example.com")), "SignInRefused")
      assert.strictEqual(yield* tag(signIn("a@example.com", next)), "done")
      // A link from before the user got more must not open that.
      const old = yield* users.reset(null, "a@example.com", { totp: false })
      yield* users.setRole(null, "a@example.com", { account: "new", modes: ["test"], role: "viewer" })
      assert.strictEqual(yield* tag(users.useReset({ token: old.token, password, address: null })), "LinkInvalid")
    }).pipe(Effect.provide(database()))
  )

  it.effect("have an audit entry in the log of each account and mode for each change, and a secret in none", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      yield* join("owner@example.com")
      const { token } = yield* users.invite(null, {
        email: "a@example.com",
        account: "shop",
        modes: ["live"],
        role: "viewer"
      })
      yield* users.accept({ token, password, address: "203.0.113.7" })
      yield* users.setRole(null, "a@example.com", { account: "shop", modes: ["live"], role: "developer" })
      const reset = yield* users.reset(null, "a@example.com", { totp: true })
      yield* users.useReset({ token: reset.token, password: "staple staple horse", address: null })
      yield* users.remove(null, "a@example.com")
      const { entries } = yield* log.list({ account: "shop", livemode: true }, { limit: 100 })
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["user.remove", "user.password", "user.reset", "user.role", "user.join", "user.invite"]
      )
      assert.deepStrictEqual((yield* log.list({ account: "shop", livemode: false }, { limit: 100 })).entries, [])
      assert.strictEqual((yield* log.list({ account: "default", livemode: true }, { limit: 100 })).entries.length, 2)
      const text = JSON.stringify([yield* sql`SELECT * FROM paymux_audit`, yield* sql`SELECT * FROM paymux_users`])
      for (const hidden of [token, reset.token, password, "staple"]) assert.notInclude(text, hidden)
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM paymux_one_time_tokens`), token)
    }).pipe(Effect.provide(database()))
  )

  it.effect("are listed page after page", () =>
    Effect.gen(function* () {
      const users = yield* Users
      for (let n = 0; n < 5; n++) yield* join(`u${n}@example.com`)
      const seen: Array<string> = []
      for (let after: string | null | undefined = undefined; after !== null;) {
        const page: { users: ReadonlyArray<{ email: string }>; next: string | null } = yield* users.list({
          manager: null,
          tenant: null,
          limit: 2,
          ...(after === undefined ? {} : { after })
        })
        seen.push(...page.users.map(({ email }) => email))
        after = page.next
      }
      assert.deepStrictEqual(
        seen,
        [4, 3, 2, 1, 0].map((n) => `u${n}@example.com`)
      )
      assert.strictEqual(
        yield* tag(users.list({ manager: null, tenant: null, limit: 1, after: "x" })),
        "UserCursorInvalid"
      )
    }).pipe(Effect.provide(database()))
  )

  it.effect("choose no common password: not as they join, not as the first owner, and not by a reset", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const first = yield* users.inviteFirstOwner
      const email = "a@example.com"
      const { token } = yield* users.invite(null, { ...viewerEverywhere, role: "owner", email })
      const refusal = (attempt: ReturnType<typeof users.accept> | ReturnType<typeof users.useReset>) =>
        Effect.match(attempt, { onSuccess: () => "done", onFailure: ({ message }) => message })
      const expected = "password is one that many people use: choose another."
      const common = [
        "1qaz2wsx3edc",
        "1QAZ2WSX3edc",
        "Password1234!",
        "!!!!Qwertyuiop123",
        "passwordpassword",
        "iloveyouiloveyou1",
        "sonyericsson"
      ]
      for (const chosen of common) {
        const entry = { password: chosen, address: null }
        assert.strictEqual(yield* refusal(users.accept({ ...entry, token })), expected, chosen)
        assert.strictEqual(yield* refusal(users.accept({ ...entry, email, token: first?.token ?? "" })), expected)
      }
      yield* users.accept({ token, password, address: null })
      const reset = yield* users.reset(null, email, { totp: false })
      for (const chosen of common) {
        assert.strictEqual(yield* refusal(users.useReset({ ...reset, password: chosen, address: null })), expected)
      }
      for (const rare of ["correct horse battery", 'password","qwerty', "password of a shop", "correct wetter 1234"]) {
        const { token: next } = yield* users.reset(null, email, { totp: false })
        assert.strictEqual(yield* refusal(users.useReset({ token: next, password: rare, address: null })), "done", rare)
      }
    }).pipe(Effect.provide(database()))
  )

  it.effect("are refused with bad input, before anything is hashed", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const good = { email: "a@example.com", account: "shop", modes: ["test"], role: "viewer" } as const
      for (const bad of [
        ...[
          "",
          "a",
          "a@",
          "@b",
          "a@b c",
          "a@b\0",
          "ä@example.com",
          "a@b\u202Ec.com",
          `${"a".repeat(65)}@b`,
          "x".repeat(1e6)
        ].map((email) => ({ ...good, email })),
        { ...good, account: "a b" },
        { ...good, account: "" },
        { ...good, modes: [] },
        { ...good, modes: ["test", "test"] as const },
        { ...good, modes: ["prod"] as never },
        { ...good, role: "root" as never }
      ]) {
        assert.strictEqual(yield* tag(users.invite(null, bad)), "PeopleInputInvalid")
      }
      const { token } = yield* users.invite(null, good)
      for (const weak of [
        "",
        "short",
        "aaaaaaaaaaaaaaaa",
        "a@example.com1",
        "x".repeat(1025),
        "ä".repeat(600),
        "x".repeat(10_000_000)
      ]) {
        assert.strictEqual(yield* tag(users.accept({ token, password: weak, address: null })), "PeopleInputInvalid")
      }
      assert.strictEqual(
        yield* tag(
          SignIn.use((service) =>
            service.password({
              email: "a@example.com",
              password: "x".repeat(10_000_000),
              client: { address: null, userAgent: null },
              device: null
            })
          )
        ),
        "PeopleInputInvalid"
      )
      yield* users.accept({ token, password, address: null })
    }).pipe(Effect.provide(database()))
  )
})
