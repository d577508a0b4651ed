/** What `paymux.dashboard` does: the people who may sign in with accounts of Paymux. */
import { personLink, SignIn, theProgram, Users } from "@paymux/dashboard"
import type { Actor, InvitationRecord, Issued, Membership, Role, UserPage } from "@paymux/dashboard"
import { Effect } from "effect"
import type { Run } from "./Operations.ts"
import { actorFor } from "./options/tenantFor.ts"
import type { ActorOption } from "./options/tenantFor.ts"
import { opensBySandbox } from "./People.ts"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface NewInvitation {
  readonly email: string
  readonly role: Role
  /** Default: every account. */
  readonly account?: string
  /** Default: both. */
  readonly modes?: ReadonlyArray<"test" | "live">
  readonly actor?: ActorOption
}

export interface PersonLink {
  /** Works once. Shown this once: only its hash is kept. */
  readonly link: string
  /** ms UTC */
  readonly expiresAt: number
}

export interface UserListQuery {
  /** Users with access to this account; default: all users. */
  readonly account?: string
  /** Default: test. */
  readonly mode?: "test" | "live"
  readonly after?: string
  /** 1 to 1000; default 20. */
  readonly limit?: number
}

interface InvitationListQuery {
  /** Invitations that give access to this account; default: all invitations. */
  readonly account?: string
  /** Default: test. */
  readonly mode?: "test" | "live"
}

export interface DashboardOperations {
  /** A link with which a person sets a password and comes in, within 72 hours. */
  readonly invite: (invitation: NewInvitation) => Promise<PersonLink>
  /** Those that are open, newest first. */
  readonly invitations: (query?: InvitationListQuery) => Promise<ReadonlyArray<InvitationRecord>>
  /** Revokes an open invitation, by id. Its link no longer works. */
  readonly revokeInvitation: (id: string, options?: { readonly actor?: ActorOption }) => Promise<void>
  /** A new link for an open invitation, by id, within 72 hours. The former link no longer works. */
  readonly renewInvitation: (id: string, options?: { readonly actor?: ActorOption }) => Promise<PersonLink>
  /**
   * A link to come in for the first time. In the sandbox on this machine it opens test mode, within an hour; otherwise it is
   * for the first owner, while there are no users. `null`: there are users, or they are the host's.
   */
  readonly firstLink: () => Promise<PersonLink | null>
  /** Newest first. */
  readonly users: (query?: UserListQuery) => Promise<UserPage>
  /** Replaces what a user, by id or email address, may do in one account, or in every account without one. */
  readonly setRole: (user: string, change: Omit<NewInvitation, "email">) => Promise<void>
  /** Removes a user, with their sessions. */
  readonly remove: (user: string, options?: { readonly actor?: ActorOption }) => Promise<void>
  /** A link with which a user sets a new password, within 24 hours. `totp`: TOTP is removed too. */
  readonly reset: (
    user: string,
    options?: { readonly totp?: boolean; readonly actor?: ActorOption }
  ) => Promise<PersonLink>
}

export const make = (settings: PaymuxSettings, runAs: (actor: Actor) => Run): DashboardOperations => ({
  firstLink: () => runAs(theProgram)(firstLink(settings)),
  invite: async (invitation) => {
    const {
      actor,
      account = null,
      email,
      modes = bothModes,
      role
    } = await read(invitation, ["email", ...membershipFields])
    const invited = Users.use((users) => users.invite(null, { email, account, modes, role }))
    return linkOf(settings.publicUrl, "join", await runAs(actorOf(actor))(invited))
  },
  invitations: async (query = {}) => {
    const { account, mode } = await read(query, ["account", "mode"])
    const listed = Effect.flatMap(tenantOf(account, mode), (tenant) =>
      Users.use((users) => users.invitations({ manager: null, tenant }))
    )
    return runAs(actorOf(undefined))(listed)
  },
  revokeInvitation: async (id, options = {}) => {
    const { actor } = await read(options, ["actor"])
    return runAs(actorOf(actor))(Users.use((users) => users.revokeInvitation(every, id)))
  },
  renewInvitation: async (id, options = {}) => {
    const { actor } = await read(options, ["actor"])
    const renewed = Users.use((users) => users.renewInvitation(every, id))
    return linkOf(settings.publicUrl, "join", await runAs(actorOf(actor))(renewed))
  },
  users: async (query = {}) => {
    const { account, after, limit, mode } = await read(query, ["account", "mode", "after", "limit"])
    return runAs(actorOf(undefined))(
      Effect.gen(function* () {
        const tenant = yield* tenantOf(account, mode)
        yield* PaymentCalls.asText(after, "/after")
        const page = {
          manager: null,
          tenant,
          limit: yield* PaymentCalls.asLimit(limit),
          ...(after !== undefined && { after })
        }
        return yield* Users.use((users) => users.list(page))
      })
    )
  },
  setRole: async (user, change) => {
    const { account = null, actor, modes = bothModes, role } = await read(change, membershipFields)
    const membership: Membership = { account, modes, role }
    return runAs(actorOf(actor))(Users.use((users) => users.setRole(null, user, membership)))
  },
  remove: async (user, options = {}) => {
    const { actor } = await read(options, ["actor"])
    return runAs(actorOf(actor))(Users.use((users) => users.remove(null, user)))
  },
  reset: async (user, options = {}) => {
    const { actor, totp = false } = await read(options, ["totp", "actor"])
    const issued = Effect.gen(function* () {
      if (typeof totp !== "boolean") return yield* PaymentCalls.invalid("/totp", "must be true or false")
      return yield* Users.use((users) => users.reset(null, user, { totp }))
    })
    return linkOf(settings.publicUrl, "reset", await runAs(actorOf(actor))(issued))
  }
})

const firstLink = Effect.fnUntraced(function* (settings: PaymuxSettings) {
  if (settings.dashboard?.users !== "accounts") return null
  if (opensBySandbox(settings)) {
    return linkOf(settings.publicUrl, "open", yield* SignIn.use(({ issueSandboxToken }) => issueSandboxToken))
  }
  const issued = yield* Users.use(({ inviteFirstOwner }) => inviteFirstOwner)
  return issued === null ? null : linkOf(settings.publicUrl, "join", issued)
})

const every = { manager: null, tenant: null } as const

/** `null`: no account is named. */
const tenantOf = Effect.fnUntraced(function* (account: string | undefined, mode: "test" | "live" = "test") {
  yield* PaymentCalls.asText(account, "/account")
  if (mode !== "test" && mode !== "live") return yield* PaymentCalls.invalid("/mode", "must be test or live")
  return account === undefined ? null : { account, livemode: mode === "live" }
})

const bothModes = ["test", "live"] as const
const membershipFields = ["role", "account", "modes", "actor"]

const read = async <A extends object>(given: A, known: ReadonlyArray<string>): Promise<A> => {
  await Effect.runPromise(Effect.andThen(PaymentCalls.asOptions(given), PaymentCalls.onlyKnown(given, known)))
  return given
}

const actorOf = (actor: ActorOption | undefined): Actor => actorFor(actor === undefined ? {} : { actor })

const linkOf = (publicUrl: string, page: "join" | "reset" | "open", { expiresAt, token }: Issued): PersonLink => ({
  link: personLink(publicUrl, page, token),
  expiresAt
})
