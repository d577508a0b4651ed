/** `paymux breakers`: the circuit breakers of all processes, and their history. */
import { iso } from "@paymux/core/wire"
import { BreakerLog, breakerStates } from "@paymux/sql"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { printable } from "./printable.ts"
import { printTable } from "./table.ts"
import { momentOf } from "./timeRange.ts"

const where = { database: databaseFlag, live: liveFlag }

const filters = {
  provider: Flag.String("provider").pipe(Flag.withDescription("Only those of this provider instance"), Flag.optional),
  operation: Flag.String("operation").pipe(
    Flag.withDescription("Only those of this operation: create, capture, cancel, refund, inquire, complete"),
    Flag.optional
  ),
  state: Flag.Literals("state", breakerStates).pipe(
    Flag.withDescription("Only those in this state; of a history: that entered it"),
    Flag.optional
  )
}

interface Filters {
  readonly provider: Option.Option<string>
  readonly operation: Option.Option<string>
  readonly state: Option.Option<(typeof breakerStates)[number]>
}

const filterOf = ({ operation, provider, state }: Filters) => ({
  ...(Option.isSome(provider) && { provider: provider.value }),
  ...(Option.isSome(operation) && { operation: operation.value }),
  ...(Option.isSome(state) && { state: state.value })
})

const list = Command.make(
  "list",
  { ...where, ...filters, json: jsonFlag },
  Effect.fnUntraced(function* ({ database, json, live, ...given }) {
    const breakers = yield* onExistingDatabase(
      database,
      BreakerLog.layer,
      BreakerLog.use((log) => log.list(live, filterOf(given)))
    )
    if (json) return yield* Console.log(JSON.stringify(breakers, null, 2))
    if (breakers.length === 0) {
      return yield* Console.error("No circuit breakers: no running server has called a provider.")
    }
    yield* printTable(
      ["provider", "operation", "state", "since", "cause", "host", "pid", "last seen"],
      breakers.map(({ cause, host, operation, pid, provider, seenAt, since, state }) => [
        printable(provider),
        operation,
        state,
        iso(since),
        cause ?? "",
        printable(host),
        String(pid),
        iso(seenAt)
      ])
    )
  })
).pipe(
  Command.withDescription("List the circuit breakers of every running server"),
  Command.withExamples([
    { command: "paymux breakers list --live --state open", description: "Where no payments are sent now" }
  ])
)

const history = Command.make(
  "history",
  {
    ...where,
    ...filters,
    since: Flag.String("since").pipe(
      Flag.withDescription("Only transitions since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z"),
      Flag.optional
    ),
    until: Flag.String("until").pipe(
      Flag.withDescription("Only transitions before this time, in the same format"),
      Flag.optional
    ),
    after: Flag.String("after").pipe(
      Flag.withDescription("The cursor that the page before printed: continue there"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("1 to 1000"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
      Flag.withDefault(20)
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ after, database, json, limit, live, since, until, ...given }) {
    const query = {
      ...filterOf(given),
      ...(Option.isSome(since) && { from: yield* momentOf("--since", since.value) }),
      ...(Option.isSome(until) && { until: yield* momentOf("--until", until.value) }),
      ...(Option.isSome(after) && { after: after.value }),
      limit
    }
    const { next, transitions } = yield* onExistingDatabase(
      database,
      BreakerLog.layer,
      BreakerLog.use((log) => log.history(live, query))
    )
    if (next !== null) yield* Console.error(`There are more: --after ${next}`)
    if (json) return yield* Console.log(JSON.stringify(transitions, null, 2))
    if (transitions.length === 0) return yield* Console.error("No transitions.")
    yield* printTable(
      ["time", "provider", "operation", "from", "to", "cause", "host"],
      transitions.map(({ at, cause, from, host, operation, provider, to }) => [
        iso(at),
        printable(provider),
        operation,
        from,
        to,
        cause,
        printable(host)
      ])
    )
  })
).pipe(
  Command.withDescription("List the transitions of circuit breakers, newest first"),
  Command.withExamples([
    { command: "paymux breakers history --state open --since 1d", description: "What opened in the last day" }
  ])
)

export const breakers = Command.make("breakers").pipe(
  Command.withDescription("Show the circuit breakers of all servers on a database"),
  Command.withSubcommands([list, history])
)
