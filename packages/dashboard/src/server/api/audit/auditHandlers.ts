/** The handler of the audit log. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalidCursor } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

export const auditHandlers = HttpApiBuilder.group(ControlApi, "audit", (handlers) =>
  Effect.map(AuditLog, (log) =>
    handlers.handle("list", ({ query }) =>
      control(
        Effect.flatMap(CurrentTenant, (tenant) => log.list(tenant, { limit: defaultLimit, ...query })).pipe(
          Effect.map(({ entries, next }) => ({ data: entries, next })),
          Effect.catchTag("AuditCursorInvalid", invalidCursor)
        )
      )
    )
  )
)
