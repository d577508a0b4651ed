/** Invitations that are open: not accepted, revoked or expired. */
import type { Tenant } from "@paymux/core"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import { auditPeople, membershipFields } from "./auditPeople.ts"
import { InvitationNotFound, NotTheirTeam } from "./errors.ts"
import { manages, readMembership } from "./Memberships.ts"
import type { Manager } from "./Memberships.ts"
import { withdrawTokens } from "./OneTimeTokens.ts"

/** An open invitation as it may be shown: nothing in it opens the link. Times are ms UTC. */
export interface InvitationRecord extends Membership {
  readonly id: string
  readonly email: string
  /** The email address of a user, otherwise the id of the actor: the name of an account at a terminal, or the program. */
  readonly invitedBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Whose invitations: those that give access to an account and mode; `null`: all. */
export interface InvitationScope {
  readonly manager: Manager
  readonly tenant: Tenant | null
}

/** There is one for each email address and account. No email address contains a space. */
export const invitationSubject = (email: string, account: string | null): string => `${email} ${account ?? ""}`

/** Newest first. Modes that the manager does not manage are left out, except the mode of the tenant. */
export const listInvitations = Effect.fnUntraced(function* (scope: InvitationScope) {
  const { manager, tenant } = scope
  const isShown = (account: string | null, mode: Membership["modes"][number]) =>
    manages(manager, { account, modes: [mode] }) || (tenant !== null && mode === modeOf(tenant))
  return (yield* openInvitations(scope)).map((invitation): InvitationRecord => ({
    ...invitation,
    modes: invitation.modes.filter((mode) => isShown(invitation.account, mode))
  }))
})

export const revokeInvitation = Effect.fnUntraced(function* (scope: InvitationScope, id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      const invitation = yield* takeInvitation(scope, id)
      const { email, expiresAt } = invitation
      const before = { email, ...membershipFields(invitation), expiresAt }
      yield* auditPeople({
        action: "user.revoke_invitation",
        target: email,
        concerned: [invitation],
        before,
        after: null
      })
    })
  )
})

/** To be run in a transaction. Deletes the invitation: of two at the same time, and of one who accepts it, one succeeds. */
export const takeInvitation = Effect.fnUntraced(function* (scope: InvitationScope, id: string) {
  const sql = yield* SqlClient.SqlClient
  const invitation = (yield* openInvitations(scope)).find((each) => each.id === id)
  if (invitation === undefined) return yield* new InvitationNotFound()
  if (!manages(scope.manager, invitation)) return yield* new NotTheirTeam()
  const deleted = yield* sql`DELETE FROM paymux_one_time_tokens
    WHERE purpose = 'invitation' AND ${idColumn(sql)} = ${id} AND used_at IS NULL RETURNING purpose`
  return deleted.length === 0 ? yield* new InvitationNotFound() : invitation
})

/** Someone whose rights were taken away must not get them back by a link that was not used. */
export const withdrawInvitationsTo = Effect.fnUntraced(function* (
  email: string,
  isWithdrawn: (invited: Membership) => boolean
) {
  const sql = yield* SqlClient.SqlClient
  const start = invitationSubject(email, null)
  const rows = yield* sql<{ readonly subject: string; readonly data_json: string }>`
    SELECT subject, data_json FROM paymux_one_time_tokens
    WHERE purpose = 'invitation' AND substr(subject, 1, ${start.length}) = ${start} AND used_at IS NULL`
  for (const { data_json: data, subject } of rows) {
    const invited = yield* invitedTo(data)
    // One that cannot be read gives nothing.
    if (invited !== null && isWithdrawn(invited)) yield* withdrawTokens("invitation", subject)
  }
})

const openInvitations = Effect.fnUntraced(function* ({ tenant }: InvitationScope) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const rows = yield* sql<InvitationRow>`
    SELECT ${idColumn(sql)} AS id, t.subject, t.data_json, t.created_at, t.expires_at,
      COALESCE(u.email, t.created_by) AS invited_by
    FROM paymux_one_time_tokens t LEFT JOIN paymux_users u ON u.id = t.created_by
    WHERE t.purpose = 'invitation' AND t.used_at IS NULL AND t.expires_at > ${now}
    ORDER BY t.created_at DESC, t.subject`
  const invitations = yield* Effect.forEach(rows, recordOf)
  return invitations.filter((each) => each !== null).filter((each) => tenant === null || opens(each, tenant))
})

/** The start of the hash: it names the row, and a token cannot be found from it. */
const idColumn = (sql: SqlClient.SqlClient) => sql`'inv_' || substr(hash, 1, 24)`

interface InvitationRow {
  readonly id: string
  readonly subject: string
  readonly data_json: string
  /** PostgreSQL returns a bigint as text. */
  readonly created_at: number | string
  readonly expires_at: number | string
  readonly invited_by: string
}

const recordOf = Effect.fnUntraced(function* (row: InvitationRow) {
  const invited = yield* invitedTo(row.data_json)
  if (invited === null) return null
  const [email = ""] = row.subject.split(" ")
  return {
    id: row.id,
    email,
    ...invited,
    invitedBy: row.invited_by,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at)
  } satisfies InvitationRecord
})

/** `null`: it cannot be read. */
const invitedTo = Effect.fnUntraced(function* (data: string) {
  // Boundary: `invite` wrote it.
  const { account, modes, role }: { readonly [name: string]: unknown } = JSON.parse(data)
  const invited = yield* Effect.option(readMembership({ account, modes, role }))
  return invited._tag === "Some" ? invited.value : null
})

const modeOf = ({ livemode }: Tenant) => (livemode ? "live" : "test")

const opens = ({ account, modes }: Membership, tenant: Tenant): boolean =>
  (account === null || account === tenant.account) && modes.includes(modeOf(tenant))
