/** `paymux webhooks resend`: one event again, or all that did not arrive since a time. */
import type { Tenant } from "@paymux/core"
import { iso } from "@paymux/core/wire"
import { WebhookDeliveryLog, WebhookEndpoints } from "@paymux/webhooks"
import type { ResendOutcome } from "@paymux/webhooks"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Audited from "../../Audited.ts"
import { onExistingDatabase } from "../database.ts"
import { timeRange } from "../timeRange.ts"
import { userError } from "../userError.ts"
import { endpointFlag, endpoints, noEndpoint, where } from "./webhooksShared.ts"

export const resend = Command.make(
  "resend",
  {
    event: Argument.String("event").pipe(
      Argument.withDescription("evt_…, as in `paymux webhooks deliveries`, delivered or not"),
      Argument.optional
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription("All undelivered events since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z"),
      Flag.optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("With --since: only count the deliveries"),
      Flag.withDefault(false)
    ),
    endpoint: endpointFlag,
    ...where
  },
  Effect.fnUntraced(function* ({ account, database, dryRun, endpoint, event, live, since }) {
    if (dryRun && Option.isNone(since)) return yield* userError(new Error("--dry-run needs --since."))
    if (Option.isSome(event) === Option.isSome(since)) {
      return yield* userError(new Error("Name what to send again: an event (evt_…) or --since a time, not both."))
    }
    const tenant = { account, livemode: live }
    const run = <A, E extends { readonly message: string }>(
      effect: Effect.Effect<A, E, WebhookDeliveryLog | WebhookEndpoints>
    ) => onExistingDatabase(database, Layer.merge(Audited.deliveryLog, endpoints([])), effect)
    const only = Option.getOrNull(endpoint)
    const known = yield* run(WebhookEndpoints.use((service) => service.list(tenant)))
    const named = known.find(({ id }) => id === only)
    if (only !== null && named === undefined) return yield* noEndpoint(only, account, live)
    if (named !== undefined && named.disabledAt !== null) return yield* userError(new Error(enableFirst(named.id)))
    if (Option.isSome(event)) return yield* one(tenant, event.value, yield* run(resendOne(tenant, event.value, only)))
    if (Option.isNone(since)) return
    const { from } = yield* timeRange(since.value, Option.none())
    if (dryRun) {
      const missed = yield* run(WebhookDeliveryLog.use((log) => log.countSince(tenant, from, only)))
      const what = missed === 1 ? "1 delivery" : `${missed} deliveries`
      return yield* Console.error(`${what} would be sent again, of events since ${iso(from)}.`)
    }
    const count = yield* run(WebhookDeliveryLog.use((log) => log.resendSince(tenant, from, only)))
    const what = count === 1 ? "1 delivery is" : `${count} deliveries are`
    yield* Console.error(`${what} sent again, of what has happened since ${iso(from)} and did not arrive.`)
    for (const { disabledAt, id } of known) {
      if (disabledAt !== null && only === null) yield* Console.error(`Left out: ${enableFirst(id)}`)
    }
  })
).pipe(
  Command.withDescription("Send an event again, or all undelivered events since a time, under the same ids"),
  Command.withExamples([
    { command: "paymux webhooks resend evt_…", description: "One event, to every endpoint it was for" },
    { command: "paymux webhooks resend --since 3d --endpoint we_…", description: "After fixing the receiver" }
  ])
)

const resendOne = (tenant: Tenant, event: string, endpoint: string | null) =>
  WebhookDeliveryLog.use((log) => log.resend(tenant, event, endpoint))

type Resent = Effect.Success<ReturnType<typeof resendOne>>

const one = Effect.fnUntraced(function* (tenant: Tenant, event: string, resent: Resent) {
  if (resent.length === 0) {
    const mode = tenant.livemode ? "live" : "test"
    return yield* userError(
      new Error(
        `No event ${event} was for an endpoint of account ${tenant.account} (${mode} mode), or for the one named; ` +
          `or its deliveries ended long ago and were removed.`
      )
    )
  }
  for (const { endpointId, outcome } of resent) yield* Console.error(sentence(endpointId, outcome))
  if (!resent.some(({ outcome }) => outcome === "resent" || outcome === "in_flight")) {
    return yield* userError(new Error(`${event} was not sent again.`))
  }
})

const sentence = (endpoint: string, outcome: ResendOutcome): string => {
  switch (outcome) {
    case "resent":
      return `Sent again to ${endpoint}.`
    case "in_flight":
      return `It is being sent to ${endpoint} at this moment.`
    case "endpoint_removed":
      return `${endpoint} was removed.`
    case "endpoint_disabled":
      return enableFirst(endpoint)
    default:
      return outcome satisfies never
  }
}

const enableFirst = (id: string): string => `${id} is disabled; first: paymux webhooks enable ${id}`
