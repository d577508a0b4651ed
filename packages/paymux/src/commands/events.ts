/** `paymux events`: what happened to payments, as webhooks report it. */
import { eventTypes } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { listEvents } from "@paymux/sql"
import { Console, Effect, Layer } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as EventCalls from "../EventCalls.ts"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, listFlags, listQuery, textFlag } from "./listFlags.ts"
import { printPage } from "./table.ts"
import { userError } from "./userError.ts"

const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

const list = Command.make(
  "list",
  {
    ...where,
    type: Flag.Literals("type", eventTypes).pipe(
      Flag.withDescription("Only events of these types; repeatable. Default: all"),
      Flag.atLeast(0)
    ),
    payment: textFlag("payment", "Only events of this payment: pay_…"),
    ...listFlags("events")
  },
  Effect.fnUntraced(function* ({ account, database, json, live, payment, type, ...page }) {
    const query = {
      ...(type.length > 0 && { types: type }),
      ...given({ paymentId: payment }),
      ...(yield* listQuery(page))
    }
    const { data: events, next } = yield* onExistingDatabase(
      database,
      Layer.empty,
      listEvents({ account, livemode: live }, query)
    )
    yield* printPage({
      next,
      entries: events,
      json,
      none: "No events.",
      head: ["time", "event", "type", "payment", "sequence"],
      row: ({ createdAt, id, paymentId, sequence, type }) => [iso(createdAt), id, type, paymentId, String(sequence)]
    })
  })
).pipe(
  Command.withDescription("List events, newest first"),
  Command.withExamples([
    { command: "paymux events list --type payment.failed --since 1h", description: "What failed in the last hour" }
  ])
)

const show = Command.make(
  "show",
  { id: Argument.String("event").pipe(Argument.withDescription("evt_…, as in `paymux events list`")), ...where },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const event = yield* onExistingDatabase(database, Layer.empty, EventCalls.get({ account, livemode: live }, id))
    if (event === null) {
      return yield* userError(
        new Error(`Event ${id} not found in account ${account} (${live ? "live" : "test"} mode).`)
      )
    }
    yield* Console.log(JSON.stringify(event, null, 2))
  })
).pipe(Command.withDescription("Print the body of an event, as it is delivered"))

export const events = Command.make("events").pipe(
  Command.withDescription("Show the events of payments"),
  Command.withSubcommands([list, show])
)
