/** Every account and mode that a person may open. */
import type { ProviderMode } from "@paymux/core"
import type { Role } from "../audit/Actor.ts"
import { roleIn } from "./Identity.ts"
import type { Identity } from "./Identity.ts"

export interface OpenTenant {
  readonly account: string
  readonly mode: ProviderMode
  readonly role: Role
}

export interface Installation {
  /** The accounts that are known. `default` is one, whether or not it is named. */
  readonly accounts: ReadonlyArray<string>
  /** Whether live payments may be made on this database. */
  readonly hasLiveMode: boolean
}

/** By the name of the account, `default` first; test before live. */
export const openTenants = (identity: Identity, installation: Installation): ReadonlyArray<OpenTenant> => {
  const own = identity.memberships.flatMap(({ account }) => (account === null ? [] : [account]))
  const others = [...new Set([...installation.accounts, ...own])].filter((account) => account !== "default")
  const modes: ReadonlyArray<ProviderMode> = installation.hasLiveMode ? ["test", "live"] : ["test"]
  return ["default", ...others.sort()].flatMap((account) =>
    modes.flatMap((mode) => {
      const role = roleIn(identity, { account, livemode: mode === "live" })
      return role === null ? [] : [{ account, mode, role }]
    })
  )
}
