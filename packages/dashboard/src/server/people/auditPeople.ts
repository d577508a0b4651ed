/** Entries of the audit log about people: in the log of each account and mode that is concerned. */
import { Effect } from "effect"
import type { Membership } from "../access/Identity.ts"
import { CurrentActor } from "../audit/Actor.ts"
import type { Actor } from "../audit/Actor.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { AuditAction, AuditFields } from "../audit/AuditLog.ts"

export interface PeopleEntry {
  readonly action: AuditAction
  readonly target: string
  readonly concerned: ReadonlyArray<Pick<Membership, "account" | "modes">>
  readonly before: AuditFields | null
  readonly after: AuditFields | null
}

/** To be run in the transaction of the change. What concerns every account is in the log of account `default`. */
export const auditPeople = Effect.fnUntraced(function* ({ concerned, ...entry }: PeopleEntry) {
  const { append } = yield* AuditLog
  const tenants = new Map(
    concerned.flatMap(({ account, modes }) =>
      modes.map((mode) => {
        const tenant = { account: account ?? "default", livemode: mode === "live" }
        return [JSON.stringify(tenant), tenant] as const
      })
    )
  )
  for (const tenant of tenants.values()) yield* append({ ...entry, tenant, outcome: "done" })
})

export const membershipFields = ({ account, modes, role }: Membership): AuditFields => ({
  account: account ?? "every account",
  modes,
  role
})

/** What a person does with a link, or to themselves. */
export const asPerson = (id: string, email: string, address: string | null) => {
  const actor: Actor = { kind: "user", id, name: email, role: null, address }
  return Effect.provideService(CurrentActor, actor)
}
