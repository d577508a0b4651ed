/** A person of each role, and how they sign in. */
import { AuditLog, Passwords, PasswordSettings, roles, Users } from "@paymux/dashboard"
import type { Actor, Role } from "@paymux/dashboard"
import { Effect, Layer } from "effect"

export interface Person {
  readonly role: Role
  readonly email: string
  readonly password: string
}

const password = "correct horse battery staple"

export const people: { readonly [role in Role]: Person } = {
  owner: { role: "owner", email: "asha.rao@shop.example", password },
  developer: { role: "developer", email: "ben@shop.example", password },
  operator: { role: "operator", email: "chinonso.okafor@shop.example", password },
  routing: { role: "routing", email: "dana@shop.example", password },
  viewer: { role: "viewer", email: "emil@shop.example", password }
}

/** Hashes of passwords take no time that a test would wait for: how they were made stands in each. */
export const quickUsers = Layer.provide(Users.layer({ issuers: [] }), [
  Layer.provide(Passwords.layer, Layer.succeed(PasswordSettings, { logN: 10, places: 20 })),
  AuditLog.layer
])

/** Each joins by an invitation to every account. Returns whom the audit log names for what they do. */
export const joinEveryone = Effect.fnUntraced(function* () {
  const { accept, invite } = yield* Users
  return yield* Effect.forEach(roles, (role) =>
    Effect.gen(function* () {
      const { email, password } = people[role]
      const { token } = yield* invite(null, { email, account: null, modes: ["test", "live"], role })
      const { userId } = yield* accept({ token, password, address: "203.0.113.7" })
      return { kind: "user", id: userId, name: email, role, address: "203.0.113.7" } satisfies Actor
    })
  )
})
