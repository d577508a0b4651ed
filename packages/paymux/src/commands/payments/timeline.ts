/** `paymux payments timeline`: all that happened to a payment, in the order of time. */
import { defaultOfTimeline, mostOfTimeline, readTimeline } from "@paymux/dashboard"
import { iso } from "@paymux/core/wire"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { onExistingDatabase } from "../database.ts"
import { pageFlags, pageQuery } from "../listFlags.ts"
import { printable } from "../../printable.ts"
import { asPaymentId, paymentArgument, paymentNotFound, where } from "../review/reviewShared.ts"
import { printPage } from "../table.ts"
import { userError } from "../userError.ts"
import { timelineText } from "./timelineText.ts"

export const timeline = Command.make(
  "timeline",
  {
    payment: paymentArgument,
    ...where,
    ...pageFlags(mostOfTimeline, defaultOfTimeline)
  },
  Effect.fnUntraced(function* ({ account, database, live, payment, ...page }) {
    const tenant = { account, livemode: live }
    const id = asPaymentId(payment)
    if (id === null) return yield* userError(paymentNotFound(payment, tenant))
    const found = yield* onExistingDatabase(database, Layer.empty, readTimeline(tenant, id, pageQuery(page)))
    if (found === null) return yield* userError(paymentNotFound(payment, tenant))
    yield* printPage({
      next: found.next,
      entries: found.items,
      json: page.json,
      none: "Nothing has happened since.",
      head: ["time", "what", "details"],
      row: (item) => [iso(item.at), item.kind.replaceAll("_", " "), printable(timelineText(item))]
    })
  })
).pipe(
  Command.withDescription("Show all that happened to a payment, oldest first"),
  Command.withExamples([{ command: "paymux payments timeline pay_…", description: "From its request to its webhooks" }])
)
