/** What the commands about rules share: the providers that rules are for, and the rules themselves. */
import { compile } from "@paymux/routing"
import type { RoutableProvider } from "@paymux/core/routing"
import type { CompiledRouting } from "@paymux/routing"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import type { PaymuxOptions } from "../../options/PaymuxOptions.ts"
import { providersOf } from "../../rules/providersOf.ts"
import { configOf, refusalOf, sourceOf } from "../../rules/RulesInForce.ts"
import type { RulesSource } from "../../rules/RulesInForce.ts"
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
  readonly source: RulesSource
  readonly routing: CompiledRouting
}

/** The rules, checked against the providers of the configuration. */
export const checkedRules = Effect.fnUntraced(function* ({
  config,
  rules,
  sandbox
}: Asked): Effect.fn.Return<CheckedRules, CliError.UserError> {
  const options = yield* configuration(Option.getOrNull(config))
  const providers = yield* Effect.mapError(providersOf(options, sandbox), userError)
  const source = yield* Effect.mapError(sourceOf(Option.getOrElse(rules, () => options.routing)), userError)
  const given = configOf(source)
  if (given === undefined) return yield* userError(new Error("No rules found: name a file."))
  const routing = yield* Effect.mapError(compile(given, providers), (invalid) => userError(refusalOf(source, invalid)))
  return { options, providers, source, routing }
})

export const sourceText = (source: RulesSource): string =>
  source._tag === "File" ? source.rules.file : "The configuration's routing"
