/** The circuit breakers of a mode. They belong to provider instances, and name hosts of the installation. */
import { breakerStates } from "@paymux/sql"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { everyAccount, read } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { pageOf, pageQuery, tenantParams, Text, Time, timeQuery } from "../fields.ts"

const State = Schema.Literals(breakerStates)

const Cause = Schema.Literals([
  "failure_rate",
  "misconfigured",
  "open_time_over",
  "probe_succeeded",
  "probe_answered",
  "probe_failed"
])

const process = {
  process: Schema.String.annotate({ description: "A random id, another one at each start." }),
  host: Schema.String
}

const Breaker = Schema.Struct({
  provider: Schema.String,
  operation: Schema.String,
  state: State,
  cause: Schema.NullOr(Cause).annotate({ description: "`null`: it never left its first state." }),
  since: Time,
  ...process,
  pid: Schema.Int,
  seenAt: Time.annotate({ description: "ms UTC; when the process last reported." })
}).annotate({ identifier: "CircuitBreaker" })

const Transition = Schema.Struct({
  at: Time,
  provider: Schema.String,
  operation: Schema.String,
  from: State,
  to: State,
  cause: Cause,
  ...process
}).annotate({ identifier: "CircuitBreakerTransition" })

const filters = {
  provider: Schema.optionalKey(Text),
  operation: Schema.optionalKey(Text),
  state: Schema.optionalKey(State)
}

export class BreakersGroup extends HttpApiGroup.make("breakers")
  .add(
    HttpApiEndpoint.get("list", "/breakers", {
      params: tenantParams,
      query: filters,
      success: Schema.Struct({ data: Schema.Array(Breaker) })
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(
        described("List circuit breakers", "Of every running process, one for each provider and operation in use.")
      ),
    HttpApiEndpoint.get("history", "/breakers/history", {
      params: tenantParams,
      query: { ...filters, ...timeQuery, ...pageQuery },
      success: pageOf(Transition)
    })
      .annotateMerge(everyAccount(read))
      .annotateMerge(described("List transitions of circuit breakers", "Newest first. `state`: the one entered."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Circuit breakers" })) {}
