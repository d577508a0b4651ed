/** The handlers of the team. What an owner manages ends at their accounts and modes. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Membership } from "../../access/Identity.ts"
import { CurrentCaller, CurrentTenant } from "../../access/AccessControl.ts"
import { personLink } from "../../people/cookies.ts"
import type { Issued } from "../../people/invitations.ts"
import { Users } from "../../people/Users.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, missing } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"
import { peopleHandler } from "../session/sessionShared.ts"
import { CurrentSignIn } from "../session/SignInSettings.ts"
import { NewInvitation, ResetRequest, RoleChange } from "./TeamGroup.ts"

export const teamHandlers = HttpApiBuilder.group(ControlApi, "team", (handlers) =>
  Effect.map(peopleHandler, (people) =>
    handlers
      .handle("list", ({ query: { after, limit = defaultLimit } }) => people(list({ after, limit })))
      .handleRaw("invite", () => people(invite))
      .handle("listInvitations", () => people(listInvitations))
      .handle("revokeInvitation", ({ params }) => people(revokeInvitation(params.id)))
      .handle("renewInvitation", ({ params }) => people(renewInvitation(params.id)))
      .handleRaw("setRole", ({ params }) => people(setRole(params.id)))
      .handleRaw("reset", ({ params }) => people(reset(params.id)))
      .handle("remove", ({ params }) => people(remove(params.id)))
  )
)

interface Page {
  readonly after: string | undefined
  readonly limit: number
}

const list = Effect.fnUntraced(function* ({ after, limit }: Page) {
  const tenant = yield* CurrentTenant
  const query = { manager: yield* CurrentCaller, tenant, limit, ...(after !== undefined && { after }) }
  const { next, users } = yield* Users.use((service) => service.list(query))
  // An owner of several accounts sees one team at a time.
  const concerning = ({ account }: Membership) => account === null || account === tenant.account
  return { data: users.map((user) => ({ ...user, memberships: user.memberships.filter(concerning) })), next }
})

const invite = Effect.gen(function* () {
  const { email, ...access } = yield* bodyOf(NewInvitation)
  const membership = membershipOf(access, yield* CurrentTenant)
  const caller = yield* CurrentCaller
  return yield* linkOf("join", yield* Users.use((users) => users.invite(caller, { email, ...membership })))
})

const scope = Effect.all({ manager: CurrentCaller, tenant: CurrentTenant })

const listInvitations = Effect.gen(function* () {
  const own = yield* scope
  return { data: yield* Users.use((users) => users.invitations(own)) }
})

const revokeInvitation = Effect.fnUntraced(function* (id: string) {
  const own = yield* scope
  yield* Users.use((users) => users.revokeInvitation(own, id))
})

const renewInvitation = Effect.fnUntraced(function* (id: string) {
  const own = yield* scope
  return yield* linkOf("join", yield* Users.use((users) => users.renewInvitation(own, id)))
})

const setRole = Effect.fnUntraced(function* (id: string) {
  const membership = membershipOf(yield* bodyOf(RoleChange), yield* CurrentTenant)
  const caller = yield* CurrentCaller
  yield* ofThisTeam(id)
  yield* Users.use((users) => users.setRole(caller, id, membership))
})

const reset = Effect.fnUntraced(function* (id: string) {
  const { totp = false } = yield* bodyOf(ResetRequest)
  const caller = yield* CurrentCaller
  yield* ofThisTeam(id)
  return yield* linkOf("reset", yield* Users.use((users) => users.reset(caller, id, { totp })))
})

const remove = Effect.fnUntraced(function* (id: string) {
  const caller = yield* CurrentCaller
  yield* ofThisTeam(id)
  yield* Users.use((users) => users.remove(caller, id))
})

/** A user of another account is as one that does not exist, also for an owner of both. */
const ofThisTeam = Effect.fnUntraced(function* (id: string) {
  const tenant = yield* CurrentTenant
  const isMember = yield* Users.use((users) => users.isMember(id, tenant))
  if (!isMember) return yield* missing("user")
})

const linkOf = Effect.fnUntraced(function* (page: "join" | "reset", { expiresAt, token }: Issued) {
  const { publicUrl } = yield* CurrentSignIn
  return { link: personLink(publicUrl, page, token), expiresAt }
})

interface Access {
  readonly role: Membership["role"]
  readonly everyAccount?: boolean
  readonly modes?: Membership["modes"]
}

const membershipOf = ({ everyAccount = false, modes, role }: Access, { account, livemode }: Tenant): Membership => ({
  account: everyAccount ? null : account,
  modes: modes ?? [livemode ? "live" : "test"],
  role
})
