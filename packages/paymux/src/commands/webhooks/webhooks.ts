import { eventTypes } from "@paymux/core/store"
import type { EventType } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { loopback, WebhookEndpoints } from "@paymux/webhooks"
import type { WebhookEndpoint } from "@paymux/webhooks"
import { Console, Effect, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { configuration } from "../configuration.ts"
import { jsonFlag, onDatabase, onExistingDatabase } from "../database.ts"
import { printTable } from "../table.ts"
import { deliveries } from "./webhooksDeliveries.ts"
import { listen } from "./webhooksListen.ts"
import { resend } from "./webhooksResend.ts"
import { rotate } from "./webhooksRotate.ts"
import { endpointArgument, endpoints, noEndpoint, where } from "./webhooksShared.ts"

const add = Command.make(
  "add",
  {
    url: Argument.String("url").pipe(Argument.withDescription("The URL of the endpoint: https://…")),
    ...where,
    event: Flag.Literals("event", eventTypes).pipe(
      Flag.withDescription("Only events of these types; repeatable. Default: all"),
      Flag.atLeast(0)
    ),
    allow: Flag.String("allow").pipe(
      Flag.withDescription(
        "A private host or network (CIDR) in which the endpoint may be, in addition to webhooks.allow of the configuration, which the server needs as well; repeatable. Test mode allows loopback"
      ),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function* ({ account, allow, database, event, live, url }) {
    const opened = [...allow, ...((yield* configuration(null)).webhooks?.allow ?? [])]
    const { endpoint, secret } = yield* onDatabase(
      database,
      endpoints(live ? opened : [...loopback, ...opened]),
      WebhookEndpoints.use((service) => service.add({ account, livemode: live, url, ...only(event) }))
    )
    yield* Console.error(`Endpoint ${endpoint.id}. Its signing secret is shown this once; keep it with the receiver:`)
    yield* Console.log(Redacted.value(secret))
  })
).pipe(Command.withDescription("Add an endpoint; its signing secret is shown once"))

const list = Command.make(
  "list",
  { ...where, json: jsonFlag },
  Effect.fnUntraced(function* ({ account, database, json, live }) {
    const found = yield* onExistingDatabase(
      database,
      endpoints([]),
      WebhookEndpoints.use((service) => service.list({ account, livemode: live }))
    )
    if (json) return yield* Console.log(JSON.stringify(found, null, 2))
    if (found.length === 0) return yield* Console.error(`Account ${account} has no webhook endpoints.`)
    yield* printTable(
      ["id", "url", "events", "created", "state"],
      found.map((endpoint) => [
        endpoint.id,
        endpoint.url,
        endpoint.events?.join(", ") ?? "all",
        iso(endpoint.createdAt),
        stateOf(endpoint)
      ])
    )
  })
).pipe(Command.withDescription("List endpoints"))

const stateOf = ({ disabledAt, disabledReason, failingSince }: WebhookEndpoint): string => {
  if (disabledAt !== null) return `disabled (${disabledReason ?? "by hand"}) since ${iso(disabledAt)}`
  return failingSince === null ? "active" : `failing since ${iso(failingSince)}`
}

const remove = Command.make(
  "remove",
  { id: endpointArgument, ...where },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const removed = yield* onExistingDatabase(
      database,
      endpoints([]),
      WebhookEndpoints.use((service) => service.remove({ account, livemode: live }, id))
    )
    if (!removed) return yield* noEndpoint(id, account, live)
    yield* Console.error(`Removed ${id}.`)
  })
).pipe(Command.withDescription("Remove an endpoint and cancel its pending deliveries"))

const enable = Command.make(
  "enable",
  { id: endpointArgument, ...where },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const enabled = yield* onExistingDatabase(
      database,
      endpoints([]),
      WebhookEndpoints.use((service) => service.enable({ account, livemode: live }, id))
    )
    if (!enabled) return yield* noEndpoint(id, account, live)
    yield* Console.error(
      `${id} receives events again. For those it missed: paymux webhooks resend --endpoint ${id} --since …`
    )
  })
).pipe(Command.withDescription("Enable a disabled endpoint"))

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Manage webhook endpoints and deliveries"),
  Command.withSubcommands([add, list, remove, enable, rotate, deliveries, resend, listen])
)

const only = (events: ReadonlyArray<EventType>) => {
  const [first, ...rest] = events
  return first === undefined ? {} : { events: [first, ...rest] as const }
}
