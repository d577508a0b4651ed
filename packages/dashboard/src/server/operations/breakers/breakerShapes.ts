/** The shapes of circuit breakers. */
import { breakerStates } from "@paymux/sql"
import { Schema } from "effect"
import { Text, Time } from "../../api/fields.ts"

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

export const Breaker = Schema.Struct({
  provider: Schema.String,
  operation: Schema.String,
  state: State,
  cause: Schema.NullOr(Cause).annotate({ description: "`null`: it never left its first state." }),
  since: Time,
  ...process,
  pid: Schema.Int,
  seenAt: Time.annotate({ description: "ms UTC; when the process last reported." })
}).annotate({ identifier: "CircuitBreaker" })

export const Transition = Schema.Struct({
  at: Time,
  provider: Schema.String,
  operation: Schema.String,
  from: State,
  to: State,
  cause: Cause,
  ...process
}).annotate({ identifier: "CircuitBreakerTransition" })

export const breakerFilters = {
  provider: Schema.optionalKey(Text),
  operation: Schema.optionalKey(Text),
  state: Schema.optionalKey(State)
}
