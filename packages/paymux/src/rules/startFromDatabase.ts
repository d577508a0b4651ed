/**
 * The rules in the database that a server starts with: the newest version that fits its providers. The first server to
 * start stores the initial rules as version 1.
 */
import type { Tenant } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { RulesDiagnostic } from "@paymux/dashboard"
import { defaultRouting } from "@paymux/routing"
import { Effect, Result } from "effect"
import { stringify } from "yaml"
import { addAudited } from "./addAudited.ts"
import { checkText } from "./draft.ts"
import { readRules } from "./RulesDocument.ts"
import type { PlacedFault, RulesDocument } from "./RulesDocument.ts"
import { load } from "./loadRules.ts"
import { RulesFileInvalid } from "./RulesFile.ts"
import * as RulesVersions from "./RulesVersions.ts"

export interface StoredRules extends RulesDocument {
  /** For messages: `version 3 of the rules`. */
  readonly file: string
}

/** The newest version, where it does not fit the providers of a process. */
export interface UnfitVersion {
  readonly version: number
  readonly problems: ReadonlyArray<RulesDiagnostic>
}

/** How many versions behind the newest may be started with: older ones are no longer what anybody means. */
const mostBehind = 20

/** An older version is better than no server: it decided payments before. Fails if none of the newest fits. */
export const startFromDatabase = Effect.fnUntraced(function* (
  tenant: Tenant,
  initial: string | null,
  providers: ReadonlyArray<RoutableProvider>
) {
  const newest = (yield* RulesVersions.newestVersion) ?? (yield* storeFirst(tenant, initial, providers))
  const { unfit, version } = yield* newestThatFits(newest, providers)
  return { _tag: "Database", version, unfit, rules: yield* storedRules(version) } as const
})

/** And why the newest of all does not fit, if it is an older one. */
export const newestThatFits = Effect.fnUntraced(function* (newest: number, providers: ReadonlyArray<RoutableProvider>) {
  let unfit: UnfitVersion | null = null
  const refused = new Set<string>()
  for (let version = newest; version > Math.max(0, newest - mostBehind); version--) {
    const stored = yield* RulesVersions.get(version)
    // A rollback has the rules of an earlier version.
    if (stored === null || refused.has(stored.ruleset)) continue
    const checked = yield* Effect.result(checkText(stored.text, providers))
    if (Result.isSuccess(checked)) return { version, unfit }
    refused.add(stored.ruleset)
    unfit ??= { version, problems: checked.failure.problems }
  }
  return yield* new RulesFileInvalid({
    file: RulesVersions.versionName(newest),
    faults: [
      {
        position: null,
        message:
          "does not fit the providers of this server, nor do the versions before it: configure the providers that it names, or publish rules without them before the start"
      },
      ...(unfit?.problems ?? []).map(placed)
    ]
  })
})

export const storedRules = Effect.fnUntraced(function* (version: number) {
  const stored = yield* RulesVersions.get(version)
  if (stored === null) return yield* Effect.die(new Error(`Version ${version} of the rules is gone`))
  const file = RulesVersions.versionName(version)
  const read = readRules(stored.text, "rules.yaml")
  if (Result.isFailure(read)) return yield* new RulesFileInvalid({ file, faults: read.failure })
  return { ...read.success, file } satisfies StoredRules
})

/** Of servers that start at once, one stores it. */
const storeFirst = Effect.fnUntraced(function* (
  tenant: Tenant,
  initial: string | null,
  providers: ReadonlyArray<RoutableProvider>
) {
  const file = initial ?? "The default rules"
  const text = initial === null ? stringify(defaultRouting(providers)) : (yield* load(initial)).text
  const checked = yield* Effect.mapError(
    checkText(text, providers),
    ({ problems }) => new RulesFileInvalid({ file, faults: problems.map(placed) })
  )
  const note = initial === null ? "the order of the configuration" : `from ${initial}`
  const { ruleset } = checked.routing
  yield* addAudited(tenant, "routing.publish", { from: 0, ruleset, text, note, restores: null }, null)
  return (yield* RulesVersions.newestVersion) ?? 1
})

const placed = ({ column, line, message }: RulesDiagnostic): PlacedFault => ({
  position: line === null || column === null ? null : { line, column },
  message
})
