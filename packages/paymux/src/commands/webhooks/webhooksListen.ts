/**
 * `paymux webhooks listen`: receives the events of test mode on this machine, for as long as it runs: prints a line for each,
 * and forwards it unchanged, so that its signature stays valid.
 */
import { iso } from "@paymux/core/wire"
import { loopback, WebhookEndpoints } from "@paymux/webhooks"
import { Clock, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { createServer } from "node:http"
import type { IncomingHttpHeaders, Server } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { accountFlag, databaseFlag, onExistingDatabase } from "../database.ts"
import { signals } from "../signals.ts"
import { userError } from "../userError.ts"
import { endpoints } from "./webhooksShared.ts"

export const listen = Command.make(
  "listen",
  {
    forwardTo: Flag.String("forward-to").pipe(
      Flag.withDescription(
        "The URL to which each event is posted unchanged, such as http://localhost:3000/webhooks; default: none"
      ),
      Flag.optional
    ),
    database: databaseFlag,
    account: accountFlag
  },
  Effect.fnUntraced(function* ({ account, database, forwardTo }) {
    const target = Option.getOrNull(forwardTo)
    if (target !== null && !isHttp(target)) {
      return yield* userError(new Error(`--forward-to must be an http or https address, not ${target}`))
    }
    const stopped = yield* signals
    const url = yield* listening(target)
    const tenant = { account, livemode: false }
    yield* onExistingDatabase(
      database,
      endpoints(loopback),
      Effect.scoped(
        Effect.gen(function* () {
          const service = yield* WebhookEndpoints
          const { secret } = yield* Effect.acquireRelease(service.add({ ...tenant, url }), ({ endpoint }) =>
            Effect.ignore(service.remove(tenant, endpoint.id))
          )
          yield* Console.error(`Signing secret: ${Redacted.value(secret)}`)
          yield* Console.error(`Waiting for events of account ${account} (test mode). Stop with Ctrl-C.`)
          yield* stopped
        })
      )
    )
  }, Effect.scoped)
).pipe(
  Command.withDescription("Print the events of test mode, and forward them to a local address"),
  Command.withExamples([
    {
      command: "paymux webhooks listen --forward-to http://localhost:3000/webhooks",
      description: "Receive the events of a sandbox in your application"
    }
  ])
)

const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Its address. Each event is answered as the target answers it, so that a failed one is sent again. */
const listening = (target: string | null) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const received = (body: Buffer, headers: IncomingHttpHeaders) =>
      Effect.runPromiseWith(context)(forwarded(target, body, headers))
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer((request, response) => {
          void buffer(request)
            .then((body) => received(body, request.headers))
            .then((status) => response.writeHead(status).end())
            .catch(() => response.writeHead(500).end())
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    // Boundary: a TCP server that listens has an address of this form.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })

const forwarded = Effect.fnUntraced(function* (
  target: string | null,
  body: Buffer,
  headers: IncomingHttpHeaders
): Effect.fn.Return<number> {
  const answered = target === null ? Option.none<number>() : yield* Effect.option(posted(target, body, headers))
  const status = target === null ? 204 : Option.getOrElse(answered, () => 502)
  const { payment, type } = summaryOf(body)
  const outcome =
    target === null ? "" : `  → ${Option.isSome(answered) ? status : "no response"} ${new URL(target).pathname}`
  yield* Console.log(`${iso(yield* Clock.currentTimeMillis)}  ${type.padEnd(24)} ${payment}${outcome}`)
  return status
})

const posted = (target: string, body: Buffer, headers: IncomingHttpHeaders) =>
  Effect.tryPromise((signal) =>
    fetch(target, {
      method: "POST",
      body: new Uint8Array(body),
      signal,
      redirect: "manual",
      headers: Object.entries(headers).flatMap(([name, value]) =>
        name === "content-type" || name.startsWith("webhook-") ? [[name, String(value)] as [string, string]] : []
      )
    })
  ).pipe(
    Effect.timeout("10 seconds"),
    Effect.map(({ status }) => status)
  )

/** Of an event as the server sends it. */
const summaryOf = (body: Buffer): { readonly payment: string; readonly type: string } => {
  try {
    const { data, type } = JSON.parse(body.toString())
    return { payment: String(data?.payment?.id ?? ""), type: String(type) }
  } catch {
    return { payment: "", type: "not an event" }
  }
}
