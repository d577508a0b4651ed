/** `paymux requests`: the merchant's calls of the API. */
import { iso } from "@paymux/core/wire"
import { mostRequestsOfPage, RequestLog, statusClasses } from "@paymux/http"
import type { LoggedRequest, StatusClass } from "@paymux/http"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { printTable } from "./table.ts"
import { momentOf } from "./timeRange.ts"
import { userError } from "./userError.ts"

const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

const optional = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    ...where,
    status: optional("status", "Only requests with this status: 404, or a class: 2xx, 4xx or 5xx"),
    method: optional("method", "Only requests with this method: GET or POST"),
    route: optional("route", "Only requests of this route, such as /v1/payments/:id"),
    key: optional("key", "Only requests with this API key: key_…"),
    problem: optional("problem", "Only requests that were answered with this problem code, such as invalid_request"),
    payment: optional("payment", "Only requests about this payment: pay_…"),
    since: optional("since", "Only requests since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z"),
    until: optional("until", "Only requests before this time, in the same format"),
    after: optional("after", "The cursor that the page before printed: continue there"),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription(`1 to ${mostRequestsOfPage}`),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostRequestsOfPage }))),
      Flag.withDefault(20)
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (input) {
    const { account, after, database, json, key, limit, live, method, payment, problem, route, since, status, until } =
      input
    const query = {
      ...(Option.isSome(status) && { status: yield* statusOf(status.value) }),
      ...(Option.isSome(method) && { method: method.value.toUpperCase() }),
      ...(Option.isSome(route) && { route: route.value }),
      ...(Option.isSome(key) && { keyId: key.value }),
      ...(Option.isSome(problem) && { problem: problem.value }),
      ...(Option.isSome(payment) && { paymentId: payment.value }),
      ...(Option.isSome(since) && { from: yield* momentOf("--since", since.value) }),
      ...(Option.isSome(until) && { until: yield* momentOf("--until", until.value) }),
      ...(Option.isSome(after) && { after: after.value }),
      limit
    }
    const { next, requests } = yield* onExistingDatabase(
      database,
      RequestLog.layer,
      RequestLog.use((log) => log.list({ account, livemode: live }, query))
    )
    if (next !== null) yield* Console.error(`There are more: --after ${next}`)
    if (json) return yield* Console.log(JSON.stringify(requests, null, 2))
    if (requests.length === 0) return yield* Console.error("No requests.")
    yield* printTable(["time", "request", "method", "path", "status", "problem", "ms", "key"], requests.map(rowOf))
  })
).pipe(
  Command.withDescription("List requests, newest first"),
  Command.withExamples([
    { command: "paymux requests list --status 4xx --since 1h", description: "What was rejected in the last hour" },
    { command: "paymux requests list --payment pay_…", description: "What was asked about a payment" }
  ])
)

const statusOf = (text: string) => {
  const known: StatusClass | undefined = statusClasses.find((status) => status === text)
  if (known !== undefined) return Effect.succeed(known)
  return /^[1-5]\d\d$/.test(text)
    ? Effect.succeed(Number(text))
    : userError(new Error(`--status cannot be ${JSON.stringify(text)}: use a status such as 404, or 2xx, 4xx or 5xx.`))
}

const rowOf = (request: LoggedRequest): ReadonlyArray<string> => [
  iso(request.at),
  request.id,
  request.method,
  request.path,
  `${request.status}${request.replayed ? " (replayed)" : ""}`,
  request.problem ?? "",
  request.durationMs.toFixed(1),
  request.keyId
]

const show = Command.make(
  "show",
  {
    id: Argument.String("request").pipe(
      Argument.withDescription("req_…, as in the response's Request-Id header and `paymux requests list`")
    ),
    ...where
  },
  Effect.fnUntraced(function* ({ account, database, id, live }) {
    const request = yield* onExistingDatabase(
      database,
      RequestLog.layer,
      RequestLog.use((log) => log.get({ account, livemode: live }, id))
    )
    if (request === null) {
      return yield* userError(
        new Error(`Request ${id} not found in account ${account} (${live ? "live" : "test"} mode).`)
      )
    }
    yield* Console.log(JSON.stringify(request, null, 2))
  })
).pipe(Command.withDescription("Print a request, with the structure of its body and what was wrong with it"))

export const requests = Command.make("requests").pipe(
  Command.withDescription("Show the calls of the API"),
  Command.withSubcommands([list, show])
)
