/** Invitations that are still open. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import { readMembership } from "./Memberships.ts"
import { withdrawTokens } from "./OneTimeTokens.ts"

/** There is one for each email address and account. No email address contains a space. */
export const invitationSubject = (email: string, account: string | null): string => `${email} ${account ?? ""}`

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
    // Boundary: `invite` wrote it.
    const { account, modes, role }: { readonly [name: string]: unknown } = JSON.parse(data)
    const invited = yield* Effect.option(readMembership({ account, modes, role }))
    // One that cannot be read gives nothing.
    if (invited._tag === "Some" && isWithdrawn(invited.value)) yield* withdrawTokens("invitation", subject)
  }
})
