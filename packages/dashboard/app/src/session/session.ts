/** Who is signed in, and what they may do in the account and mode of the address. */
import { useParams } from "@tanstack/react-router"
import { queryClient, queryOf, useGet } from "../api/client.ts"
import type { Schemas } from "../api/client.ts"

export type Session = Schemas["SignedInPerson"]
export type Access = Session["accounts"][number]
export type Role = Access["role"]
export type Mode = Access["mode"]

/** Of the query of the session. */
export const sessionKey = ["/dashboard/api/session", {}] as const

/** `error`: an `ApiProblem` with `sign_in_required` if no person is signed in. */
export const useSessionQuery = () => useGet("/dashboard/api/session", {}, { staleTime: 60_000 })

/** Begins to read the session while the page is still loading. A refusal is reported where the session is used. */
export const prefetchSession = (): Promise<void> => queryClient.prefetchQuery(queryOf("/dashboard/api/session", {}))

/** Below the pages of an account the session is there. */
export const useSession = (): Session => {
  const { data } = useSessionQuery()
  if (data === undefined) throw new Error("The session is read above this page.")
  return data
}

/** `params.path` of calls. */
export interface Tenant {
  readonly account: string
  readonly mode: Mode
}

export const useTenant = (): Tenant => {
  const { account, mode } = useParams({ from: "/$account/$mode" })
  return { account, mode: mode === "live" ? "live" : "test" }
}

/** `null`: they have no access to this account and mode. */
export const accessIn = ({ accounts, memberships }: Session, { account, mode }: Tenant): Access | null => {
  const listed = accounts.find((each) => each.account === account && each.mode === mode)
  if (listed !== undefined) return listed
  // Accounts without an API key or a member are not listed. Access to every account includes them.
  const wide = memberships.find((each) => each.account === null && each.modes.includes(mode))
  return wide !== undefined && accounts.some((each) => each.mode === mode) ? { account, mode, role: wide.role } : null
}

/** Whether the person may do what needs this role. The server decides again. */
export const useMay = (role: Exclude<Role, "viewer">): boolean => {
  const access = accessIn(useSession(), useTenant())
  return access !== null && (access.role === "owner" || access.role === role)
}

/** The address of a page of this account and mode: `payments/pay_…`. */
export const tenantPath = ({ account, mode }: Tenant, path: string): string =>
  `/${encodeURIComponent(account)}/${mode}${path === "" ? "" : `/${path}`}`
