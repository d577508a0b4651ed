/** What `paymux.breakers` does. */
import type { Tenant } from "@paymux/core"
import { BreakerLog, breakerStates } from "@paymux/sql"
import type { BreakerFilter, BreakerHistoryPage, BreakerHistoryQuery, ProcessBreaker } from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** Of the provider instances of this mode. Circuit breakers belong to no account. */
export interface BreakerOperations {
  /**
   * The circuit breakers of every process that uses this database, one for each provider and operation in use. Those of this
   * process are as they are now, those of others at most 15 seconds old.
   */
  readonly list: (filter?: BreakerFilter) => Promise<ReadonlyArray<ProcessBreaker>>
  /** The transitions of all processes, newest first; 20 unless `limit` says otherwise (at most 1000). */
  readonly history: (query?: Partial<BreakerHistoryQuery>) => Promise<BreakerHistoryPage>
}

export const list = Effect.fnUntraced(function* ({ livemode }: Tenant, filter: BreakerFilter) {
  yield* PaymentCalls.onlyKnown(filter, ["provider", "operation", "state"])
  yield* checked(filter)
  return yield* BreakerLog.use((log) => log.list(livemode, filter))
})

export const history = Effect.fnUntraced(function* ({ livemode }: Tenant, query: Partial<BreakerHistoryQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["provider", "operation", "state", "from", "until", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  yield* checked(query)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  yield* PaymentCalls.asText(query.after, "/after")
  return yield* BreakerLog.use((log) => log.history(livemode, { ...query, limit }))
})

const checked = Effect.fnUntraced(function* (filter: BreakerFilter) {
  for (const name of ["provider", "operation"] as const) yield* PaymentCalls.asText(filter[name], `/${name}`)
  if (filter.state !== undefined && !breakerStates.includes(filter.state)) {
    yield* PaymentCalls.invalid("/state", `must be one of ${breakerStates.join(", ")}`)
  }
})
