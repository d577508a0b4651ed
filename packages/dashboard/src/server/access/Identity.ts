/** A person who signed in, and their role in each account and mode. */
import type { ProviderMode, Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Role } from "../audit/Actor.ts"

export interface Membership {
  /** `null`: every account. A membership of the account itself takes precedence. */
  readonly account: string | null
  readonly modes: ReadonlyArray<ProviderMode>
  readonly role: Role
}

export interface Identity {
  /** Of the person in the system that signed them in; stands in the audit log. */
  readonly id: string
  /** A name or an email address. */
  readonly name: string
  readonly memberships: ReadonlyArray<Membership>
  /** ms UTC at which the person last proved who they are. Sensitive actions require that it is recent. */
  readonly authenticatedAt: number
}

/** `null`: the person has no access to this account and mode. */
export const roleIn = ({ memberships }: Pick<Identity, "memberships">, { account, livemode }: Tenant): Role | null => {
  const own = memberships.filter((membership) => membership.account === account)
  const matching = own.length > 0 ? own : memberships.filter((membership) => membership.account === null)
  return matching.find(({ modes }) => modes.includes(livemode ? "live" : "test"))?.role ?? null
}

/** Whether the person has one of these roles in every account, also where a membership of the account takes precedence. */
export const hasRoleInEveryAccount = (identity: Identity, livemode: boolean, roles: ReadonlyArray<Role>): boolean =>
  // No account has an empty name: this one is like all that have no membership of their own.
  ["", ...identity.memberships.map(({ account }) => account ?? "")].every((account) => {
    const role = roleIn(identity, { account, livemode })
    return role !== null && roles.includes(role)
  })

/** Who sends a request of the dashboard: by a session of ours, or as the host program says. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /** `null`: the request has no session, or the session has ended. */
    readonly identify: (
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<Identity | null, StoreUnavailable>
  }
>()("@paymux/dashboard/Authenticator") {}

/** Identifies no caller. The control API is closed. */
export const noSignIn: Layer.Layer<Authenticator> = Layer.succeed(Authenticator, {
  identify: () => Effect.succeed(null)
})
