/**
 * `paymux serve`. Standard output has two lines, for scripts: the address, and in the sandbox the test key. All else
 * goes to standard error.
 */
import type { ProviderInstance } from "@paymux/dashboard"
import { hardenedServer, Listening, newRequestId, problem, toAnswer } from "@paymux/http"
import { dashboardUrlProblem } from "@paymux/dashboard"
import { iso } from "@paymux/core/wire"
import { Config, Console, Effect, Option, Result, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import type { RequestListener } from "node:http"
import { normalBasePath } from "../BasePath.ts"
import type { PersonLink } from "../DashboardCalls.ts"
import { createPaymux } from "../createPaymux.ts"
import type { Paymux } from "../createPaymux.ts"
import type { HostServer } from "../HostServer.ts"
import { settingsOf } from "../options/PaymuxOptions.ts"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { startSummary } from "../startSummary.ts"
import * as Logs from "../telemetry/Logs.ts"
import { cellFlag } from "./cellFlag.ts"
import { configuration } from "./configuration.ts"
import { packageManagerEnded } from "./packageManager.ts"
import { secretFromEnvironment } from "./secretFromEnvironment.ts"
import { userError } from "./userError.ts"
import { progress } from "./progress.ts"
import { signals } from "./signals.ts"

const flags = {
  host: Flag.String("host").pipe(Flag.withDescription("The host to listen on"), Flag.withDefault("127.0.0.1")),
  port: Flag.Int("port").pipe(
    Flag.withDescription("The port to listen on; 0 selects a free port"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
    Flag.withDefault(4310)
  ),
  database: Flag.String("database").pipe(
    Flag.withDescription("sqlite:<file> or postgres://…; default: the configuration's database, or sqlite:paymux.db"),
    Flag.optional
  ),
  config: Flag.String("config").pipe(
    Flag.withDescription("A module that exports the options of createPaymux by default; default ./paymux.config.ts"),
    Flag.optional
  ),
  rules: Flag.String("rules").pipe(
    Flag.withDescription(
      "A file of routing rules (.yaml, .yml or .json), reloaded when it changes; default: the configuration's rules"
    ),
    Flag.optional
  ),
  rulesInDatabase: Flag.Boolean("rules-in-database").pipe(
    Flag.withDescription("Keep the rules in the database; --rules is then the file of the first version"),
    Flag.withDefault(false)
  ),
  cell: cellFlag,
  publicUrl: Flag.String("public-url").pipe(
    Flag.withDescription("The URL under which this server is reachable from outside"),
    Flag.optional
  ),
  metricsToken: Flag.String("metrics-token").pipe(
    Flag.withDescription(
      "Bearer token for /metrics; default PAYMUX_METRICS_TOKEN. Without a token, only this machine can read it"
    ),
    Flag.optional
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("Use simulated providers, two per payment method, and a fixed test key"),
    Flag.withDefault(false)
  ),
  sandboxLike: Flag.String("sandbox-like").pipe(
    Flag.withDescription(
      "Providers whose requirements the simulated providers enforce, such as stripe,razorpay. Implies --sandbox; default: the configured providers"
    ),
    Flag.optional
  )
}

export const serve = Command.make(
  "serve",
  flags,
  Effect.fnUntraced(function* (input) {
    const signal = yield* signals
    const configured = yield* configuration(Option.getOrNull(input.config))
    const secret = yield* secretFromEnvironment
    const metricsToken = yield* Config.option(Config.String("PAYMUX_METRICS_TOKEN"))
    const cell = yield* Config.option(Config.String("PAYMUX_CELL"))
    const logs = configured.logs ?? (process.stderr.isTTY ? "pretty" : "json")
    const tell = (notice: string) => Effect.provide(Effect.logInfo(notice), Logs.layer(logs === false ? null : logs))
    const basePath = configuredBasePath(configured)
    const { handle, server, url } = yield* listen(input.host, input.port, basePath)
    const publicUrl = Option.getOrElse(input.publicUrl, () => configured.publicUrl ?? url)
    const options: Options = {
      telemetry: "env",
      ...dashboardAt(publicUrl),
      ...configured,
      logs,
      ...(Option.isSome(input.database) ? { database: input.database.value } : {}),
      ...routingOf(input.rules, input.rulesInDatabase),
      ...(secret === undefined ? {} : { secret }),
      ...Option.match(
        Option.orElse(input.cell, () => cell),
        { onNone: () => ({}), onSome: (cell) => ({ cell }) }
      ),
      ...Option.match(
        Option.orElse(input.metricsToken, () => metricsToken),
        {
          onNone: () => ({}),
          onSome: (token) => ({ metricsToken: token })
        }
      ),
      ...(input.sandbox ? { sandbox: configured.sandbox || true } : {}),
      ...(Option.isSome(input.sandboxLike) ? { sandbox: { like: namesIn(input.sandboxLike.value) } } : {}),
      publicUrl
    }
    const paymux = yield* progress("Opening the database", start(options))
    handle(paymux.node)
    yield* summarized(
      options,
      url,
      yield* instancesOf(paymux),
      logs === "pretty" ? Console.error : (block) => tell(inOneLine(block))
    )
    yield* Console.log(`Paymux listening on ${url}${basePath}/v1`)
    if (paymux.testKey !== null) {
      yield* Console.log(`Test API key ${paymux.testKey}`)
      yield* tell("Sandbox: providers are simulated, no money moves, webhooks may go to this machine.")
    }
    if (options.dashboard === undefined) {
      yield* tell(`There is no dashboard: it needs https, and publicUrl is ${publicUrl}.`)
    }
    yield* Effect.promise(() => paymux.dashboard.firstLink()).pipe(Effect.flatMap(showLink))
    yield* Effect.raceFirst(signal, packageManagerEnded)
    yield* tell("Stopping: what is being sent is finished first.")
    yield* Effect.promise(() => paymux.close({ server }))
  }, Effect.scoped)
).pipe(
  Command.withDescription("Serve the API"),
  Command.withExamples([
    { command: "paymux serve --sandbox", description: "Try it with simulated providers" },
    { command: "paymux serve --config paymux.config.ts", description: "Serve with your providers and rules" },
    { command: "paymux serve --rules routing.yaml", description: "Take the routing rules from a file" }
  ])
)

/** A server of its own has no users of a host. What is not an address is reported with the other options. */
const dashboardAt = (publicUrl: string): Pick<Options, "dashboard"> =>
  URL.canParse(publicUrl) && dashboardUrlProblem(publicUrl) === null ? { dashboard: {} } : {}

/** Never in a log: it lets in the first who opens it. */
const showLink = (first: PersonLink | null) =>
  first === null
    ? Effect.void
    : Console.log(`Dashboard: open ${first.link} (this link works once, until ${iso(first.expiresAt)})`)

const routingOf = (rules: Option.Option<string>, inDatabase: boolean): Pick<Options, "routing"> => {
  if (inDatabase) {
    return { routing: { source: "database", ...(Option.isSome(rules) ? { initial: rules.value } : {}) } }
  }
  return Option.isSome(rules) ? { routing: rules.value } : {}
}

const namesIn = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

type Options = NonNullable<Parameters<typeof createPaymux>[0]>

const inOneLine = (block: string): string => block.replaceAll(/ {2,}/g, " ").replaceAll("\n", "; ")

/** On a terminal as a block, otherwise as one log line. */
const summarized = (
  options: Options,
  url: string,
  instances: ReadonlyArray<ProviderInstance>,
  print: (text: string) => Effect.Effect<void>
) =>
  Result.match(settingsOf(options), {
    onFailure: () => Effect.void,
    onSuccess: (settings) => print(startSummary(settings, url, instances))
  })

/** Of both modes. */
const instancesOf = (paymux: Paymux) =>
  Effect.promise(async () => {
    const modes = ["test", "live"] as const
    const all = await Promise.all(modes.map((mode) => paymux.forAccount("default", { mode }).providers.list()))
    return all.flat()
  })

const start = (options: Options) =>
  Effect.acquireRelease(
    Effect.tryPromise({ try: () => createPaymux(options), catch: (error) => userError(asError(error)) }),
    (paymux: Paymux) => Effect.promise(() => paymux.close())
  )

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

interface Served {
  readonly server: HostServer
  readonly url: string
  /** From now on requests go to `listener`; until then they get 503 with Retry-After. */
  readonly handle: (listener: RequestListener) => void
}

/** The port is bound first: an address in use is reported before the database is opened. */
const listen = (host: string, port: number, basePath: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const state: { listener: RequestListener } = { listener: notYet(basePath) }
      const server = hardenedServer((request, response) => state.listener(request, response), { basePath })
      return Effect.tryPromise({
        try: () => Listening.listen(server, { host, port }),
        catch: (error) => userError(listenError(asError(error), host, port))
      }).pipe(
        Effect.map(({ close, port: bound }): Served => ({
          server: {
            close,
            prependListener: (event, listener) => server.prependListener(event, listener),
            closeIdleConnections: () => server.closeIdleConnections(),
            closeAllConnections: () => server.closeAllConnections()
          },
          url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
          handle: (listener) => {
            state.listener = listener
          }
        }))
      )
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close(() => undefined)
        server.closeAllConnections?.()
      })
  )

const notYet =
  (basePath: string): RequestListener =>
  (_request, response) => {
    const requestId = newRequestId()
    const { body, headers, status } = toAnswer(
      problem("service_unavailable", { basePath, requestId, detail: "The server is starting: ask again." })
    )
    response.writeHead(status, { ...headers, "request-id": requestId }).end(body)
  }

/** It is checked with all other options, when Paymux starts: until then what is no text is none. */
const configuredBasePath = ({ basePath }: PaymuxOptions): string =>
  typeof basePath === "string" ? normalBasePath(basePath) : ""

const listenError = (error: NodeJS.ErrnoException, host: string, port: number): Error =>
  error.code === "EADDRINUSE"
    ? new Error(`Port ${port} on ${host} is in use. Choose another with --port.`)
    : new Error(`Cannot listen on ${host}:${port}: ${error.message}`)
