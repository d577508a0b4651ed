/** `paymux requests`: the merchant's calls of the API. */
import { iso } from "@paymux/core/wire"
import { mostRequestsOfPage, RequestLog, statusClasses } from "@paymux/http"
import type { LoggedRequest, StatusClass } from "@paymux/http"
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { given, listFlags, listQuery, textFlag } from "./listFlags.ts"
import { printPage } from "./table.ts"
import { userError } from "./userError.ts"

const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

const list = Command.make(
  "list",
  {
    ...where,
    status: textFlag("status", "Only requests with this status: 404, or a class: 2xx, 4xx or 5xx"),
    method: textFlag("method", "Only requests with this method: GET or POST"),
    route: textFlag("route", "Only requests of this route, such as /v1/payments/:id"),
    key: textFlag("key", "Only requests with this API key: key_…"),
    problem: textFlag("problem", "Only requests that were answered with this problem code, such as invalid_request"),
    payment: textFlag("payment", "Only requests about this payment: pay_…"),
    ...listFlags("requests", mostRequestsOfPage)
  },
  Effect.fnUntraced(function* (input) {
    const { account, database, json, key, live, method, payment, problem, route, status, ...page } = input
    const query = {
      ...(Option.isSome(status) && { status: yield* statusOf(status.value) }),
      ...(Option.isSome(method) && { method: method.value.toUpperCase() }),
      ...given({ route, keyId: key, problem, paymentId: payment }),
      ...(yield* listQuery(page))
    }
    const { next, data: requests } = yield* onExistingDatabase(
      database,
      RequestLog.layer,
      RequestLog.use((log) => log.list({ account, livemode: live }, query))
    )
    const head = ["time", "request", "method", "path", "status", "problem", "ms", "key"]
    yield* printPage({ next, entries: requests, json, none: "No requests.", head, row: rowOf })
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
