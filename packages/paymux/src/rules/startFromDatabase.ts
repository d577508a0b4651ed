/** The rules in the database that a server starts with. The first server to start stores the initial rules as version 1. */
import type { RoutableProvider } from "@paymux/core/routing"
import { defaultRouting } from "@paymux/routing"
import { Effect, Result } from "effect"
import { stringify } from "yaml"
import { checkText } from "./draft.ts"
import { readRules } from "./RulesDocument.ts"
import type { RulesDocument } from "./RulesDocument.ts"
import { load, RulesFileInvalid } from "./RulesFile.ts"
import * as RulesVersions from "./RulesVersions.ts"

export interface StoredRules extends RulesDocument {
  /** For messages: `version 3 of the rules`. */
  readonly file: string
}

/** Fails if the newest version does not fit these providers: payments would go elsewhere than the rules say. */
export const startFromDatabase = Effect.fnUntraced(function* (
  initial: string | null,
  providers: ReadonlyArray<RoutableProvider>
) {
  const version = (yield* RulesVersions.newestVersion) ?? (yield* storeFirst(initial, providers))
  return { _tag: "Database", version, rules: yield* storedRules(version) } as const
})

export const storedRules = Effect.fnUntraced(function* (version: number) {
  const stored = yield* RulesVersions.get(version)
  if (stored === null) return yield* Effect.die(new Error(`Version ${version} of the rules is gone`))
  const file = versionName(version)
  const read = readRules(stored.text, "rules.yaml")
  if (Result.isFailure(read)) return yield* new RulesFileInvalid({ file, faults: read.failure })
  return { ...read.success, file } satisfies StoredRules
})

export const versionName = (version: number): string => `version ${version} of the rules`

/** Of servers that start at once, one stores it. */
const storeFirst = Effect.fnUntraced(function* (initial: string | null, providers: ReadonlyArray<RoutableProvider>) {
  const file = initial ?? "The default rules"
  const text = initial === null ? stringify(defaultRouting(providers)) : (yield* load(initial)).text
  const checked = yield* Effect.mapError(
    checkText(text, providers),
    ({ problems }) =>
      new RulesFileInvalid({
        file,
        faults: problems.map(({ column, line, message }) => ({
          position: line === null || column === null ? null : { line, column },
          message
        }))
      })
  )
  const note = initial === null ? "the order of the configuration" : `from ${initial}`
  const { ruleset } = checked.routing
  yield* RulesVersions.add({ from: 0, ruleset, text, note, restores: null })
  return (yield* RulesVersions.newestVersion) ?? 1
})
