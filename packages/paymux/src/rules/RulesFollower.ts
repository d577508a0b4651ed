/**
 * Puts new versions of the rules in the database in force. It looks for one every second. A version is checked in another
 * thread; one that does not fit the providers of this process changes nothing, and is reported once.
 */
import type { CheckedRules, Routing } from "@paymux/routing"
import { Cause, Effect, Result, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { keep } from "./RulesHistory.ts"
import * as RulesVersions from "./RulesVersions.ts"
import { versionName } from "./startFromDatabase.ts"
import type { RulesThread } from "./worker/RulesThread.ts"

export interface RulesFollower {
  /** Looks once. Never fails. */
  readonly look: Effect.Effect<void>
  /** Puts a version in force that was checked against the providers of this process, unless a newer one is. */
  readonly apply: (version: number, checked: CheckedRules) => Effect.Effect<void>
}

/** `started`: the version that is in force. */
export const make = Effect.fnUntraced(function* (
  routing: Routing["Service"],
  started: number,
  check: RulesThread["run"]
) {
  const context = yield* Effect.context<SqlClient.SqlClient>()
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  /** The version in force, the last one that was looked at, and what was reported last. */
  const state = { inForce: started, seen: started, reported: "" }

  const report = (problem: string) =>
    Effect.suspend(() => {
      if (problem === state.reported) return Effect.void
      state.reported = problem
      return Effect.logError(problem)
    })

  const refused = (version: number, problem: string) =>
    Effect.suspend(() => {
      state.seen = Math.max(state.seen, version)
      const stays = state.inForce
      return report(
        `Version ${version} of the routing rules cannot be used here, version ${stays} stays in force:\n${problem}`
      )
    })

  const apply = (version: number, checked: CheckedRules) =>
    inTurn(
      Effect.suspend(() => {
        if (version <= state.inForce) return Effect.void
        return Effect.matchEffect(routing.useChecked(checked), {
          onFailure: ({ message }) => refused(version, message),
          onSuccess: (ruleset) => {
            state.inForce = version
            state.seen = Math.max(state.seen, version)
            state.reported = ""
            return Effect.andThen(
              Effect.logInfo(`Routing rules ${ruleset} in force, from ${versionName(version)}`),
              keep({ ...checked, source: "database", text: null })
            )
          }
        })
      })
    )

  const look = Effect.gen(function* () {
    const version = yield* RulesVersions.newestVersion
    if (version === null || version <= state.seen) {
      state.reported = ""
      return
    }
    const stored = yield* RulesVersions.get(version)
    if (stored === null) return
    const checked = yield* Effect.result(check("Check", { text: stored.text }))
    if (Result.isSuccess(checked)) {
      const config: unknown = JSON.parse(checked.success.config)
      return yield* apply(version, { config, ruleset: checked.success.ruleset })
    }
    if (checked.failure._tag === "RulesInvalid") return yield* refused(version, checked.failure.message)
    // It may go well the next time.
    yield* report(`Version ${version} of the routing rules was not checked: ${checked.failure.message}`)
  }).pipe(
    Effect.catchCause((cause) => report(`The database was not read for new routing rules: ${messageOf(cause)}`)),
    Effect.provideContext(context)
  )

  return {
    look,
    apply: (version, checked) => Effect.provideContext(apply(version, checked), context)
  } satisfies RulesFollower
})

const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/** Until it is interrupted. */
export const follow = ({ look }: RulesFollower): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.sleep("1 second"), look))
