import { BreakerLog } from "@paymux/sql"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { everyAccount, read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { defaultLimit, pageOf, pageQuery, tenantParams, timeQuery } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { breakerFilters, Transition } from "./breakerShapes.ts"

export const breakerHistory = Operation.make(
  HttpApiEndpoint.get("history", "/breakers/history", {
    params: tenantParams,
    query: { ...breakerFilters, ...timeQuery, ...pageQuery },
    success: pageOf(Transition)
  })
    .annotateMerge(everyAccount(read))
    .annotateMerge(described("List transitions of circuit breakers", "Newest first. `state`: the one entered.")),
  Effect.fnUntraced(function* ({ limit = defaultLimit, ...query }) {
    const { livemode } = yield* CurrentTenant
    return yield* BreakerLog.use((log) => log.history(livemode, { ...query, limit })).pipe(
      Effect.catchTag("BreakerCursorInvalid", Operation.refuseCursor)
    )
  }),
  {}
)
