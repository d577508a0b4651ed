/** `paymux breakers`: the circuit breakers of all processes, and their history. */
import { iso } from "@paymux/core/wire"
import { BreakerLog, breakerStates } from "@paymux/sql"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, listFlags, listQuery, textFlag } from "./listFlags.ts"
import { printable } from "../printable.ts"
import { printPage } from "./table.ts"

const where = { database: databaseFlag, live: liveFlag }

const filters = {
  provider: textFlag("provider", "Only those of this provider instance"),
  operation: textFlag("operation", "Only those of this operation: create, capture, cancel, refund, inquire, complete"),
  state: Flag.Literals("state", breakerStates).pipe(
    Flag.withDescription("Only those in this state; of a history: that entered it"),
    Flag.optional
  )
}

const list = Command.make(
  "list",
  { ...where, ...filters, json: jsonFlag },
  Effect.fnUntraced(function* ({ database, json, live, ...filter }) {
    const breakers = yield* onExistingDatabase(
      database,
      BreakerLog.layer,
      BreakerLog.use((log) => log.list(live, given(filter)))
    )
    yield* printPage({
      next: null,
      entries: breakers,
      json,
      none: "No circuit breakers: no running server has called a provider.",
      head: ["provider", "operation", "state", "since", "cause", "host", "pid", "last seen"],
      row: ({ cause, host, operation, pid, provider, seenAt, since, state }) => [
        printable(provider),
        operation,
        state,
        iso(since),
        cause ?? "",
        printable(host),
        String(pid),
        iso(seenAt)
      ]
    })
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
    ...listFlags("transitions")
  },
  Effect.fnUntraced(function* ({ database, json, live, operation, provider, state, ...page }) {
    const query = { ...given({ provider, operation, state }), ...(yield* listQuery(page)) }
    const { next, data: transitions } = yield* onExistingDatabase(
      database,
      BreakerLog.layer,
      BreakerLog.use((log) => log.history(live, query))
    )
    yield* printPage({
      next,
      entries: transitions,
      json,
      none: "No transitions.",
      head: ["time", "provider", "operation", "from", "to", "cause", "host"],
      row: ({ at, cause, from, host, operation, provider, to }) => [
        iso(at),
        printable(provider),
        operation,
        from,
        to,
        cause,
        printable(host)
      ]
    })
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
