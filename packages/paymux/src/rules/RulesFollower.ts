/**
 * Puts new versions of the rules in the database in force. It looks for them every second. A version is checked in another
 * thread; one that does not fit the providers of this process changes nothing, and is reported once.
 */
import { RulesInvalid } from "@paymux/dashboard"
import type { RulesDiagnostic } from "@paymux/dashboard"
import type { Routing } from "@paymux/routing"
import { Cause, Effect, Result, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { diagnosticLine, logWarnings } from "./logWarnings.ts"
import { keep } from "./RulesHistory.ts"
import * as RulesVersions from "./RulesVersions.ts"
import type { UnfitVersion } from "./startFromDatabase.ts"
import type { RulesThread } from "./worker/RulesThread.ts"

export interface RulesFollower {
  /** Looks once. Never fails. */
  readonly look: Effect.Effect<void>
  /** Puts a version in force that was checked against the providers of this process, unless a newer one is. */
  readonly apply: (version: number, checked: CheckedVersion) => Effect.Effect<void>
  /** Why a version does not fit the providers of this process. Empty: it fits, or was not looked at yet. */
  readonly problemsOf: (version: number) => ReadonlyArray<RulesDiagnostic>
}

export interface CheckedVersion {
  /** The rules: a JSON value, in JSON. */
  readonly json: string
  readonly ruleset: string
  /** Logged when it is put in force. */
  readonly warnings: ReadonlyArray<RulesDiagnostic>
}

/** What a process started with. */
export interface FollowedFrom {
  /** The version that is in force. */
  readonly version: number
  /** `null`: that is the newest version. */
  readonly unfit: UnfitVersion | null
}

export const make = Effect.fnUntraced(function* (
  routing: Routing["Service"],
  { unfit, version: started }: FollowedFrom,
  check: RulesThread["run"]
) {
  const context = yield* Effect.context<SqlClient.SqlClient>()
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  /** The version in force, the newest that was looked at, the newest that does not fit, and what was reported last. */
  const seen = unfit?.isRefused === true ? unfit.version : started
  const state = { inForce: started, seen, unfit, reported: "" }
  /** A check that ends without a verdict may take a core and half a minute: more looks are left out before each further one. */
  const retry = { version: 0, failures: 0, leftOut: 0 }

  const report = (problem: string) =>
    Effect.suspend(() => {
      if (problem === state.reported) return Effect.void
      state.reported = problem
      return Effect.logError(problem)
    })

  const refused = (version: number, { message }: Pick<RulesInvalid, "message">) =>
    Effect.suspend(() =>
      Effect.logError(
        `Version ${version} of the routing rules cannot be used here, version ${state.inForce} stays in force:\n${message}`
      )
    )

  /** Keeps the newest version that does not fit, with the latest reason. */
  const setUnfit = (
    version: number,
    problems: ReadonlyArray<RulesDiagnostic>,
    invalid: Pick<RulesInvalid, "message">
  ) =>
    Effect.suspend(() => {
      const known = state.unfit
      if (known !== null && (version < known.version || (version === known.version && known.isRefused))) {
        return Effect.void
      }
      state.unfit = { version, problems, isRefused: true }
      return refused(version, invalid)
    })

  /** A defect, too, is of this version: it keeps the rules in force that are. */
  const use = (json: string, ruleset: string) =>
    Effect.catchDefect(
      Effect.suspend(() => routing.useChecked({ config: JSON.parse(json), ruleset })),
      (defect) => Effect.fail({ message: defect instanceof Error ? defect.message : String(defect) })
    )

  const apply = (version: number, { json, ruleset, warnings }: CheckedVersion) =>
    inTurn(
      Effect.suspend(() => {
        if (version <= state.inForce) return Effect.succeed("fits" as const)
        return Effect.matchEffect(use(json, ruleset), {
          onFailure: (invalid) => {
            const problem = { line: null, column: null, message: `cannot be put in force: ${invalid.message}` }
            return Effect.as(setUnfit(version, [problem], invalid), "unfit" as const)
          },
          onSuccess: () => {
            state.inForce = version
            state.seen = Math.max(state.seen, version)
            if (state.unfit?.version === version) state.unfit = null
            state.reported = ""
            return Effect.andThen(
              Effect.andThen(
                Effect.logInfo(`Routing rules ${ruleset} in force, from ${RulesVersions.versionName(version)}`),
                logWarnings(warnings.map((warning) => diagnosticLine(RulesVersions.versionName(version), warning)))
              ),
              Effect.as(keep({ ruleset, json, source: "database", text: null }), "fits" as const)
            )
          }
        })
      })
    )

  const tryVersion = Effect.fnUntraced(function* (version: number) {
    const stored = yield* RulesVersions.get(version)
    if (stored === null) return "unfit"
    const checked = yield* Effect.result(check("Check", { text: stored.text }))
    if (Result.isSuccess(checked)) {
      const { config: json, noRoute, ruleset, warnings } = checked.success
      return yield* apply(version, { json, ruleset, warnings: [...noRoute, ...warnings] })
    }
    const { failure } = checked
    if (failure._tag !== "RulesInvalid") {
      yield* report(`Version ${version} of the routing rules was not checked: ${failure.message}`)
      return "unknown"
    }
    yield* setUnfit(version, failure.problems, failure)
    return "unfit"
  })

  /** From the newest down, as at a start: of several that were published at once an older one may fit. */
  const look = Effect.gen(function* () {
    const newest = (yield* RulesVersions.newestVersion) ?? 0
    if (newest === retry.version && retry.leftOut > 0) {
      retry.leftOut--
      return
    }
    for (let version = newest; version > state.seen; version--) {
      const found = yield* tryVersion(version)
      // It may go well the next time.
      if (found === "unknown") {
        retry.failures = newest === retry.version ? retry.failures + 1 : 1
        retry.version = newest
        retry.leftOut = Math.min(MOST_LEFT_OUT, 2 ** (retry.failures - 1) - 1)
        return
      }
      if (found === "fits") break
    }
    state.seen = Math.max(state.seen, newest)
    state.reported = ""
  }).pipe(
    Effect.catchCause((cause) => report(`The database was not read for new routing rules: ${messageOf(cause)}`)),
    Effect.provideContext(context)
  )

  if (unfit !== null) yield* refused(unfit.version, new RulesInvalid({ problems: unfit.problems }))
  return {
    look,
    apply: (version, checked) => Effect.asVoid(Effect.provideContext(apply(version, checked), context)),
    problemsOf: (version) => (version === state.unfit?.version ? state.unfit.problems : [])
  } satisfies RulesFollower
})

/** There is one look a second. */
const MOST_LEFT_OUT = 600

const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/** Until it is interrupted. */
export const follow = ({ look }: RulesFollower): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.sleep("1 second"), look))
