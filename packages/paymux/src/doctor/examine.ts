/** Checks a configuration, and what it names. It writes nothing, and moves no money. */
import type { Tenant } from "@paymux/core"
import type { RunningProvider } from "@paymux/core/engine"
import { RulesInvalid } from "@paymux/dashboard"
import type { Finding, RoutingRules, RulesDiagnostic } from "@paymux/dashboard"
import { compileWithWarnings } from "@paymux/routing"
import { sandboxRoutes } from "@paymux/sandbox"
import { Effect, Exit, Option, Result, Schema } from "effect"
import { existsSync } from "node:fs"
import { clientLayer } from "../Database.ts"
import { shownDatabase } from "../options/DatabaseUrl.ts"
import { routable } from "../options/instances.ts"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { diagnosticLine } from "../rules/logWarnings.ts"
import { faultLines } from "../rules/RulesFile.ts"
import { configOf, refusalOf, sourceOf, warningsOf } from "../rules/RulesInForce.ts"
import * as RulesVersions from "../rules/RulesVersions.ts"
import { startWarnings } from "../startSummary.ts"
import { databaseFindings } from "./databaseFindings.ts"
import { fault, ok, warning } from "./Finding.ts"
import { probe, probeConfigured } from "./probe.ts"

/** Of a server that is not running: the database is opened, and the provider instances are made, for it. */
export const examineConfiguration = (settings: PaymuxSettings) =>
  examine(
    settings,
    fromOutside(settings),
    rulesOutside(settings),
    settings.providers.map((provider) => probeConfigured(provider, settings.cellUrl))
  )

/** Of the server that runs here, for a tenant. A second connection to a file of SQLite would block the first. */
export const examineServer = (
  settings: PaymuxSettings,
  tenant: Tenant,
  stored: CheckableRules,
  running: ReadonlyArray<RunningProvider>
) =>
  examine(
    { ...settings, ...tenant },
    readable(settings, databaseFindings({ ...settings, ...tenant })),
    rulesInForce(stored),
    running.map(({ operations, provider }) => probe(provider, operations, settings.cellUrl))
  )

const examine = Effect.fnUntraced(function* <R>(
  settings: PaymuxSettings,
  database: Effect.Effect<ReadonlyArray<Finding>, never, R>,
  storedRules: Effect.Effect<Finding>,
  probes: ReadonlyArray<Effect.Effect<ReadonlyArray<Finding>>>
): Effect.fn.Return<ReadonlyArray<Finding>, never, R> {
  const probed = yield* Effect.all(probes, { concurrency: 8 })
  return [
    ok("options", `${settings.livemode ? "live" : "test"} mode, account ${settings.account}`),
    ...startWarnings(settings).map((text) => warning("options", text)),
    ...(yield* database),
    yield* rules(settings, storedRules),
    ...probed.flat(),
    ...(yield* publicUrl(settings))
  ]
})

const fromOutside = (settings: PaymuxSettings): Effect.Effect<ReadonlyArray<Finding>> => {
  const { database } = settings
  if (database._tag === "Sqlite" && database.filename === ":memory:") {
    return Effect.succeed([ok("database", "in memory")])
  }
  if (database._tag === "Sqlite" && !existsSync(database.filename)) {
    return Effect.succeed([ok("database", `${shownDatabase(database)} does not exist yet: the first start creates it`)])
  }
  return readable(settings, Effect.scoped(Effect.provide(databaseFindings(settings), clientLayer(database))))
}

const readable = <E, R>(
  { database }: PaymuxSettings,
  findings: Effect.Effect<ReadonlyArray<Finding>, E, R>
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  Effect.map(Effect.exit(findings), (exit) =>
    Exit.isSuccess(exit)
      ? exit.value
      : [
          fault(
            "database",
            `${shownDatabase(database)} cannot be read: check its address, and that it accepts connections from here`
          )
        ]
  )

/** Of rules in the database, `stored` says it. */
const rules = (
  { providers, retired, routing, sandbox }: PaymuxSettings,
  stored: Effect.Effect<Finding>
): Effect.Effect<Finding> => {
  if (routing === undefined) {
    return Effect.succeed(ok("rules", "none: providers in the order of the configuration"))
  }
  const candidates = candidatesOf({ providers, retired, sandbox })
  return Effect.gen(function* () {
    const source = yield* sourceOf(routing)
    if (source._tag === "Database") return yield* stored
    const { noRoute, routing: compiled } = yield* Effect.mapError(
      compileWithWarnings(configOf(source), candidates),
      (invalid) => refusalOf(source, invalid)
    )
    const place = source._tag === "File" ? source.rules.file : "The configuration's routing"
    const lines = faultLines(place, warningsOf(source, noRoute))
    return lines.length === 0 ? ok("rules", `${place}: ${compiled.rules.length} rules`) : rejecting(lines)
  }).pipe(Effect.catch(({ message }) => Effect.succeed(fault("rules", `${message}. Check them: paymux rules check`))))
}

/** Of the process that runs here: it may decide by an older version than the newest. */
const rulesInForce = ({ check, current }: CheckableRules): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { inForce, problems, ruleset, text, version } = yield* current
    if (problems.length > 0) return fault("rules", `${unfitText(version, problems)} It decides by an older version.`)
    if (inForce !== ruleset) {
      return warning(
        "rules",
        `version ${version} is the newest, and this server still decides by an older one: if that lasts longer than a few seconds, its log says why`
      )
    }
    const mayReject = /exclude|outages/.test(text)
    const checked = mayReject ? yield* Effect.result(check(text)) : Result.succeed(null)
    if (Result.isFailure(checked)) {
      const reason = checked.failure.message
      return warning(
        "rules",
        `in the database: version ${version}. Whether \`exclude\` or \`outages\` leave payments without a provider could not be checked: ${reason}`
      )
    }
    const noRoute = checked.success?.valid === false ? checked.success.problems : []
    return noRoute.length === 0
      ? ok("rules", `in the database: version ${version}`)
      : rejectingVersion(version, noRoute)
  }).pipe(
    Effect.catch(() =>
      Effect.succeed(warning("rules", "in the database, which cannot be read: those that were in force stay"))
    )
  )

type CheckableRules = Pick<RoutingRules["Service"], "check" | "current">

const rejectingVersion = (version: number, problems: ReadonlyArray<RulesDiagnostic>): Finding =>
  rejecting(problems.map((problem) => diagnosticLine(RulesVersions.versionName(version), problem)))

/** It may be meant, and is no less true. */
const rejecting = (lines: ReadonlyArray<string>): Finding =>
  fault(
    "rules",
    `\`exclude\` or \`outages\` leave payments without a provider: they are rejected with no_route.\n${lines.join("\n")}`
  )

/** What a server of this configuration would start with. */
const rulesOutside = (settings: PaymuxSettings): Effect.Effect<Finding> => {
  const { database } = settings
  const notStored = ok("rules", "in the database, which has none yet: the first start stores them")
  if (database._tag === "Sqlite" && (database.filename === ":memory:" || !existsSync(database.filename))) {
    return Effect.succeed(notStored)
  }
  const newest = Effect.gen(function* () {
    const newestVersion = yield* RulesVersions.newestVersion
    if (newestVersion === null) return notStored
    const { newestThatFits } = yield* Effect.promise(() => import("../rules/startFromDatabase.ts"))
    const found = yield* Effect.result(newestThatFits(newestVersion, candidatesOf(settings)))
    if (Result.isFailure(found)) {
      return found.failure._tag === "RulesFileInvalid"
        ? fault("rules", `A server would not start. ${found.failure.message}`)
        : yield* found.failure
    }
    const { noRoute, unfit, version } = found.success
    if (unfit === null && noRoute.length > 0) return rejectingVersion(version, noRoute)
    if (unfit === null) return ok("rules", `in the database: version ${version}`)
    const rejected = noRoute.length === 0 ? "" : `\n${rejectingVersion(version, noRoute).text}`
    return fault(
      "rules",
      `${unfitText(unfit.version, unfit.problems)} A server would start with version ${version}.${rejected}`
    )
  })
  return Effect.scoped(Effect.provide(newest, clientLayer(database))).pipe(
    Effect.catch(() => Effect.succeed(warning("rules", "in the database, where they cannot be read")))
  )
}

const unfitText = (version: number, problems: ReadonlyArray<RulesDiagnostic>): string =>
  `version ${version}, the newest, cannot be used by this server. Configure the providers that it names, or publish rules that it can use. ${new RulesInvalid({ problems }).message}`

const candidatesOf = ({ sandbox, ...instances }: Pick<PaymuxSettings, "providers" | "retired" | "sandbox">) => [
  ...routable(instances),
  ...(sandbox === null ? [] : sandboxRoutes(sandbox))
]

const publicUrl = Effect.fnUntraced(function* ({
  livemode,
  publicUrl
}: PaymuxSettings): Effect.fn.Return<ReadonlyArray<Finding>> {
  const isPublic = publicUrl.startsWith("https://")
  const answered = yield* Effect.exit(get(`${publicUrl}/healthz`))
  const isServed = Exit.isSuccess(answered) && answered.value.status === 200
  return [
    isPublic || !livemode
      ? ok("public URL", publicUrl)
      : fault("public URL", `${publicUrl} is not https: providers and shoppers cannot reach it. Set publicUrl`),
    isServed
      ? yield* readiness(publicUrl)
      : warning("public URL", "no Paymux server answers there: start it, or check DNS, TLS and the proxy")
  ]
})

const get = (url: string) =>
  Effect.timeout(
    Effect.tryPromise(async (signal) => {
      const response = await fetch(url, { redirect: "manual", signal })
      return { status: response.status, text: await response.text() }
    }),
    "5 seconds"
  )

/** Of the server that answers: whether its database takes commits, and if not, what its problem says. */
const readiness = (publicUrl: string): Effect.Effect<Finding> =>
  Effect.match(get(`${publicUrl}/readyz`), {
    onFailure: () => warning("public URL", "a server answers there, but GET /readyz has no response"),
    onSuccess: ({ status, text }) =>
      status === 200
        ? ok("public URL", "a server answers there")
        : fault("public URL", `the server there is not ready. ${detailOf(text)}`)
  })

const detailOf = (problem: string): string =>
  Option.match(Schema.decodeOption(ProblemText)(problem), {
    onNone: () => "See its log.",
    onSome: ({ detail }) => detail
  })

const ProblemText = Schema.fromJsonString(Schema.Struct({ detail: Schema.String }))
