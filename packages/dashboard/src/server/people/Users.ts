/**
 * The people who may sign in with accounts of ours: invited by a link that works once, with a role for an account and modes.
 * Each change and its audit entry are one transaction.
 */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type {
  InvitationNotFound,
  LastOwner,
  LinkInvalid,
  ManagedElsewhere,
  NotTheirTeam,
  PeopleInputInvalid,
  SignInBusy,
  SignInRefused,
  TooManyTries,
  UserCursorInvalid,
  UserNotFound
} from "./errors.ts"
import { acceptInvitation, invite, inviteFirstOwner, renewInvitation } from "./invitations.ts"
import type { Acceptance, Invitation, Issued } from "./invitations.ts"
import { SignInIssuers } from "./lastOwner.ts"
import type { Issuers } from "./lastOwner.ts"
import { listUsers } from "./listUsers.ts"
import type { UserPage, UsersQuery } from "./listUsers.ts"
import type { Manager } from "./Memberships.ts"
import { listInvitations, revokeInvitation } from "./openInvitations.ts"
import type { InvitationRecord, InvitationScope } from "./openInvitations.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { Passwords } from "./Passwords.ts"
import { removeUser, setRole } from "./changeUsers.ts"
import { accountsWithMembers, isMember } from "./userRows.ts"
import { issueReset, useReset } from "./resets.ts"
import type { PasswordReset } from "./resets.ts"

export interface UsersOptions {
  readonly issuers: Issuers
}

/** Each `user` is the id of one, or their email address. Of people whom a manager does not manage nothing is said. */
export class Users extends Context.Service<
  Users,
  {
    /** Newest first. */
    readonly list: (query: UsersQuery) => Effect.Effect<UserPage, UserCursorInvalid | StoreUnavailable>
    /** Whether there is a user of this id with access to the account and mode. */
    readonly isMember: (id: string, tenant: Tenant) => Effect.Effect<boolean, StoreUnavailable>
    /** The accounts that memberships name. */
    readonly accounts: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** A token for a link that works once, within 72 hours. It replaces an earlier one for the same account. */
    readonly invite: (
      manager: Manager,
      invitation: Invitation
    ) => Effect.Effect<Issued, PeopleInputInvalid | NotTheirTeam | StoreUnavailable>
    /** Those that are open, newest first. */
    readonly invitations: (scope: InvitationScope) => Effect.Effect<ReadonlyArray<InvitationRecord>, StoreUnavailable>
    /** Its link no longer works. */
    readonly revokeInvitation: (
      scope: InvitationScope,
      id: string
    ) => Effect.Effect<void, InvitationNotFound | NotTheirTeam | StoreUnavailable>
    /** A token for a new link to the same access, within 72 hours. The former link no longer works. */
    readonly renewInvitation: (
      scope: InvitationScope,
      id: string
    ) => Effect.Effect<Issued, PeopleInputInvalid | InvitationNotFound | NotTheirTeam | StoreUnavailable>
    /** `null`: there are users. The token no longer works as soon as there is one. */
    readonly inviteFirstOwner: Effect.Effect<Issued | null, StoreUnavailable>
    /**
     * A new user sets a password. Who is a user already gives theirs: a link of another owner must not replace it. The last
     * owner does not accept a lower role.
     */
    readonly accept: (
      acceptance: Acceptance
    ) => Effect.Effect<
      { readonly userId: string; readonly email: string },
      PeopleInputInvalid | LinkInvalid | SignInRefused | LastOwner | TooManyTries | SignInBusy | StoreUnavailable
    >
    /** Replaces what the user has in that account. */
    readonly setRole: (
      manager: Manager,
      user: string,
      membership: Membership
    ) => Effect.Effect<
      void,
      PeopleInputInvalid | UserNotFound | LastOwner | NotTheirTeam | ManagedElsewhere | StoreUnavailable
    >
    /**
     * Takes away all that the manager manages, and open invitations to it. A user without anything left is deleted, with
     * their sessions.
     */
    readonly remove: (
      manager: Manager,
      user: string
    ) => Effect.Effect<void, UserNotFound | LastOwner | StoreUnavailable>
    /**
     * A token for a link to set a new password, within 24 hours. `totp`: also removes TOTP and recovery codes, so that live
     * mode is closed to the user until they set it up again.
     */
    readonly reset: (
      manager: Manager,
      user: string,
      options: { readonly totp: boolean }
    ) => Effect.Effect<Issued, UserNotFound | NotTheirTeam | ManagedElsewhere | StoreUnavailable>
    /** Ends all sessions of the user. */
    readonly useReset: (
      reset: PasswordReset
    ) => Effect.Effect<void, PeopleInputInvalid | LinkInvalid | SignInBusy | StoreUnavailable>
  }
>()("@paymux/dashboard/Users") {
  static readonly layer = ({
    issuers
  }: UsersOptions): Layer.Layer<Users, never, SqlClient.SqlClient | AuditLog | Passwords> =>
    Layer.effect(
      Users,
      Effect.gen(function* () {
        const services = Context.make(SqlClient.SqlClient, yield* SqlClient.SqlClient).pipe(
          Context.add(AuditLog, yield* AuditLog),
          Context.add(Passwords, yield* Passwords),
          Context.add(SignInIssuers, issuers)
        )
        const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | AuditLog | Passwords | SignInIssuers>) =>
          orUnavailable(Effect.provideContext(effect, services))

        return Users.of({
          list: (query) => run(listUsers(query)),
          isMember: (id, tenant) => run(isMember(id, tenant)),
          accounts: run(accountsWithMembers),
          invite: (manager, invitation) => run(invite(manager, invitation)),
          invitations: (scope) => run(listInvitations(scope)),
          revokeInvitation: (scope, id) => run(revokeInvitation(scope, id)),
          renewInvitation: (scope, id) => run(renewInvitation(scope, id)),
          inviteFirstOwner: run(inviteFirstOwner),
          accept: (acceptance) => run(acceptInvitation(acceptance)),
          setRole: (manager, user, membership) => run(setRole(manager, user, membership)),
          remove: (manager, user) => run(removeUser(manager, user)),
          reset: (manager, user, options) => run(issueReset(manager, user, options)),
          useReset: (reset) => run(useReset(reset))
        })
      })
    )
}
