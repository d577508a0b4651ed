/** Option `dashboard`: who may sign in to the dashboard, and how. */
import { dashboardUrlProblem } from "@paymux/dashboard"
import type { HostAuthenticate } from "@paymux/dashboard"
import { Predicate } from "effect"

export interface DashboardOptions {
  /**
   * Who sends a request, in a host with users of its own. It gets the request without its body. What it returns is checked;
   * if it throws, or returns something else, the request is refused. Default: accounts of Paymux, made by invitation.
   */
  readonly authenticate?: HostAuthenticate
  /** Where a user of the host proves again who they are, for sensitive actions: an address, or a path of the host. */
  readonly reauthenticateUrl?: string
}

export type DashboardOption = DashboardOptions | false

/** `host`: the program that embeds Paymux knows its users. `accounts`: Paymux has users of its own. */
export type DashboardSettings =
  | { readonly users: "host"; readonly authenticate: HostAuthenticate; readonly reauthenticateUrl: string | null }
  | { readonly users: "accounts" }

export interface DashboardPlace {
  readonly publicUrl: string
  /** Whether real money can move. */
  readonly live: boolean
}

/**
 * `null`: no dashboard. Without the option there is one where it is safe: in test mode, on https or a loopback address. In
 * live mode a second way in beside the host's own must be asked for.
 */
export const dashboardOf = (
  option: DashboardOption | undefined,
  { live, publicUrl }: DashboardPlace
): DashboardSettings | null => {
  if (option === false) return null
  if (option === undefined) return live || dashboardUrlProblem(publicUrl) !== null ? null : { users: "accounts" }
  const { authenticate, reauthenticateUrl = null } = option
  return authenticate === undefined ? { users: "accounts" } : { users: "host", authenticate, reauthenticateUrl }
}

export const dashboardProblems = (option: unknown, publicUrl: string): ReadonlyArray<string> => {
  if (option === undefined || option === false) return []
  if (!Predicate.isObject(option)) return ["dashboard must be an object of settings, or false for no dashboard."]
  const { authenticate, reauthenticateUrl, ...others }: { readonly [name: string]: unknown } = { ...option }
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
      : [])
  ]
}

/** A path with two slashes would be the address of another host. */
const isAddress = (value: unknown): boolean =>
  typeof value === "string" &&
  (/^\/(?![/\\])[^\s\\]*$/.test(value) || (/^https?:\/\//.test(value) && URL.canParse(value)))
