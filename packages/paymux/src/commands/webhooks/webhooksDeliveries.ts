/** `paymux webhooks deliveries` and `attempts`: what was sent, and what the receivers answered. */
import { eventTypes, PaymentStore } from "@paymux/core/store"
import type { PaymentEvent } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { WebhookDeliveryLog } from "@paymux/webhooks"
import type { DeliveryRecord } from "@paymux/webhooks"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { jsonFlag, onExistingDatabase } from "../database.ts"
import { given, pageFlags, pageQuery, textFlag, timeFlags, timeQuery } from "../listFlags.ts"
import { printPage, printTable } from "../table.ts"
import { userError } from "../userError.ts"
import { endpointArgument, endpointFlag, where } from "./webhooksShared.ts"

const filters = {
  endpoint: endpointFlag,
  status: Flag.Literals("status", ["pending", "delivered", "dead", "canceled", "failed"]).pipe(
    Flag.withDescription("Only deliveries with this status; failed: the last attempt failed, or none will be made"),
    Flag.optional
  ),
  failed: Flag.Boolean("failed").pipe(Flag.withDescription("The same as --status failed"), Flag.withDefault(false)),
  event: textFlag("event", "Only deliveries of this event: evt_…"),
  payment: textFlag("payment", "Only deliveries of this payment's events: pay_…"),
  type: Flag.Literals("type", eventTypes).pipe(
    Flag.withDescription("Only deliveries of events of these types; repeatable. Default: all"),
    Flag.atLeast(0)
  ),
  ...timeFlags("events")
}

export const deliveries = Command.make(
  "deliveries",
  {
    ...where,
    ...filters,
    ...pageFlags()
  },
  Effect.fnUntraced(function* ({ account, after, database, json, limit, live, ...filter }) {
    const query = { ...(yield* queryOf(filter)), ...pageQuery({ after, limit }) }
    const { next, rows } = yield* onExistingDatabase(
      database,
      WebhookDeliveryLog.layer,
      Effect.gen(function* () {
        const log = yield* WebhookDeliveryLog
        const { next, records } = yield* log.list({ account, livemode: live }, query)
        return { next, rows: yield* Effect.forEach(records, shown) }
      })
    )
    yield* printPage({
      next,
      entries: rows,
      json,
      none: query.status === "failed" ? "No delivery has failed." : "No deliveries.",
      head: ["event", "type", "payment", "endpoint", "status", "tries", "last try", "next try", "answer"],
      row: (row) => [
        row.event,
        row.type ?? "",
        row.payment ?? "",
        row.endpoint,
        row.status,
        String(row.tries),
        row.last_try_at ?? "",
        row.next_try_at ?? "",
        answerOf(row.answer_status, row.error, row.answer)
      ]
    })
  })
).pipe(
  Command.withDescription("List deliveries, newest first, with the last response of each receiver"),
  Command.withExamples([
    { command: "paymux webhooks deliveries --failed", description: "List failed deliveries" },
    { command: "paymux webhooks deliveries --payment pay_…", description: "What was sent about one payment" }
  ])
)

export const attempts = Command.make(
  "attempts",
  {
    event: Argument.String("event").pipe(Argument.withDescription("evt_…, as in `paymux webhooks deliveries`")),
    endpoint: endpointArgument,
    ...where,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, database, endpoint, event, json, live }) {
    const found = yield* onExistingDatabase(
      database,
      WebhookDeliveryLog.layer,
      WebhookDeliveryLog.use((log) => log.attempts({ account, livemode: live }, event, endpoint))
    )
    if (json) return yield* Console.log(JSON.stringify(found, null, 2))
    if (found.length === 0) return yield* Console.error(`Nothing was sent to ${endpoint} for ${event} yet.`)
    yield* printTable(
      ["try", "ended", "ms", "answer"],
      found.map(({ answer, attempt, duration, endedAt, error, status }) => [
        String(attempt),
        iso(endedAt),
        String(duration),
        answerOf(status, error, answer)
      ])
    )
  })
).pipe(Command.withDescription("List every attempt to deliver an event to an endpoint"))

type Filters = Command.Command.Config.Infer<typeof filters>

const queryOf = Effect.fnUntraced(function* ({
  endpoint,
  event,
  failed,
  payment,
  since,
  status,
  type,
  until
}: Filters) {
  if (failed && Option.isSome(status)) {
    return yield* userError(new Error("Give either --failed or --status, not both."))
  }
  return {
    ...given({ endpointId: endpoint, eventId: event, paymentId: payment, status }),
    ...(failed && { status: "failed" as const }),
    ...(type.length > 0 && { types: type }),
    ...(yield* timeQuery({ since, until }))
  }
})

const shown = (record: DeliveryRecord) =>
  Effect.map(
    PaymentStore.use((store) => store.findEvent(record.eventId)),
    (event) => shownWith(record, event)
  )

/** The answer is bounded and escaped already, as it is kept. */
const shownWith = (record: DeliveryRecord, event: PaymentEvent | null) => ({
  event: record.eventId,
  type: event?.type ?? null,
  payment: event?.paymentId ?? null,
  endpoint: record.endpointId,
  status: record.status,
  tries: record.attempts,
  happened_at: iso(record.happenedAt),
  last_try_at: record.lastAt === null ? null : iso(record.lastAt),
  next_try_at: record.nextTryAt === null ? null : iso(record.nextTryAt),
  answer_status: record.lastStatus,
  error: record.lastError,
  answer: record.lastAnswer
})

const answerOf = (status: number | null, error: string | null, answer: string | null): string =>
  [status ?? "", error ?? "", answer ?? ""].filter((part) => part !== "").join(" ")
