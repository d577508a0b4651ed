/** `paymux events`: what happened to payments, as webhooks report it. */
import { eventTypes } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { listEvents } from "@paymux/sql"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as EventCalls from "../EventCalls.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { printTable } from "./table.ts"
import { momentOf } from "./timeRange.ts"
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
    payment: Flag.String("payment").pipe(Flag.withDescription("Only events of this payment: pay_…"), Flag.optional),
    since: Flag.String("since").pipe(
      Flag.withDescription("Only events since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z"),
      Flag.optional
    ),
    until: Flag.String("until").pipe(
      Flag.withDescription("Only events before this time, in the same format"),
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
  Effect.fnUntraced(function* ({ account, after, database, json, limit, live, payment, since, type, until }) {
    const query = {
      ...(type.length > 0 && { types: type }),
      ...(Option.isSome(payment) && { paymentId: payment.value }),
      ...(Option.isSome(since) && { from: yield* momentOf("--since", since.value) }),
      ...(Option.isSome(until) && { until: yield* momentOf("--until", until.value) }),
      ...(Option.isSome(after) && { after: after.value }),
      limit
    }
    const { events, next } = yield* onExistingDatabase(
      database,
      Layer.empty,
      listEvents({ account, livemode: live }, query)
    )
    if (next !== null) yield* Console.error(`There are more: --after ${next}`)
    if (json) return yield* Console.log(JSON.stringify(events, null, 2))
    if (events.length === 0) return yield* Console.error("No events.")
    yield* printTable(
      ["time", "event", "type", "payment", "sequence"],
      events.map(({ createdAt, id, paymentId, sequence, type }) => [
        iso(createdAt),
        id,
        type,
        paymentId,
        String(sequence)
      ])
    )
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
