/** The handlers of circuit breakers. */
import { BreakerLog } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalidCursor } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

export const breakersHandlers = HttpApiBuilder.group(ControlApi, "breakers", (handlers) =>
  Effect.map(BreakerLog, (log) =>
    handlers
      .handle("list", ({ query }) =>
        control(
          Effect.flatMap(CurrentTenant, ({ livemode }) => log.list(livemode, query)).pipe(
            Effect.map((breakers) => ({ data: breakers }))
          )
        )
      )
      .handle("history", ({ query }) =>
        control(
          Effect.flatMap(CurrentTenant, ({ livemode }) =>
            log.history(livemode, { limit: defaultLimit, ...query })
          ).pipe(
            Effect.map(({ next, transitions }) => ({ data: transitions, next })),
            Effect.catchTag("BreakerCursorInvalid", invalidCursor)
          )
        )
      )
  )
)
