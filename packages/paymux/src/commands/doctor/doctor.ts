/** `paymux doctor`: checks a configuration before it takes payments. It writes nothing, and moves no money. */
import { Clock, Config, Console, Effect, Exit, Option, Redacted, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { pendingMigrations } from "@paymux/sql"
import { clientLayer, migrations } from "../../Database.ts"
import { shownDatabase } from "../../options/DatabaseUrl.ts"
import { settingsOf } from "../../options/PaymuxOptions.ts"
import type { PaymuxOptions, PaymuxSettings } from "../../options/PaymuxOptions.ts"
import { startWarnings } from "../../startSummary.ts"
import { configuration } from "../configuration.ts"
import { checkedRules, sourceText } from "../rules/rulesFlags.ts"
import { userError } from "../userError.ts"
import { fault, findingText, ok, warning } from "./Finding.ts"
import type { Finding } from "./Finding.ts"
import { probe } from "./probe.ts"

export const doctor = Command.make(
  "doctor",
  {
    config: Flag.String("config").pipe(
      Flag.withDescription("The module that exports your options; default ./paymux.config.ts"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ config }) {
    const given = yield* configuration(Option.getOrNull(config))
    const secret = yield* Config.option(Config.Redacted("PAYMUX_SECRET"))
    const options: PaymuxOptions = {
      ...given,
      ...(Option.isSome(secret) && { secret: Redacted.value(secret.value) })
    }
    const findings = yield* examined(options, config)
    yield* Effect.forEach(findings, (finding) => Console.log(findingText(finding)), { discard: true })
    const faults = findings.filter(({ grade }) => grade === "fault").length
    if (faults > 0) return yield* userError(new Error(`${faults} ${faults === 1 ? "problem" : "problems"} found.`))
    yield* Console.log("No problems found.")
  })
).pipe(
  Command.withDescription("Check the configuration: credentials, database, clock, public URL, rules, webhooks"),
  Command.withExamples([
    { command: "paymux doctor", description: "Check before the first payment, or in a deployment" }
  ])
)

const examined = Effect.fnUntraced(function* (options: PaymuxOptions, config: Option.Option<string>) {
  const settings = settingsOf(options)
  // Everything below needs valid options.
  if (Result.isFailure(settings)) return settings.failure.problems.map((problem) => fault("options", problem))
  const found = settings.success
  return [
    ok("options", `${found.livemode ? "live" : "test"} mode, account ${found.account}`),
    ...startWarnings(found).map((text) => warning("options", text)),
    ...(yield* database(found)),
    yield* rules(options, config),
    ...(yield* Effect.forEach(found.providers, (provider) => probe(provider, found.publicUrl), { concurrency: 8 })),
    ...(yield* publicUrl(found)),
    ...found.providers.map(({ id }) =>
      ok("webhooks", `${id} sends its webhooks, if it has any, to ${found.publicUrl}/webhooks/${id}`)
    )
  ]
})

const database = Effect.fnUntraced(function* (settings: PaymuxSettings): Effect.fn.Return<ReadonlyArray<Finding>> {
  const { database } = settings
  const name = shownDatabase(database)
  if (database._tag === "Sqlite" && database.filename === ":memory:") return [ok("database", "in memory")]
  if (database._tag === "Sqlite" && !existsSync(database.filename)) {
    return [ok("database", `${name} does not exist yet: the first start creates it`)]
  }
  const exit = yield* Effect.exit(Effect.scoped(Effect.provide(opened(settings), clientLayer(database))))
  return Exit.isSuccess(exit)
    ? exit.value
    : [fault("database", `${name} cannot be read: check its address, and that it accepts connections from here`)]
})

const opened = Effect.fnUntraced(function* (settings: PaymuxSettings) {
  const { database } = settings
  const name = shownDatabase(database)
  const missing = yield* pendingMigrations(migrations)
  const skew = yield* skewOf(settings)
  return [
    missing.length === 0 || database._tag === "Sqlite"
      ? ok("database", `${name}, reached`)
      : fault("database", `${name} lacks ${missing.length} migrations: run paymux migrate`),
    Math.abs(skew) <= maxSkew
      ? ok("clock", "agrees with the database")
      : fault("clock", `differs by ${Math.round(skew / 1000)} s from the database's: synchronize it (NTP)`),
    ...(missing.length === 0 ? yield* disabledEndpoints(settings) : [])
  ]
})

/** ms; webhooks are refused when their time differs by more than some minutes. */
const maxSkew = 5_000

/** ms by which this machine is ahead; SQLite has no clock of its own. */
const skewOf = Effect.fnUntraced(function* ({ database }: PaymuxSettings) {
  if (database._tag === "Sqlite") return 0
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ now: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  const now = yield* Clock.currentTimeMillis
  return row === undefined ? 0 : now - row.now
})

/** Read from the table: the service would need the secret of the server. */
const disabledEndpoints = Effect.fnUntraced(function* ({ account, livemode }: PaymuxSettings) {
  const sql = yield* SqlClient.SqlClient
  const mode = sql.onDialectOrElse({ pg: () => livemode, orElse: () => (livemode ? 1 : 0) })
  const rows = yield* sql<{ disabled_at: unknown }>`SELECT disabled_at FROM webhook_endpoints
    WHERE account = ${account} AND livemode = ${mode}`
  const disabled = rows.filter(({ disabled_at }) => disabled_at !== null).length
  return [
    disabled === 0
      ? ok("endpoints", `${rows.length} webhook endpoints, none disabled`)
      : warning("endpoints", `${disabled} of ${rows.length} webhook endpoints are disabled: see paymux webhooks list`)
  ]
})

const rules = (options: PaymuxOptions, config: Option.Option<string>): Effect.Effect<Finding> =>
  options.routing === undefined
    ? Effect.succeed(ok("rules", "none: providers in the order of the configuration"))
    : Effect.match(checkedRules({ config, rules: Option.none(), sandbox: options.sandbox === true }), {
        onFailure: ({ userMessage }) => fault("rules", `${userMessage ?? "invalid"}. Check them: paymux rules check`),
        onSuccess: ({ routing, source }) => ok("rules", `${sourceText(source)}: ${routing.rules.length} rules`)
      })

const publicUrl = Effect.fnUntraced(function* ({
  livemode,
  publicUrl
}: PaymuxSettings): Effect.fn.Return<ReadonlyArray<Finding>> {
  const isPublic = publicUrl.startsWith("https://")
  const answered = yield* Effect.exit(
    Effect.timeout(
      Effect.tryPromise(() => fetch(`${publicUrl}/healthz`, { redirect: "manual" })),
      "5 seconds"
    )
  )
  return [
    isPublic || !livemode
      ? ok("public URL", publicUrl)
      : fault("public URL", `${publicUrl} is not https: providers and shoppers cannot reach it. Set publicUrl`),
    Exit.isSuccess(answered) && answered.value.status === 200
      ? ok("public URL", "a server answers there")
      : warning("public URL", "no Paymux server answers there: start it, or check DNS, TLS and the proxy")
  ]
})
