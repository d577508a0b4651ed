/** Option `dashboard`: who may sign in to the dashboard, and how. */
import { dashboardUrlProblem } from "@paymux/dashboard"
import type { HostAuthenticate, OidcRoles, OidcSettings, OidcClaims } from "@paymux/dashboard"
import { Predicate, Redacted } from "effect"

export interface DashboardOptions {
  /**
   * Who sends a request, in a host with users of its own. It gets the request without its body. What it returns is checked;
   * if it throws, or returns something else, the request is refused. Default: accounts of Paymux, made by invitation.
   */
  readonly authenticate?: HostAuthenticate
  /** Where a user of the host proves again who they are, for sensitive actions: an address, or a path of the host. */
  readonly reauthenticateUrl?: string
  /** Sign-in with an identity provider by OpenID Connect, beside accounts with a password. */
  readonly oidc?: OidcOptions
  /** As the option `trustedProxies` of `createPaymux`, which takes precedence. */
  readonly trustedProxies?: number
}

interface OidcOptions {
  /** `https://…`, under which `.well-known/openid-configuration` is found. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * What a person may do, by the claims of their ID token, at each sign-in. `null` or an empty list refuses the sign-in and
   * removes the access and sessions of the person. If it throws or takes longer than 10 seconds, only the sign-in is refused.
   * `{ account: null, modes: ["test", "live"], role: "viewer" }` is every account.
   */
  readonly roles: (claims: OidcClaims) => OidcRoles | null | Promise<OidcRoles | null>
}

export type DashboardOption = DashboardOptions | false

/** `host`: the program that embeds Paymux knows its users. `accounts`: Paymux has users of its own. */
export type DashboardSettings =
  | {
      readonly users: "host"
      readonly authenticate: HostAuthenticate
      readonly reauthenticateUrl: string | null
      readonly trustedProxies: number
    }
  | { readonly users: "accounts"; readonly oidc: OidcSettings | null; readonly trustedProxies: number }

export interface DashboardPlace {
  readonly publicUrl: string
  /** Whether real money can move. */
  readonly live: boolean
  readonly trustedProxies: number
}

/**
 * `null`: no dashboard. Without the option there is one where it is safe: in test mode, on https or a loopback address. In
 * live mode a second way in beside the host's own must be asked for.
 */
export const dashboardOf = (
  option: DashboardOption | undefined,
  { live, publicUrl, trustedProxies }: DashboardPlace
): DashboardSettings | null => {
  if (option === false) return null
  if (option === undefined && (live || dashboardUrlProblem(publicUrl) !== null)) return null
  const { authenticate, oidc, reauthenticateUrl = null } = option ?? {}
  return authenticate === undefined
    ? { users: "accounts", oidc: oidcOf(oidc), trustedProxies }
    : { users: "host", authenticate, reauthenticateUrl, trustedProxies }
}

const oidcOf = (oidc: OidcOptions | undefined): OidcSettings | null =>
  oidc === undefined ? null : { ...oidc, clientSecret: Redacted.make(oidc.clientSecret) }

export const dashboardProblems = (option: unknown, publicUrl: string): ReadonlyArray<string> => {
  if (option === undefined || option === false) return []
  if (!Predicate.isObject(option)) return ["dashboard must be an object of settings, or false for no dashboard."]
  const { authenticate, oidc, reauthenticateUrl, trustedProxies, ...others }: { readonly [name: string]: unknown } = {
    ...option
  }
  const unsafe = URL.canParse(publicUrl) ? dashboardUrlProblem(publicUrl) : null
  return [
    ...Object.keys(others).map((key) => `There is no option "dashboard.${key}".`),
    ...(unsafe === null ? [] : [unsafe]),
    ...(authenticate === undefined || typeof authenticate === "function"
      ? []
      : ["dashboard.authenticate must be a function."]),
    ...(reauthenticateUrl === undefined || isAddress(reauthenticateUrl)
      ? []
      : ["dashboard.reauthenticateUrl must be an http or https address, or a path that begins with one slash."]),
    ...(reauthenticateUrl !== undefined && authenticate === undefined
      ? ["dashboard.reauthenticateUrl is of a host with users of its own: pass dashboard.authenticate too."]
      : []),
    ...trustedProxiesProblems(trustedProxies, "dashboard.trustedProxies"),
    ...(oidc === undefined ? [] : oidcProblems(oidc)),
    ...(oidc !== undefined && authenticate !== undefined
      ? ["dashboard.oidc is for accounts of Paymux: remove it, or dashboard.authenticate."]
      : [])
  ]
}

/** The count of the server; by default that of the dashboard. */
export const trustedProxiesOf = (options: {
  readonly trustedProxies?: number
  readonly dashboard?: DashboardOption
}): number =>
  options.trustedProxies ?? (options.dashboard === false ? undefined : options.dashboard?.trustedProxies) ?? 0

export const trustedProxiesProblems = (value: unknown, name: string): ReadonlyArray<string> =>
  value === undefined || isCount(value) ? [] : [`${name} must be a whole number from 0 to 10.`]

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 10

const oidcProblems = (oidc: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(oidc))
    return ["dashboard.oidc must be an object with issuer, clientId, clientSecret and roles."]
  const { clientId, clientSecret, issuer, roles, ...others }: { readonly [name: string]: unknown } = { ...oidc }
  return [
    ...Object.keys(others).map((key) => `There is no option "dashboard.oidc.${key}".`),
    ...(isIssuer(issuer) ? [] : ["dashboard.oidc.issuer must be an https address."]),
    ...Object.entries({ clientId, clientSecret })
      .filter(([, value]) => typeof value !== "string" || value === "")
      .map(([name]) => `dashboard.oidc.${name} must be text.`),
    ...(typeof roles === "function" ? [] : ["dashboard.oidc.roles must be a function of the claims."])
  ]
}

/** Plain http on this machine alone, for development. */
const isIssuer = (value: unknown): boolean =>
  typeof value === "string" &&
  URL.canParse(value) &&
  /^https?:$/.test(new URL(value).protocol) &&
  dashboardUrlProblem(value) === null &&
  !/[?#@]/.test(value)

/** A path with two slashes would be the address of another host. */
const isAddress = (value: unknown): boolean =>
  typeof value === "string" &&
  (/^\/(?![/\\])[^\s\\]*$/.test(value) || (/^https?:\/\//.test(value) && URL.canParse(value)))
