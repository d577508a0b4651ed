/** The handler of the audit log. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentCaller, CurrentTenant } from "../../access/AccessControl.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import type { AuditQuery } from "../../audit/AuditLog.ts"
import { isEmail, seesContacts, withoutContacts } from "../../audit/withoutContacts.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalidCursor } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

export const auditHandlers = HttpApiBuilder.group(ControlApi, "audit", (handlers) =>
  Effect.map(AuditLog, (log) =>
    handlers.handle("list", ({ query }) =>
      control(Effect.catchTag(list(log, { limit: defaultLimit, ...query }), "AuditCursorInvalid", invalidCursor))
    )
  )
)

const list = Effect.fnUntraced(function* (log: AuditLog["Service"], query: AuditQuery) {
  const tenant = yield* CurrentTenant
  const { role } = yield* CurrentCaller
  const isOpen = seesContacts(role)
  if (!isOpen && [query.actorId, query.target].some((filter) => filter !== undefined && isEmail(filter))) {
    return { data: [], next: null }
  }
  const { entries, next } = yield* log.list(tenant, query)
  return { data: isOpen ? entries : entries.map(withoutContacts), next }
})
