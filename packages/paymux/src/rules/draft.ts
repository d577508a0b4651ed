/** A draft of rules: read and checked against providers, every problem with its line and column. */
import type { RulesDiagnostic, RulesInvalid } from "@paymux/dashboard"
import { compileWithWarnings } from "@paymux/routing"
import type { CompiledRouting } from "@paymux/routing"
import type { RoutableProvider } from "@paymux/core/routing"
import { Effect, Result } from "effect"
import { diagnostics, invalid, tooLong } from "./draftFaults.ts"
import { readRules } from "./RulesDocument.ts"
import type { PlacedFault, RulesDocument } from "./RulesDocument.ts"

/** More rules belong in a file: each process holds its requests for a few ms while it puts new ones in force. */
const MOST_RULES = 2_000

export interface CheckedText {
  /** A JSON value. */
  readonly config: unknown
  readonly routing: CompiledRouting
  /** What is valid and does nothing, or something else than it seems to. */
  readonly warnings: ReadonlyArray<RulesDiagnostic>
  /** Payments that get no provider now because of `exclude` or `outages`. */
  readonly noRoute: ReadonlyArray<RulesDiagnostic>
}

/** As plain data, which a thread can send to another. */
export interface CheckedJson {
  /** A JSON value in JSON: that is copied faster than its objects. */
  readonly config: string
  readonly ruleset: string
  readonly rules: number
  readonly warnings: ReadonlyArray<RulesDiagnostic>
  readonly noRoute: ReadonlyArray<RulesDiagnostic>
}

export const checkToJson = (
  text: string,
  providers: ReadonlyArray<RoutableProvider>
): Effect.Effect<CheckedJson, RulesInvalid> =>
  Effect.map(checkText(text, providers), ({ config, noRoute, routing: { rules, ruleset }, warnings }) => ({
    config: JSON.stringify(config),
    ruleset,
    rules: rules.length,
    warnings,
    noRoute
  }))

export const checkText = Effect.fnUntraced(function* (
  text: string,
  providers: ReadonlyArray<RoutableProvider>
): Effect.fn.Return<CheckedText, RulesInvalid> {
  const long = tooLong(text)
  if (long !== null) return yield* long
  // A database would store another text.
  if (!text.isWellFormed()) return yield* invalid([{ position: null, message: "is not valid Unicode" }])
  const read = readRules(text, "rules.yaml")
  if (Result.isFailure(read)) return yield* invalid(read.failure)
  const { config } = read.success
  const count = rulesIn(config)
  if (count > MOST_RULES) {
    const message = `has ${count} rules; rules in the database may have at most ${MOST_RULES}. Keep more rules in a file`
    return yield* invalid([{ position: null, message }])
  }
  const { noRoute, routing, warnings } = yield* Effect.mapError(
    compileWithWarnings(config, providers),
    ({ problems }) => invalid(placed(read.success, problems))
  )
  const shown = (found: typeof warnings) => diagnostics(placed(read.success, found))
  return { config, routing, warnings: shown(warnings), noRoute: shown(noRoute) }
})

const rulesIn = (config: unknown): number =>
  typeof config === "object" && config !== null && "rules" in config && Array.isArray(config.rules)
    ? config.rules.length
    : 0

const placed = (
  { locate }: RulesDocument,
  problems: ReadonlyArray<Parameters<RulesDocument["locate"]>[0] & { readonly message: string }>
): ReadonlyArray<PlacedFault> => problems.map((problem) => ({ position: locate(problem), message: problem.message }))
