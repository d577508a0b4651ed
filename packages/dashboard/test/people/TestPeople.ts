/** The services of people on both databases, with cheap hashes. */
import { PostgresClient, runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { TOTP, Secret } from "otpauth"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import {
  AuditLog,
  dashboardMigrations,
  Passwords,
  PasswordSettings,
  Sessions,
  SignIn,
  TwoFactor,
  Users
} from "../../src/index.ts"
import type { Client } from "../../src/index.ts"

export const secret = Redacted.make("the secret of the installation, of these tests")

/** Hashes in a hundredth of their time. */
export const quickPasswords = (settings: { readonly places: number }): Layer.Layer<Passwords> =>
  Layer.provide(Passwords.layer, Layer.succeed(PasswordSettings, { logN: 10, ...settings }))

const people = Layer.mergeAll(Users.layer({ issuers: [] }), SignIn.layer([secret]), TwoFactor.layer([secret])).pipe(
  Layer.provideMerge(Layer.mergeAll(quickPasswords({ places: 20 }), Sessions.layer({ sandbox: true }), AuditLog.layer))
)

const sqlite = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie(
    Layer.provideMerge(
      Layer.effectDiscard(runMigrations([dashboardMigrations])),
      SqliteClient.layer({ filename: ":memory:" })
    )
  )

const postgres = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie(
    Layer.unwrap(
      Effect.map(temporaryDatabase([dashboardMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
    )
  )

export const databases = [
  ["SQLite", () => Layer.provideMerge(people, sqlite())],
  ["PostgreSQL", () => Layer.provideMerge(people, postgres())]
] as const

export const client: Client = { address: "203.0.113.7", userAgent: "test" }
export const password = "correct horse battery"

/** A user who accepted an invitation of the terminal. */
export const join = Effect.fnUntraced(function* (
  email: string,
  role: "owner" | "developer" | "viewer" = "owner",
  account: string | null = null
) {
  const users = yield* Users
  const { token } = yield* users.invite(null, { email, account, modes: ["test", "live"], role })
  return yield* users.accept({ token, password, address: null })
})

export const signIn = (email: string, given = password, from: Client = client, device: string | null = null) =>
  SignIn.use((service) => service.password({ email, password: given, client: from, device }))

/** The id of a session of a user without TOTP. */
export const sessionOf = Effect.fnUntraced(function* (email: string) {
  const result = yield* signIn(email)
  return result.step === "signed_in" ? result.session : yield* Effect.die("a code is asked for")
})

/** What an authenticator app shows at a time. */
export const appCode = (base32: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp: now })
