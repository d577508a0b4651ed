/** `paymux webhooks rotate`: a new signing secret, without an event lost while the receiver takes it over. */
import { iso } from "@paymux/core/wire"
import { WebhookEndpoints } from "@paymux/webhooks"
import { Console, Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import { onExistingDatabase } from "../database.ts"
import { overlapFlag, overlapOf } from "../overlap.ts"
import { endpointArgument, endpoints, noEndpoint, where } from "./webhooksShared.ts"

export const rotate = Command.make(
  "rotate",
  {
    id: endpointArgument,
    ...where,
    overlap: overlapFlag("the former secret signs")
  },
  Effect.fnUntraced(function* ({ account, database, id, live, overlap: text }) {
    const overlap = yield* overlapOf(text)
    const rotated = yield* onExistingDatabase(
      database,
      endpoints([]),
      WebhookEndpoints.use((service) => service.rotate({ account, livemode: live }, id, { overlap }))
    )
    if (rotated === null) return yield* noEndpoint(id, account, live)
    yield* Console.error(
      rotated.formerUntil === null
        ? "The former secret signs no more. The new one is shown this once; keep it with the receiver:"
        : `Both secrets sign until ${iso(rotated.formerUntil)}. The new one is shown this once; keep it with the receiver:`
    )
    yield* Console.log(Redacted.value(rotated.secret))
  })
).pipe(
  Command.withDescription("Create a new signing secret; the previous secret also signs for a grace period"),
  Command.withExamples([
    { command: "paymux webhooks rotate we_…", description: "Both secrets sign for a day" },
    { command: "paymux webhooks rotate we_… --overlap 0s", description: "The former secret has leaked" }
  ])
)
