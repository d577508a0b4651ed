import type { EventType } from "@paymux/core"
import { eventTypes, Ids, iso } from "@paymux/core"
import { loopback, WebhookEndpoints } from "@paymux/webhooks"
import { Config, Console, Effect, Layer, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { installationSecret } from "../Settings.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onDatabase, onExistingDatabase } from "./database.ts"
import { told } from "./told.ts"
import { printTable } from "./table.ts"

const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

const add = Command.make(
  "add",
  {
    url: Argument.String("url").pipe(Argument.withDescription("https://…, where events are posted to")),
    ...where,
    event: Flag.Literals("event", eventTypes).pipe(
      Flag.withDescription("Only these events; repeatable. Default: all"),
      Flag.atLeast(0)
    ),
    allow: Flag.String("allow").pipe(
      Flag.withDescription("A private host or network (CIDR) it may be at; repeatable. Test mode allows loopback"),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function* ({ account, allow, database, event, live, url }) {
    const { endpoint, secret } = yield* onDatabase(
      database,
      endpoints(live ? allow : [...loopback, ...allow]),
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
      ["id", "url", "events", "created", "disabled"],
      found.map((endpoint) => [
        endpoint.id,
        endpoint.url,
        endpoint.events?.join(", ") ?? "all",
        iso(endpoint.createdAt),
        endpoint.disabledAt === null ? "" : `${iso(endpoint.disabledAt)} ${endpoint.disabledReason ?? ""}`
      ])
    )
  })
).pipe(Command.withDescription("List endpoints"))

const remove = Command.make(
  "remove",
  { id: Argument.String("id").pipe(Argument.withDescription("we_…, as listed")), ...where },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const removed = yield* onExistingDatabase(
      database,
      endpoints([]),
      WebhookEndpoints.use((service) => service.remove({ account, livemode: live }, id))
    )
    if (!removed) return yield* told(new Error(`There is no endpoint ${id} in account ${account}.`))
    yield* Console.error(`Removed ${id}.`)
  })
).pipe(Command.withDescription("Remove an endpoint; what waited for it is canceled"))

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Add, list and remove webhook endpoints"),
  Command.withSubcommands([add, list, remove])
)

const only = (events: ReadonlyArray<EventType>) => {
  const [first, ...rest] = events
  return first === undefined ? {} : { events: [first, ...rest] as const }
}

/** Secrets are encrypted under the server's own: PAYMUX_SECRET, or in test mode the one the database keeps. */
const endpoints = (allow: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const given = yield* Config.option(Config.Redacted("PAYMUX_SECRET"))
      const secret = yield* installationSecret(Option.getOrNull(given))
      return WebhookEndpoints.layer({ secret, allow })
    })
  ).pipe(Layer.provide(Ids.layer))
