/**
 * The rules in the database that a server starts with: the newest version that fits its providers. The first server to
 * start stores the initial rules as version 1.
 *
 * A version is checked as a publication checks it, in a worker thread, and compiled in this one. A version that cannot be
 * read never keeps a server from starting with the version before.
 */
import type { Tenant } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { RulesInvalid } from "@paymux/dashboard"
import type { RulesDiagnostic, RulesWorkFailed } from "@paymux/dashboard"
import { compileChecked, defaultRouting } from "@paymux/routing"
import type { CompiledRouting } from "@paymux/routing"
import { Cause, Effect, Exit, Result } from "effect"
import { stringify } from "yaml"
import { addAudited } from "./addAudited.ts"
import { checkToJson } from "./draft.ts"
import type { CheckedJson } from "./draft.ts"
import { readRules } from "./RulesDocument.ts"
import type { PlacedFault, RulesDocument } from "./RulesDocument.ts"
import { load } from "./loadRules.ts"
import { RulesFileInvalid } from "./RulesFile.ts"
import * as RulesVersions from "./RulesVersions.ts"
import * as RulesThread from "./worker/RulesThread.ts"

export interface StoredRules extends RulesDocument {
  /** For messages: `version 3 of the rules`. */
  readonly file: string
}

/** The newest version, where a process cannot use it. */
export interface UnfitVersion {
  readonly version: number
  readonly problems: ReadonlyArray<RulesDiagnostic>
  /** The version was read, and does not fit the providers. Otherwise it may be readable the next time. */
  readonly isRefused: boolean
}

export interface FittingVersion {
  readonly version: number
  /** `null`: it is the newest version. */
  readonly unfit: UnfitVersion | null
  /** A JSON value. */
  readonly config: unknown
  readonly routing: CompiledRouting
  readonly warnings: ReadonlyArray<RulesDiagnostic>
  /** Payments that get no provider now. The version was accepted so, or an outage began later: it starts. */
  readonly noRoute: ReadonlyArray<RulesDiagnostic>
}

/** How many versions behind the newest may be started with: older ones are no longer what anybody means. */
const mostBehind = 20

/** An older version is better than no server: it decided payments before. Fails if none of the newest fits. */
export const startFromDatabase = (tenant: Tenant, initial: string | null, providers: ReadonlyArray<RoutableProvider>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const thread = yield* RulesThread.make(providers, null)
      const check = checking(thread, providers)
      const newest = (yield* RulesVersions.newestVersion) ?? (yield* storeFirst(tenant, initial, providers, check))
      return { _tag: "Database", ...(yield* newestFitting(newest, providers, check)) } as const
    })
  )

/** And why the newest of all does not fit, if it is an older one. */
export const newestThatFits = (newest: number, providers: ReadonlyArray<RoutableProvider>) =>
  Effect.scoped(
    Effect.flatMap(RulesThread.make(providers, null), (thread) =>
      newestFitting(newest, providers, checking(thread, providers))
    )
  )

type Check = (text: string) => Effect.Effect<CheckedJson, RulesInvalid | RulesWorkFailed>

/** Without the thread, or on a slow machine, the start checks in its own thread: late is better than never, and than older rules. */
const checking =
  (thread: RulesThread.RulesThread, providers: ReadonlyArray<RoutableProvider>): Check =>
  (text) =>
    Effect.catchTag(thread.check(text), "RulesThreadFailed", ({ reason }) =>
      Effect.andThen(
        Effect.logWarning(`${reason} The rules are checked in the thread that starts the server.`),
        checkToJson(text, providers)
      )
    )

/** Apart from the thread, for its own test. */
export const newestFitting = Effect.fnUntraced(function* (
  newest: number,
  providers: ReadonlyArray<RoutableProvider>,
  check: Check
) {
  let unfit: UnfitVersion | null = null
  const refused = new Set<string>()
  for (let version = newest; version > Math.max(0, newest - mostBehind); version--) {
    const stored = yield* RulesVersions.get(version)
    // A rollback has the rules of an earlier version.
    if (stored === null || refused.has(stored.ruleset)) continue
    const found = yield* Effect.exit(compiled(stored.text, providers, check))
    if (Exit.isSuccess(found)) return { version, unfit, ...found.value } satisfies FittingVersion
    if (Cause.hasInterrupts(found.cause)) return yield* Effect.interrupt
    refused.add(stored.ruleset)
    unfit ??= { version, ...whyUnfit(Cause.squash(found.cause)) }
  }
  return yield* new RulesFileInvalid({
    file: RulesVersions.versionName(newest),
    faults: [
      {
        position: null,
        message:
          unfit?.isRefused === false
            ? "cannot be read by this server, nor can the versions before it"
            : "does not fit the providers of this server, nor do the versions before it: configure the providers that it names, or publish rules without them before the start"
      },
      ...(unfit?.problems ?? []).map(placed)
    ]
  })
})

const compiled = Effect.fnUntraced(function* (text: string, providers: ReadonlyArray<RoutableProvider>, check: Check) {
  const { config: json, noRoute, ruleset, warnings } = yield* check(text)
  const config: unknown = JSON.parse(json)
  return { config, noRoute, warnings, routing: yield* compileChecked({ config, ruleset }, providers) }
})

/** Defects, too: one that ended the start would end every start of every server. */
const whyUnfit = (error: unknown): Omit<UnfitVersion, "version"> => {
  if (error instanceof RulesInvalid) return { problems: error.problems, isRefused: true }
  const reason = error instanceof Error ? error.message : String(error)
  return { problems: [{ line: null, column: null, message: `cannot be read: ${reason}` }], isRefused: false }
}

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
  providers: ReadonlyArray<RoutableProvider>,
  check: Check
) {
  const file = initial ?? "The default rules"
  const text = initial === null ? stringify(defaultRouting(providers)) : (yield* load(initial)).text
  const { ruleset } = yield* Effect.mapError(
    check(text),
    (error) => new RulesFileInvalid({ file, faults: whyUnfit(error).problems.map(placed) })
  )
  const note = initial === null ? "the order of the configuration" : `from ${initial}`
  yield* addAudited(tenant, "routing.publish", { from: 0, ruleset, text, note, restores: null }, null)
  return (yield* RulesVersions.newestVersion) ?? 1
})

const placed = ({ column, line, message }: RulesDiagnostic): PlacedFault => ({
  position: line === null || column === null ? null : { line, column },
  message
})
