/** What people of a team may do, in words. */
import type { Schemas } from "../../api/client.ts"
import type { Mode, Role, Tenant } from "../../session/session.ts"

export type User = Schemas["User"]
export type Membership = User["memberships"][number]

export const roles: ReadonlyArray<Role> = ["owner", "developer", "operator", "routing", "viewer"]

export const rolesText: { readonly [role in Role]: string } = {
  owner: "Everything, and manages the team",
  developer: "API keys, webhook endpoints and logs",
  operator: "Captures, cancels, refunds and reviews",
  routing: "Routing rules",
  viewer: "Reads everything, changes nothing"
}

const modesText = (modes: ReadonlyArray<Mode>): string => (modes.length === 2 ? "test and live" : modes.join(""))

export const placeText = ({ account, modes }: Membership): string =>
  `${account ?? "every account"}, ${modesText(modes)}`

/** What counts in this account and mode: a role in the account takes precedence over one in every account. */
export const membershipIn = (user: User, { account, mode }: Tenant): Membership | undefined => {
  const here = user.memberships.filter(({ modes }) => modes.includes(mode))
  return here.find((each) => each.account === account) ?? here.find((each) => each.account === null)
}
