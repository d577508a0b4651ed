/** Adds a version of the rules together with its entry in the audit log: neither exists without the other. */
import type { Tenant } from "@paymux/core"
import { AuditLog } from "@paymux/dashboard"
import type { AuditAction, RulesVersion } from "@paymux/dashboard"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as RulesVersions from "./RulesVersions.ts"
import type { NewVersion } from "./RulesVersions.ts"

/** `before`: `null` for the first version. `acceptedNoRoute`: the author accepted that payments get no provider. Returns `null`, and writes nothing, if another version was published before. */
export const addAudited = Effect.fnUntraced(function* (
  tenant: Tenant,
  action: AuditAction,
  version: NewVersion,
  before: RulesVersion | null,
  acceptedNoRoute = false
) {
  const sql = yield* SqlClient.SqlClient
  const { append } = yield* AuditLog
  return yield* sql.withTransaction(
    Effect.tap(RulesVersions.add(version), (added) =>
      added === null
        ? Effect.void
        : append({
            tenant,
            action,
            target: `version ${added.version}`,
            outcome: "done",
            before: before && { version: before.version, ruleset: before.ruleset },
            after: {
              version: added.version,
              ruleset: added.ruleset,
              note: added.note,
              restores: added.restores,
              ...(acceptedNoRoute && { acceptedNoRoute })
            }
          })
    )
  )
})
