/** Where the rules of a server come from, how they are put in force, and that it is remembered. */
import type { Tenant } from "@paymux/core"
import { defaultRouting, Routing } from "@paymux/routing"
import type { RoutingConfigInput, RoutingInvalid } from "@paymux/routing"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { RoutableProvider } from "@paymux/core/routing"
import type { FittingVersion, StoredRules } from "./startFromDatabase.ts"
import { isDatabaseRouting } from "../options/databaseRouting.ts"
import type { DatabaseRouting } from "../options/databaseRouting.ts"
import type { PlacedFault } from "./RulesDocument.ts"
import { logInForce, reload } from "./reloading.ts"
import { faultLines, refused } from "./RulesFile.ts"
import type { LoadedRules, RulesFileInvalid, RulesPlace } from "./RulesFile.ts"
import { diagnosticLine, logWarnings, newWarnings } from "./logWarnings.ts"
import { keep } from "./RulesHistory.ts"
import * as RulesVersions from "./RulesVersions.ts"
import { follow } from "./RulesWatch.ts"
import * as RulesThread from "./worker/RulesThread.ts"

type WrittenSource =
  | { readonly _tag: "File"; readonly rules: LoadedRules }
  | { readonly _tag: "Options"; readonly config: unknown }
  | { readonly _tag: "Default" }

export type RulesSource = WrittenSource | { readonly _tag: "Database"; readonly initial: string | null }

/** Rules that were read, and not checked yet. */
export type ReadRules = WrittenSource | { readonly _tag: "Database"; readonly rules: StoredRules }

/** What a server starts with. Those in the database have been checked. */
export type StartedRules = WrittenSource | ({ readonly _tag: "Database" } & FittingVersion)

/** A text is the name of a file: `routing.yaml`. */
export const sourceOf = (
  routing: RoutingConfigInput | DatabaseRouting | string | undefined
): Effect.Effect<RulesSource, RulesFileInvalid> => {
  if (typeof routing === "string") {
    return Effect.promise(() => import("./loadRules.ts")).pipe(
      Effect.flatMap(({ load }) => load(routing)),
      Effect.map((rules) => ({ _tag: "File", rules }))
    )
  }
  if (routing === undefined) return Effect.succeed({ _tag: "Default" })
  return Effect.succeed(
    isDatabaseRouting(routing)
      ? { _tag: "Database", initial: routing.initial ?? null }
      : { _tag: "Options", config: routing }
  )
}

/** `tenant`: whose audit log has the entry of a first version. */
export const start = (tenant: Tenant, source: RulesSource, providers: ReadonlyArray<RoutableProvider>) =>
  source._tag === "Database"
    ? Effect.flatMap(
        Effect.promise(() => import("./startFromDatabase.ts")),
        ({ startFromDatabase }) => startFromDatabase(tenant, source.initial, providers)
      )
    : Effect.succeed<StartedRules>(source)

/** The router of a server, and the service that replaces its rules. */
export const routerLayer = (started: StartedRules, providers: ReadonlyArray<RoutableProvider>) =>
  started._tag === "Database"
    ? Routing.layerCompiled(started.config, started.routing, providers)
    : Layer.catchTag(
        Routing.layer(configOf(started) ?? defaultRouting(providers), providers),
        "RoutingInvalid",
        (invalid) => Layer.effectContext(Effect.fail(refusalOf(started, invalid)))
      )

/** The rules to start with; `undefined`: providers in the order they are given. */
export const configOf = (source: ReadRules): unknown => {
  switch (source._tag) {
    case "File":
    case "Database":
      return source.rules.config
    case "Options":
      return source.config
    case "Default":
      return undefined
  }
}

/** What the engine refused, with its places where the rules came from a text. */
export const refusalOf = (source: ReadRules, invalid: RoutingInvalid): RoutingInvalid | RulesFileInvalid =>
  source._tag === "File" || source._tag === "Database" ? refused(source.rules, invalid) : invalid

/** With their places where the rules came from a text. */
export const warningsOf = (source: ReadRules, warnings: RoutingInvalid["problems"]): ReadonlyArray<PlacedFault> => {
  const locate = source._tag === "File" || source._tag === "Database" ? source.rules.locate : () => null
  return warnings.map((warning) => ({ position: locate(warning), message: warning.message }))
}

/** Keeps what the engine started with, and from then on follows the file. Rules in the database: see `RulesFollower`. */
export const layer = (
  source: StartedRules,
  providers: ReadonlyArray<RoutableProvider>
): Layer.Layer<never, never, Routing | SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { config, ruleset } = yield* Effect.flatMap(Routing, (routing) => routing.current)
      const text = source._tag === "File" ? source.rules.text : null
      yield* keep({ ruleset, json: JSON.stringify(config), source: nameOf(source), text })
      if (source._tag === "Database") {
        const file = RulesVersions.versionName(source.version)
        yield* logWarnings([...source.noRoute, ...source.warnings].map((warning) => diagnosticLine(file, warning)))
        return yield* logInForce(ruleset, file)
      }
      const { startWarnings } = yield* Routing
      const warnings = faultLines(nameOf(source), warningsOf(source, startWarnings))
      yield* logWarnings(warnings)
      if (source._tag !== "File") return
      const { digest, file, path } = source.rules
      yield* logInForce(ruleset, file)
      const thread = yield* RulesThread.make(providers, null)
      // The place and the digest alone: what was read is not kept for as long as the server runs.
      yield* Effect.forkScoped(watching({ file, path }, digest, providers, thread, newWarnings(warnings)))
    })
  )

const nameOf = (source: StartedRules): string => {
  switch (source._tag) {
    case "File":
      return source.rules.file
    case "Database":
      return "database"
    case "Options":
      return "options"
    case "Default":
      return "default"
  }
}

const watching = Effect.fnUntraced(function* (
  place: RulesPlace,
  digest: string,
  providers: ReadonlyArray<RoutableProvider>,
  thread: RulesThread.RulesThread,
  warn: (lines: ReadonlyArray<string>) => Effect.Effect<void>
) {
  const { file } = place
  const routing = yield* Routing
  const context = yield* Effect.context<Routing | SqlClient.SqlClient>()
  yield* follow({
    ...place,
    digest,
    use: ({ bytes }) =>
      Effect.flatMap(Effect.provideContext(reload({ file, bytes }, providers, thread.checkFile), context), warn),
    report: Effect.fnUntraced(function* (problem) {
      const { ruleset } = yield* routing.current
      yield* Effect.logError(`Routing rules ${ruleset} stay in force:\n${problem}`)
    })
  })
})
