/** Where the rules of a server come from, how they are put in force, and that it is remembered. */
import { Routing } from "@paymux/routing"
import type { RoutingConfigInput, RoutingInvalid } from "@paymux/routing"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { load, refused } from "./RulesFile.ts"
import type { LoadedRules, RulesFileInvalid, RulesPlace } from "./RulesFile.ts"
import { keep } from "./RulesHistory.ts"
import { follow } from "./RulesWatch.ts"

export type RulesSource =
  | { readonly _tag: "File"; readonly rules: LoadedRules }
  | { readonly _tag: "Options"; readonly config: unknown }
  | { readonly _tag: "Default" }

/** A text is the name of a file: `routing.yaml`. */
export const sourceOf = (
  routing: RoutingConfigInput | string | undefined
): Effect.Effect<RulesSource, RulesFileInvalid> => {
  if (typeof routing === "string") return Effect.map(load(routing), (rules) => ({ _tag: "File", rules }))
  return Effect.succeed(routing === undefined ? { _tag: "Default" } : { _tag: "Options", config: routing })
}

/** The rules to start with; `undefined`: providers in the order they are given. */
export const configOf = (source: RulesSource): unknown => {
  switch (source._tag) {
    case "File":
      return source.rules.config
    case "Options":
      return source.config
    case "Default":
      return undefined
  }
}

/** What the engine refused, with its places where the rules came from a file. */
export const refusalOf = (source: RulesSource, invalid: RoutingInvalid): RoutingInvalid | RulesFileInvalid =>
  source._tag === "File" ? refused(source.rules, invalid) : invalid

/** Keeps what the engine started with, and from then on follows the file. */
export const layer = (source: RulesSource): Layer.Layer<never, never, Routing | SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { config, ruleset } = yield* Effect.flatMap(Routing, (routing) => routing.current)
      yield* keep({ ruleset, config, source: nameOf(source) })
      if (source._tag !== "File") return
      const { digest, file, path } = source.rules
      yield* inForce(ruleset, file)
      // The place and the digest alone: what was read is not kept for as long as the server runs.
      yield* Effect.forkScoped(watching({ file, path }, digest))
    })
  )

const nameOf = (source: RulesSource): string => {
  switch (source._tag) {
    case "File":
      return source.rules.file
    case "Options":
      return "options"
    case "Default":
      return "default"
  }
}

const inForce = (ruleset: string, file: string) => Effect.logInfo(`Routing rules ${ruleset} in force, from ${file}`)

const watching = Effect.fnUntraced(function* (place: RulesPlace, digest: string) {
  const { file } = place
  const routing = yield* Routing
  const context = yield* Effect.context<SqlClient.SqlClient>()
  yield* follow({
    ...place,
    digest,
    use: Effect.fnUntraced(function* (rules) {
      const { config } = rules
      const ruleset = yield* Effect.mapError(routing.use(config), (invalid) => refused(rules, invalid))
      yield* inForce(ruleset, file)
      yield* Effect.provideContext(keep({ ruleset, config, source: file }), context)
    }),
    report: Effect.fnUntraced(function* (problem) {
      const { ruleset } = yield* routing.current
      yield* Effect.logError(`Routing rules ${ruleset} stay in force:\n${problem}`)
    })
  })
})
