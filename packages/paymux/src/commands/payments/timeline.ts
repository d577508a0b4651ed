/** `paymux payments timeline`: all that happened to a payment, in the order of time. */
import { defaultOfTimeline, mostOfTimeline, readTimeline } from "@paymux/dashboard"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { jsonFlag, onExistingDatabase } from "../database.ts"
import { printable } from "../printable.ts"
import { asPaymentId, paymentArgument, paymentNotFound, where } from "../review/reviewShared.ts"
import { printTable } from "../table.ts"
import { userError } from "../userError.ts"
import { timelineText } from "./timelineText.ts"

export const timeline = Command.make(
  "timeline",
  {
    payment: paymentArgument,
    ...where,
    after: Flag.String("after").pipe(
      Flag.withDescription("The cursor that the page before printed: continue there"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription(`1 to ${mostOfTimeline}`),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostOfTimeline }))),
      Flag.withDefault(defaultOfTimeline)
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, after, database, json, limit, live, payment }) {
    const tenant = { account, livemode: live }
    const id = asPaymentId(payment)
    if (id === null) return yield* userError(paymentNotFound(payment, tenant))
    const query = { limit, ...(Option.isSome(after) && { after: after.value }) }
    const page = yield* onExistingDatabase(database, Layer.empty, readTimeline(tenant, id, query))
    if (page === null) return yield* userError(paymentNotFound(payment, tenant))
    if (page.next !== null) yield* Console.error(`There are more: --after ${page.next}`)
    if (json) return yield* Console.log(JSON.stringify(page.items, null, 2))
    yield* printTable(
      ["time", "what", "details"],
      page.items.map((item) => [iso(item.at), item.kind.replaceAll("_", " "), printable(timelineText(item))])
    )
  })
).pipe(
  Command.withDescription("Show all that happened to a payment, oldest first"),
  Command.withExamples([{ command: "paymux payments timeline pay_…", description: "From its request to its webhooks" }])
)
