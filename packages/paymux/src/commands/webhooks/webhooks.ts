import { eventTypes } from "@paymux/core/store"
import type { EventType } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { loopback, WebhookEndpoints } from "@paymux/webhooks"
import type { WebhookEndpoint } from "@paymux/webhooks"
import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { configuration } from "../configuration.ts"
import { jsonFlag, onDatabase, onExistingDatabase } from "../database.ts"
import { printTable } from "../table.ts"
import { userError } from "../userError.ts"
import { attempts, deliveries } from "./webhooksDeliveries.ts"
import { listen } from "./webhooksListen.ts"
import { resend } from "./webhooksResend.ts"
import { rotate } from "./webhooksRotate.ts"
import { test } from "./webhooksTest.ts"
import { endpointArgument, endpoints, noEndpoint, where } from "./webhooksShared.ts"

const allowFlag = Flag.String("allow").pipe(
  Flag.withDescription(
    "A private host or network (CIDR) in which the endpoint may be, in addition to webhooks.allow of the configuration, which the server needs as well; repeatable. Test mode allows loopback"
  ),
  Flag.atLeast(0)
)

const allowed = Effect.fnUntraced(function* (allow: ReadonlyArray<string>, live: boolean) {
  const opened = [...allow, ...((yield* configuration(null)).webhooks?.allow ?? [])]
  return live ? opened : [...loopback, ...opened]
})

const add = Command.make(
  "add",
  {
    url: Argument.String("url").pipe(Argument.withDescription("The URL of the endpoint: https://…")),
    ...where,
    event: Flag.Literals("event", eventTypes).pipe(
      Flag.withDescription("Only events of these types; repeatable. Default: all"),
      Flag.atLeast(0)
    ),
    allow: allowFlag
  },
  Effect.fnUntraced(function* ({ account, allow, database, event, live, url }) {
    const { endpoint, secret } = yield* onDatabase(
      database,
      endpoints(yield* allowed(allow, live)),
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
  if (disabledAt !== null) return `disabled (${disabledReason ?? "operator"}) since ${iso(disabledAt)}`
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

const edit = Command.make(
  "edit",
  {
    id: endpointArgument,
    ...where,
    url: Flag.String("url").pipe(Flag.withDescription("The new URL: https://…"), Flag.optional),
    event: Flag.Literals("event", [...eventTypes, "all"]).pipe(
      Flag.withDescription("Only events of these types from now on; repeatable. all: events of all types"),
      Flag.atLeast(0)
    ),
    allow: allowFlag
  },
  Effect.fnUntraced(function* ({ account, allow, database, event, id, live, url }) {
    const types = event.filter((each): each is EventType => each !== "all")
    if (types.length > 0 && types.length < event.length) {
      return yield* userError(new Error("--event all cannot be combined with other types."))
    }
    if (Option.isNone(url) && event.length === 0) {
      return yield* userError(new Error("Name what to change: --url or --event."))
    }
    const changes = {
      ...(Option.isSome(url) ? { url: url.value } : {}),
      ...(event.length === 0 ? {} : types.length === 0 ? { events: null } : only(types))
    }
    const edited = yield* onExistingDatabase(
      database,
      endpoints(yield* allowed(allow, live)),
      WebhookEndpoints.use((service) => service.update({ account, livemode: live }, id, changes))
    )
    if (edited === null) return yield* noEndpoint(id, account, live)
    yield* Console.error(`${id}: ${edited.url}, events: ${edited.events?.join(", ") ?? "all"}`)
  })
).pipe(
  Command.withDescription("Change an endpoint's URL or its event types; the secret stays"),
  Command.withExamples([
    { command: "paymux webhooks edit we_… --url https://shop.example/hooks", description: "Send to another address" }
  ])
)

const disable = Command.make(
  "disable",
  { id: endpointArgument, ...where },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const there = yield* onExistingDatabase(
      database,
      endpoints([]),
      WebhookEndpoints.use((service) => service.disable({ account, livemode: live }, id))
    )
    if (!there) return yield* noEndpoint(id, account, live)
    yield* Console.error(`${id} receives nothing until it is enabled: paymux webhooks enable ${id}`)
  })
).pipe(Command.withDescription("Disable an endpoint and cancel its pending deliveries"))

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
  Command.withSubcommands([
    add,
    list,
    edit,
    remove,
    disable,
    enable,
    rotate,
    test,
    deliveries,
    attempts,
    resend,
    listen
  ])
)

const only = (events: ReadonlyArray<EventType>) => {
  const [first, ...rest] = events
  return first === undefined ? {} : { events: [first, ...rest] as const }
}
