import { BreakerLog } from "@paymux/sql"
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { everyAccount, read } from "../../access/Permission.ts"
import { described } from "../../api/described.ts"
import { tenantParams } from "../../api/fields.ts"
import * as Operation from "../Operation.ts"
import { Breaker, breakerFilters } from "./breakerShapes.ts"

/** Lists the circuit breakers of a mode. They belong to provider instances, and name hosts of the installation. */
export const listBreakers = Operation.make(
  HttpApiEndpoint.get("list", "/breakers", {
    params: tenantParams,
    query: breakerFilters,
    success: Schema.Struct({ data: Schema.Array(Breaker) })
  })
    .annotateMerge(everyAccount(read))
    .annotateMerge(
      described("List circuit breakers", "Of every running process, one for each provider and operation in use.")
    ),
  Effect.fnUntraced(function* (filter) {
    const { livemode } = yield* CurrentTenant
    return { data: yield* BreakerLog.use((log) => log.list(livemode, filter)) }
  }),
  {}
)
