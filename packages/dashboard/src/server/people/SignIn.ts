/**
 * How a person proves who they are: the password, then a code if TOTP is set up. A wrong password and an unknown user give
 * the same answer after the same work.
 */
import type { ServerSecrets } from "@paymux/core/wire"
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../audit/AuditLog.ts"
import { checkCode, isCode } from "./codes.ts"
import { readEmail } from "./Email.ts"
import { CodeRefused, LinkInvalid, SignInRefused } from "./errors.ts"
import type { PeopleInputInvalid, SignInBusy, TooManyTries, TotpUnreadable } from "./errors.ts"
import type { Issued } from "./invitations.ts"
import { KnownDevices } from "./KnownDevices.ts"
import { findToken, issueToken, useToken } from "./OneTimeTokens.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { enteredPassword, Passwords } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"
import type { Client } from "./Sessions.ts"
import { checkWithinLimits, countTry, forgiveTries } from "./SignInLimits.ts"
import type { Attempt } from "./SignInLimits.ts"
import { refuseByOidc, signInByOidc } from "./oidcUsers.ts"
import type { OidcEntry, OidcPerson } from "./oidcUsers.ts"
import { tokenHash } from "./Tokens.ts"
import { TotpSecrets } from "./TotpSecrets.ts"
import { userByEmail, userById } from "./userRows.ts"
import type { UserRow } from "./userRows.ts"

export interface PasswordEntry {
  readonly email: string
  readonly password: string
  /** The cookie of a device that may be known; `null`: none was sent. */
  readonly device: string | null
  readonly client: Client
}

export interface CodeEntry {
  /** Of the first step. */
  readonly token: string
  /** Of the authenticator app, or a recovery code. */
  readonly code: string
  /** As of the first step. */
  readonly device: string | null
  readonly client: Client
}

export interface Reauthentication {
  /** The id of the session, which ends. */
  readonly session: string
  readonly password: string
  /** Required if TOTP is set up. */
  readonly code: string | null
  readonly client: Client
}

/** The values of two cookies. */
export interface SignedIn {
  readonly session: string
  /** The device is known from now on. */
  readonly device: string
}

/** `code`: to be sent with the token within 5 minutes. */
export type PasswordResult =
  | { readonly step: "code"; readonly token: string; readonly expiresAt: number }
  | ({ readonly step: "signed_in" } & SignedIn)

type Refusals = PeopleInputInvalid | SignInRefused | TooManyTries | SignInBusy | StoreUnavailable

export class SignIn extends Context.Service<
  SignIn,
  {
    readonly password: (entry: PasswordEntry) => Effect.Effect<PasswordResult, Refusals>
    readonly code: (entry: CodeEntry) => Effect.Effect<SignedIn, Refusals | CodeRefused | LinkInvalid | TotpUnreadable>
    /** The person proves again who they are. Returns the new id of the session; `null`: the session has ended. */
    readonly again: (entry: Reauthentication) => Effect.Effect<string | null, Refusals | CodeRefused | TotpUnreadable>
    /** A person whom the identity provider named, with what the configuration gives them. `LinkInvalid`: it was used. */
    readonly oidc: (entry: OidcEntry, client: Client) => Effect.Effect<string, LinkInvalid | StoreUnavailable>
    /** A person whom the identity provider named, and to whom the configuration gives nothing: what they had ends. */
    readonly refuseOidc: (person: OidcPerson, client: Client) => Effect.Effect<void, StoreUnavailable>
    /** A token for the sandbox's address, which works once within an hour. */
    readonly issueSandboxToken: Effect.Effect<Issued, StoreUnavailable>
    readonly sandbox: (token: string, client: Client) => Effect.Effect<string, LinkInvalid | StoreUnavailable>
  }
>()("@paymux/dashboard/SignIn") {
  /** `secrets`: of the installation; TOTP secrets are encrypted with them. */
  static readonly layer = (
    secrets: ServerSecrets
  ): Layer.Layer<SignIn, never, SqlClient.SqlClient | AuditLog | Passwords | Sessions> =>
    Layer.effect(
      SignIn,
      Effect.gen(function* () {
        const services = Context.make(SqlClient.SqlClient, yield* SqlClient.SqlClient).pipe(
          Context.add(AuditLog, yield* AuditLog),
          Context.add(Passwords, yield* Passwords),
          Context.add(Sessions, yield* Sessions),
          Context.add(TotpSecrets, TotpSecrets.make(secrets)),
          Context.add(KnownDevices, KnownDevices.make(secrets))
        )
        const run = <A, E>(effect: Effect.Effect<A, E, Services>) =>
          orUnavailable(Effect.provideContext(effect, services))

        return SignIn.of({
          password: (entry) => run(byPassword(entry)),
          code: (entry) => run(byCode(entry)),
          again: (entry) => run(again(entry)),
          oidc: (entry, client) => run(signInByOidc(entry, client)),
          refuseOidc: (person, client) => run(refuseByOidc(person, client)),
          issueSandboxToken: run(issueSandboxToken),
          sandbox: (token, client) => run(bySandboxToken(token, client))
        })
      })
    )
}

type Services = SqlClient.SqlClient | AuditLog | KnownDevices | Passwords | Sessions | TotpSecrets

const byPassword = Effect.fnUntraced(function* ({ client, device: cookie, email: given, password }: PasswordEntry) {
  const email = yield* readEmail(given)
  const device = yield* knownDevice(cookie, userByEmail(email))
  const attempt = { address: client.address, email, device }
  const user = yield* rightPassword(attempt, password)
  if (user.totp === null) {
    yield* forgiveTries(attempt, 1)
    const signedIn = yield* open(user, device, client)
    return signedIn === null ? yield* new SignInRefused() : ({ step: "signed_in", ...signedIn } as const)
  }
  const lifetime = 5 * 60_000
  const data = { password: fingerprintOf(user) }
  const step = yield* issueToken({ purpose: "code", subject: user.id, data, createdBy: user.id, lifetime })
  return { step: "code", ...step } as const
})

const knownDevice = <E, R>(cookie: string | null, user: Effect.Effect<UserRow | null, E, R>) =>
  cookie === null ? Effect.succeed(null) : KnownDevices.use(({ find }) => find(cookie, user))

const rightPassword = Effect.fnUntraced(function* (attempt: Attempt, given: string) {
  const password = yield* enteredPassword(given)
  const { isRight } = yield* Passwords
  const origin = attempt.device === null ? "unknown" : "known"
  const check = Effect.gen(function* () {
    const user = yield* userByEmail(attempt.email)
    const right = yield* isRight(password, user?.password ?? null, origin)
    return right && user !== null ? user : yield* new SignInRefused()
  })
  return yield* checkWithinLimits(attempt, origin, check)
})

const byCode = Effect.fnUntraced(function* ({ client, code, device: cookie, token }: CodeEntry) {
  const { data, subject } = yield* findToken("code", token)
  const user = yield* userById(subject)
  // Boundary: `byPassword` wrote it.
  const { password } = data as { readonly password: unknown }
  // The password may have been replaced since it was checked.
  if (user === null || password !== fingerprintOf(user)) return yield* new LinkInvalid()
  const device = yield* knownDevice(cookie, Effect.succeed(user))
  const attempt = { address: client.address, email: user.email, device }
  yield* Effect.sleep(yield* countTry(attempt))
  yield* checkCode(user, code)
  yield* useToken("code", token, user.id)
  // One for the password, one for the code.
  yield* forgiveTries(attempt, 2)
  return (yield* open(user, device, client)) ?? (yield* new LinkInvalid())
})

/** Of the password that was checked, so that a code does not complete a sign-in with one that was replaced. */
const fingerprintOf = ({ password }: UserRow): string => tokenHash(password ?? "")

/**
 * `null`: the password or TOTP of the user is no longer what was checked. The update locks the row of the user: a reset, or
 * TOTP that is being set up, comes before and is seen here, or comes after and ends the session.
 */
const open = Effect.fnUntraced(function* (user: UserRow, device: string | null, client: Client) {
  const { id, password, totp } = user
  const sql = yield* SqlClient.SqlClient
  const sessions = yield* Sessions
  const now = yield* Clock.currentTimeMillis
  const session = { userId: id, method: "password", authenticatedAt: now, secondFactor: totp !== null, client } as const
  const remembered = KnownDevices.use(({ remember }) => remember(user, device))
  const signedIn = Effect.all({ session: sessions.create(session), device: remembered })
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const unchanged = yield* sql`UPDATE paymux_users SET signed_in_at = ${now}
        WHERE id = ${id} AND password = ${password} AND COALESCE(totp, '') = ${totp ?? ""} RETURNING id`
      return unchanged.length === 0 ? null : yield* signedIn
    })
  )
})

const again = Effect.fnUntraced(function* ({ client, code, password, session }: Reauthentication) {
  const sessions = yield* Sessions
  const found = yield* sessions.find(session)
  if (found === null || found.userId === null || found.method !== "password") return null
  if (code !== null && !isCode(code)) return yield* new CodeRefused()
  // Tries in a session do not compete with those from elsewhere.
  const attempt = { address: client.address, email: found.identity.name, device: tokenHash(session) }
  const user: UserRow = yield* rightPassword(attempt, password)
  // The address may be of another user by now.
  if (user.id !== found.userId) return yield* new SignInRefused()
  if (user.totp !== null) yield* code === null ? Effect.fail(new CodeRefused()) : checkCode(user, code)
  yield* forgiveTries(attempt, 1)
  return yield* sessions.renew(session, yield* Clock.currentTimeMillis)
})

const issueSandboxToken = issueToken({
  purpose: "sandbox",
  subject: "",
  data: {},
  createdBy: "start",
  lifetime: 3_600_000
})

const bySandboxToken = Effect.fnUntraced(function* (token: string, client: Client) {
  yield* useToken("sandbox", token, "sandbox")
  const authenticatedAt = yield* Clock.currentTimeMillis
  return yield* Sessions.use(({ create }) =>
    create({ userId: null, method: "sandbox", authenticatedAt, secondFactor: false, client })
  )
})
