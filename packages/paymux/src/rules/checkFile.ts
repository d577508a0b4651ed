/**
 * The content of a rules file, parsed and checked against providers. What comes of it is plain data, which a thread can send
 * to another.
 */
import type { RoutableProvider } from "@paymux/core/routing"
import { compileWithWarnings } from "@paymux/routing"
import { Effect, Result } from "effect"
import { parse } from "./loadRules.ts"
import { faultLines, refused } from "./RulesFile.ts"
import { toRulesJson } from "./RulesJson.ts"
import type { RulesJson } from "./RulesJson.ts"

export interface UncheckedFile {
  /** As it was named. */
  readonly file: string
  readonly bytes: Uint8Array
}

export type CheckedFile =
  /** `message`: a line for each problem, with its place. */
  { readonly _tag: "Refused"; readonly message: string } | ValidFile

export interface ValidFile {
  readonly _tag: "Valid"
  readonly text: string
  readonly json: RulesJson
  /** `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
  /** A line for each, with its place. */
  readonly warnings: ReadonlyArray<string>
}

export const checkFile = Effect.fnUntraced(function* (
  { bytes, file }: UncheckedFile,
  providers: ReadonlyArray<RoutableProvider>
): Effect.fn.Return<CheckedFile> {
  const parsed = parse({ file }, bytes)
  if (Result.isFailure(parsed)) return { _tag: "Refused", message: parsed.failure.message }
  const { config, locate, text } = parsed.success
  const checked = yield* Effect.result(compileWithWarnings(config, providers))
  if (Result.isFailure(checked)) return { _tag: "Refused", message: refused(parsed.success, checked.failure).message }
  const { noRoute, routing, warnings } = checked.success
  const placed = [...noRoute, ...warnings].map((warning) => ({ position: locate(warning), message: warning.message }))
  return {
    _tag: "Valid",
    text,
    json: toRulesJson(config),
    ruleset: routing.ruleset,
    warnings: faultLines(file, placed).slice(0, MOST_WARNINGS)
  }
})

/** The log shows no more lines than this. */
const MOST_WARNINGS = 1_000
