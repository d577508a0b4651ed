/**
 * Puts the content of a changed rules file in force. Another thread parses and checks it, so that payments do not wait; what
 * is left for this one is done in slices of a few ms.
 */
import type { RoutableProvider } from "@paymux/core/routing"
import type { RulesWorkFailed } from "@paymux/dashboard"
import { Routing } from "@paymux/routing"
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { CheckedFile, UncheckedFile, ValidFile } from "./checkFile.ts"
import { keep } from "./RulesHistory.ts"
import { readRulesJson } from "./RulesJson.ts"
import type { RulesThreadFailed } from "./worker/askWorker.ts"

/** The rules of a file are not valid. The message has a line for each problem. */
export class RulesRefused extends Data.TaggedError("RulesRefused")<{ readonly message: string }> {}

/** Checks in another thread. */
export type CheckInThread = (file: UncheckedFile) => Effect.Effect<CheckedFile, RulesThreadFailed | RulesWorkFailed>

/** Answers a line for each warning. Fails, and changes nothing, if the rules are not valid or took too much to check. */
export const reload = (
  file: UncheckedFile,
  providers: ReadonlyArray<RoutableProvider>,
  check: CheckInThread
): Effect.Effect<ReadonlyArray<string>, RulesRefused | RulesWorkFailed, Routing | SqlClient.SqlClient> =>
  // A reload is late rather than lost: without the thread, payments wait for the check.
  Effect.catchTag(check(file), "RulesThreadFailed", ({ reason }) =>
    Effect.andThen(
      Effect.logWarning(`${reason} ${file.file} is checked in the thread that serves payments, which wait meanwhile.`),
      Effect.flatMap(
        Effect.promise(() => import("./checkFile.ts")),
        ({ checkFile }) => checkFile(file, providers)
      )
    )
  ).pipe(
    Effect.flatMap((checked) =>
      checked._tag === "Valid" ? activate(file.file, checked) : Effect.fail(new RulesRefused(checked))
    )
  )

const activate = Effect.fnUntraced(function* (file: string, { json, ruleset, text, warnings }: ValidFile) {
  const routing = yield* Routing
  const config = yield* readRulesJson(json)
  yield* Effect.mapError(routing.useChecked({ config, ruleset }), ({ message }) => new RulesRefused({ message }))
  yield* logInForce(ruleset, file)
  yield* keep({ ruleset, json: json.whole, source: file, text })
  return warnings
})

export const logInForce = (ruleset: string, file: string): Effect.Effect<void> =>
  Effect.logInfo(`Routing rules ${ruleset} in force, from ${file}`)
