/**
 * Who may call an endpoint of the control API. Each endpoint has one as an annotation; one without is refused at the start,
 * so a new endpoint cannot be open by omission.
 */
import { Context } from "effect"
import { roles } from "../audit/Actor.ts"
import type { Role } from "../audit/Actor.ts"
import type { RequestKind } from "./ConcurrentRequests.ts"

export type Permission =
  /** Without a session: signing in. */
  | { readonly _tag: "Public" }
  /** A person who signed in, whatever their accounts. */
  | { readonly _tag: "SignedIn"; readonly recent: boolean }
  /** A person with one of these roles, at least in the account and mode of the address. */
  | {
      readonly _tag: "Member"
      readonly roles: ReadonlyArray<Role>
      readonly recent: boolean
      readonly scope: PermissionScope
    }

/**
 * Where the role must hold. `account`: in the account and mode of the address. `every_account`: in all accounts of this
 * mode. `every_mode`: in all accounts, and in live mode too, except in a sandbox.
 */
export type PermissionScope = "account" | "every_account" | "every_mode"

/** `undefined`: the endpoint has no rule. */
export const EndpointPermission = Context.Reference<Permission | undefined>("@paymux/dashboard/EndpointPermission", {
  defaultValue: () => undefined
})

/** What the handler waits for: it shares the limits of its kind. */
export const EndpointKind = Context.Reference<RequestKind>("@paymux/dashboard/EndpointKind", {
  defaultValue: () => "database"
})

/** The handler waits for another system, such as a receiver of webhooks, and moves no money. */
export const callsOutside: Context.Context<never> = Context.make(EndpointKind, "outside")

/** The handler waits for a provider that moves money. */
export const movesMoney: Context.Context<never> = Context.make(EndpointKind, "money")

const annotation = (permission: Permission) => Context.make(EndpointPermission, permission)

const member = (of: ReadonlyArray<Role>, recent: boolean) =>
  annotation({ _tag: "Member", roles: of, recent, scope: "account" })

/** No session is required. */
export const open: Context.Context<never> = annotation({ _tag: "Public" })

/** Everyone who signed in. */
export const signedIn: Context.Context<never> = annotation({ _tag: "SignedIn", recent: false })

/** Everyone who signed in within the last 10 minutes. */
export const signedInRecently: Context.Context<never> = annotation({ _tag: "SignedIn", recent: true })

/** Every member, viewers too. */
export const read: Context.Context<never> = member(roles, false)

/** Owners, and members with one of these roles. */
export const write = (...of: ReadonlyArray<Role>): Context.Context<never> => member(withOwner(...of), false)

/** As `write`, for keys, secrets, money, rules and people: the person must have signed in within the last 10 minutes. */
export const sensitiveWrite = (role: Role): Context.Context<never> => member(withOwner(role), true)

/**
 * As `permission`, for what belongs to the installation: its hosts, its database, and money of no account. A person with
 * a role in some accounts must not see or claim what may be another's.
 */
export const everyAccount = (permission: Context.Context<never>): Context.Context<never> =>
  withScope(permission, "every_account")

/** As `permission`, for what applies to all accounts and both modes: who may only test must not change live payments. */
export const everyMode = (permission: Context.Context<never>): Context.Context<never> =>
  withScope(permission, "every_mode")

const withScope = (permission: Context.Context<never>, scope: PermissionScope) => {
  const given = Context.get(permission, EndpointPermission)
  return given?._tag === "Member" ? annotation({ ...given, scope }) : permission
}

const withOwner = (...of: ReadonlyArray<Role>): ReadonlyArray<Role> => [...new Set<Role>(["owner", ...of])]

/** ms for which a sign-in is recent. */
const recentSignIn = 10 * 60_000

/** ms by which the clock of the system that signed the person in may be ahead of this one. */
export const clockTolerance = 60_000

/** A time long after `now` is not recent either: a clock was set back, and nothing is known of how long ago it was. */
export const isRecent = (authenticatedAt: number, now: number): boolean =>
  authenticatedAt - now <= clockTolerance && now - authenticatedAt <= recentSignIn
