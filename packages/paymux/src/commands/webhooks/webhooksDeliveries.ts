/** `paymux webhooks deliveries`: what was sent, and what the receivers answered. */
import { PaymentStore } from "@paymux/core/store"
import type { PaymentEvent } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { WebhookDeliveryLog } from "@paymux/webhooks"
import type { DeliveryRecord } from "@paymux/webhooks"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { jsonFlag, onExistingDatabase } from "../database.ts"
import { printTable } from "../table.ts"
import { endpointFlag, where } from "./webhooksShared.ts"

export const deliveries = Command.make(
  "deliveries",
  {
    ...where,
    endpoint: endpointFlag,
    failed: Flag.Boolean("failed").pipe(
      Flag.withDescription("Only deliveries whose last attempt failed, or that have been given up"),
      Flag.withDefault(false)
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("1 to 1000"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
      Flag.withDefault(20)
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, database, endpoint, failed, json, limit, live }) {
    const tenant = { account, livemode: live }
    const query = { endpointId: Option.getOrNull(endpoint), failed, limit: limit + 1 }
    const found = yield* onExistingDatabase(
      database,
      WebhookDeliveryLog.layer,
      Effect.flatMap(
        WebhookDeliveryLog.use((log) => log.list(tenant, query)),
        (records) => Effect.forEach(records.slice(0, limit), shown).pipe(Effect.map((rows) => ({ rows, records })))
      )
    )
    if (json) return yield* Console.log(JSON.stringify(found.rows, null, 2))
    if (found.rows.length === 0) return yield* Console.error(failed ? "No delivery has failed." : "No deliveries.")
    yield* printTable(
      ["event", "type", "payment", "endpoint", "status", "tries", "last try", "next try", "answer"],
      found.rows.map((row) => [
        row.event,
        row.type ?? "",
        row.payment ?? "",
        row.endpoint,
        row.status,
        String(row.tries),
        row.last_try_at ?? "",
        row.next_try_at ?? "",
        [row.answer_status ?? "", row.error ?? "", row.answer ?? ""].filter((part) => part !== "").join(" ")
      ])
    )
    if (found.records.length > limit) yield* Console.error(`There are more: --limit ${Math.min(1000, limit * 2)}`)
  })
).pipe(
  Command.withDescription("List deliveries, newest first, with the last response of each receiver"),
  Command.withExamples([{ command: "paymux webhooks deliveries --failed", description: "List failed deliveries" }])
)

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
  happened_at: event === null ? null : iso(event.createdAt),
  last_try_at: record.lastAt === null ? null : iso(record.lastAt),
  next_try_at: record.nextTryAt === null ? null : iso(record.nextTryAt),
  answer_status: record.lastStatus,
  error: record.lastError,
  answer: record.lastAnswer
})
