/** What the commands about rules share: the providers that rules are for, and the rules themselves. */
import { compileWithWarnings } from "@paymux/routing"
import type { RoutableProvider } from "@paymux/core/routing"
import type { CompiledRouting } from "@paymux/routing"
import { AuditLog } from "@paymux/dashboard"
import { Effect, Layer, Option } from "effect"
import { Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { rulesOrigin } from "../../options/databaseRouting.ts"
import { sharedUrl } from "../../options/DatabaseUrl.ts"
import type { PaymuxOptions } from "../../options/PaymuxOptions.ts"
import { providersOf } from "../../rules/providersOf.ts"
import { configOf, refusalOf, sourceOf, warningsOf } from "../../rules/RulesInForce.ts"
import type { PlacedFault } from "../../rules/RulesDocument.ts"
import type { ReadRules } from "../../rules/RulesInForce.ts"
import * as RulesService from "../../rules/RulesService.ts"
import * as RulesVersions from "../../rules/RulesVersions.ts"
import { storedRules } from "../../rules/startFromDatabase.ts"
import { databaseOf, onExistingDatabase, orConfigured } from "../database.ts"
import { configuration } from "../configuration.ts"
import { userError } from "../userError.ts"

export const configFlag = Flag.String("config").pipe(
  Flag.withDescription("The module that exports your providers; default ./paymux.config.ts"),
  Flag.optional
)

export const sandboxFlag = Flag.Boolean("sandbox").pipe(
  Flag.withDescription("Check against the simulated providers: sandbox_card_a, sandbox_card_b, sandbox_upi_a …"),
  Flag.withDefault(false)
)

interface Asked {
  readonly config: Option.Option<string>
  readonly sandbox: boolean
  /** The rules file; none: what the configuration says. */
  readonly rules: Option.Option<string>
}

export interface CheckedRules {
  readonly options: PaymuxOptions
  readonly providers: ReadonlyArray<RoutableProvider>
  readonly source: ReadRules
  readonly routing: CompiledRouting
  readonly warnings: ReadonlyArray<PlacedFault>
  /** Payments that get no provider now because of `exclude` or `outages`. */
  readonly noRoute: ReadonlyArray<PlacedFault>
}

/** The rules, checked against the providers of the configuration. */
export const checkedRules = Effect.fnUntraced(function* ({
  config,
  rules,
  sandbox
}: Asked): Effect.fn.Return<CheckedRules, CliError.UserError> {
  const options = yield* configuration(Option.getOrNull(config))
  const providers = yield* Effect.mapError(providersOf(options, sandbox), userError)
  const named = yield* Effect.mapError(sourceOf(Option.getOrElse(rules, () => options.routing)), userError)
  const source = named._tag === "Database" ? yield* newestIn(options) : named
  const given = configOf(source)
  if (given === undefined) return yield* userError(new Error("No rules found: name a file."))
  const { noRoute, routing, warnings } = yield* Effect.mapError(compileWithWarnings(given, providers), (invalid) =>
    userError(refusalOf(source, invalid))
  )
  return {
    options,
    providers,
    source,
    routing,
    warnings: warningsOf(source, warnings),
    noRoute: warningsOf(source, noRoute)
  }
})

const newestIn = (options: PaymuxOptions) =>
  onExistingDatabase(
    orConfigured(Option.none(), options),
    Layer.empty,
    Effect.gen(function* () {
      const version = yield* RulesVersions.newestVersion
      if (version === null) return yield* Effect.fail(new Error("There are no rules in the database yet: name a file."))
      return { _tag: "Database", rules: yield* storedRules(version) } as const
    })
  )

export const sourceText = (source: ReadRules): string =>
  source._tag === "File" || source._tag === "Database" ? source.rules.file : "The configuration's routing"

/**
 * The service on a database beside the server. A configuration that does not say where the rules are leaves it to the
 * database: they are there if it has a version.
 */
export const rulesLayer = (
  options: PaymuxOptions,
  flag: Option.Option<string>,
  providers: ReadonlyArray<RoutableProvider>
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { routing } = options
      const chosen = yield* databaseOf(orConfigured(flag, options))
      const stored = routing === undefined && (yield* RulesVersions.newestVersion) !== null
      const origin = stored ? ({ kind: "database" } as const) : rulesOrigin(routing)
      return RulesService.layer({ origin, started: null, providers, databaseUrl: sharedUrl(chosen) })
    })
  ).pipe(Layer.provide(AuditLog.layer))
