/** A draft of rules: read and checked against providers, every problem with its line and column. */
import { RulesInvalid } from "@paymux/dashboard"
import type { RulesDiagnostic } from "@paymux/dashboard"
import { compileWithWarnings } from "@paymux/routing"
import type { CompiledRouting } from "@paymux/routing"
import type { RoutableProvider } from "@paymux/core/routing"
import { Effect, Result } from "effect"
import { readRules } from "./RulesDocument.ts"
import type { PlacedFault, RulesDocument } from "./RulesDocument.ts"

/** Larger rules belong in a file: each process holds its requests for a few ms while it puts new ones in force. */
export const MOST_BYTES = 512 * 1024
export const MOST_RULES = 2_000

export interface CheckedText {
  /** A JSON value. */
  readonly config: unknown
  readonly routing: CompiledRouting
  /** What is valid and does nothing, or something else than it seems to. */
  readonly warnings: ReadonlyArray<RulesDiagnostic>
}

/** `null`: it is not too long. Looked at before anything else reads the text. */
export const tooLong = (text: string): RulesInvalid | null => {
  // A text of so many units has as many bytes at least.
  const bytes = text.length > MOST_BYTES ? text.length : Buffer.byteLength(text)
  if (bytes <= MOST_BYTES) return null
  const most = MOST_BYTES / 1024
  return invalid([
    {
      position: null,
      message: `has ${Math.ceil(bytes / 1024)} KB; rules in the database may have at most ${most} KB. Keep larger rules in a file`
    }
  ])
}

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
  const { routing, warnings } = yield* Effect.mapError(compileWithWarnings(config, providers), ({ problems }) =>
    invalid(placed(read.success, problems))
  )
  return { config, routing, warnings: diagnostics(placed(read.success, warnings)) }
})

const rulesIn = (config: unknown): number =>
  typeof config === "object" && config !== null && "rules" in config && Array.isArray(config.rules)
    ? config.rules.length
    : 0

const placed = (
  { locate }: RulesDocument,
  problems: ReadonlyArray<Parameters<RulesDocument["locate"]>[0] & { readonly message: string }>
): ReadonlyArray<PlacedFault> => problems.map((problem) => ({ position: locate(problem), message: problem.message }))

/** A text may have a million problems: only the first are shown. */
const MOST_PROBLEMS = 1_000

const invalid = (faults: ReadonlyArray<PlacedFault>): RulesInvalid =>
  new RulesInvalid({ problems: diagnostics(faults) })

const diagnostics = (faults: ReadonlyArray<PlacedFault>): ReadonlyArray<RulesDiagnostic> =>
  faults.map(diagnostic).sort(byPlace).slice(0, MOST_PROBLEMS)

const diagnostic = ({ message, position }: PlacedFault): RulesDiagnostic => ({
  line: position?.line ?? null,
  column: position?.column ?? null,
  message
})

const byPlace = (a: RulesDiagnostic, b: RulesDiagnostic): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
