/** The routing rules as a service: for the library, the commands and the control API. */
import { logCursor, readLogCursor, StoreUnavailable } from "@paymux/core/store"
import type { PaymentStore } from "@paymux/core/store"
import type { RoutableProvider } from "@paymux/core/routing"
import { RoutingRules, RulesVersionNotFound } from "@paymux/dashboard"
import type {
  AuditLog,
  CurrentRules,
  RulesHistoryQuery,
  RulesOrigin,
  RulesVersionText,
  RulesVocabulary
} from "@paymux/dashboard"
import { conditionWords, Routing } from "@paymux/routing"
import { Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import { explaining } from "./explaining.ts"
import type { OnDatabase } from "./OnDatabase.ts"
import { publishing } from "./publishing.ts"
import { requestInvalid } from "./requestInvalid.ts"
import * as RulesFollower from "./RulesFollower.ts"
import * as RulesHistory from "./RulesHistory.ts"
import * as RulesVersions from "./RulesVersions.ts"
import type { NamedText } from "./worker/RulesTask.ts"
import * as RulesThread from "./worker/RulesThread.ts"

export interface RulesServiceOptions {
  readonly origin: RulesOrigin
  /** The version in the database that this process started with; `null`: none, or it routes no payments. */
  readonly started: RulesFollower.FollowedFrom | null
  readonly providers: ReadonlyArray<RoutableProvider>
  /** Of a database that another thread can open; `null`: it is in memory. */
  readonly databaseUrl: string | null
}

/** With `Routing`, in a server, it puts new versions in the database in force. */
export const layer = (
  options: RulesServiceOptions
): Layer.Layer<RoutingRules, never, SqlClient.SqlClient | PaymentStore | AuditLog> =>
  Layer.effect(RoutingRules, make(options))

const make = Effect.fnUntraced(function* ({ databaseUrl, origin, providers, started }: RulesServiceOptions) {
  const context = yield* Effect.context<SqlClient.SqlClient | PaymentStore | AuditLog>()
  const routing = yield* Effect.serviceOption(Routing)
  const thread = yield* RulesThread.make(providers, databaseUrl)
  const follower = yield* followed(started, routing, thread)
  const versions = origin.kind === "database" ? RulesVersions : RulesHistory

  const onDatabase: OnDatabase = (effect) =>
    // Boundary: what is left out of the errors is what is caught.
    Effect.catchIf(Effect.provideContext(effect, context), isSqlError, (cause) =>
      Effect.fail(new StoreUnavailable({ cause }))
    ) as never

  const get = Effect.fnUntraced(function* (version: number) {
    const found = yield* onDatabase(versions.get(version))
    return found ?? (yield* new RulesVersionNotFound({ version }))
  })

  /** Of rules that are not in the database, those that are in force here: another process may have others. */
  const newest = Effect.gen(function* () {
    const used = Option.isSome(routing) ? (yield* routing.value.current).ruleset : null
    const ruleset = origin.kind === "database" ? null : used
    const [found] = yield* onDatabase(versions.list({ ruleset, before: null, limit: 1 }))
    if (found === undefined) return yield* new RulesVersionNotFound({ version: 1 })
    const text = yield* get(found.version)
    return { ...text, inForce: used ?? text.ruleset }
  })

  const diff = (from: NamedText, to: NamedText) =>
    Effect.map(
      Effect.catchTag(thread.run("Diff", { from, to }), "RulesInvalid", Effect.die),
      (patch) => patch ?? "The texts differ too much to be compared.\n"
    )

  return RoutingRules.of({
    current: Effect.map(newest, (rules): CurrentRules => ({
      ...versionText(rules),
      inForce: rules.inForce,
      problems: follower?.problemsOf(rules.version) ?? [],
      origin
    })),
    vocabulary: vocabularyOf(providers),
    history: Effect.fnUntraced(function* ({ after, limit, ruleset }: RulesHistoryQuery) {
      const place = after === undefined ? null : readLogCursor(after)
      if (after !== undefined && place === null) {
        return yield* requestInvalid("/after", "must be the `next` of a former page of the history")
      }
      const found = yield* onDatabase(
        versions.list({ ruleset: ruleset ?? null, before: place?.row ?? null, limit: limit + 1 })
      )
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const next = last === undefined || found.length <= limit ? null : logCursor({ at: last.at, row: last.version })
      return { versions: page, next }
    }),
    get: (version) => Effect.map(get(version), versionText),
    diff: Effect.fnUntraced(function* (from: number, to: number) {
      const before = yield* get(from)
      return yield* diff(named(before), named(yield* get(to)))
    }),
    ...explaining({ newest, onDatabase, thread }),
    ...publishing({ diff, follower, get, newest, onDatabase, origin, thread })
  })
})

/** `null`: there is nothing to follow, or this process routes no payments. */
const followed = Effect.fnUntraced(function* (
  started: RulesFollower.FollowedFrom | null,
  routing: Option.Option<Routing["Service"]>,
  { run }: RulesThread.RulesThread
) {
  if (started === null || Option.isNone(routing)) return null
  const follower = yield* RulesFollower.make(routing.value, started, run)
  yield* Effect.forkScoped(RulesFollower.follow(follower))
  return follower
})

const versionText = ({ at, author, note, restores, ruleset, source, text, version }: RulesVersionText) => ({
  version,
  ruleset,
  source,
  at,
  author,
  note,
  restores,
  text
})

const named = ({ text, version }: RulesVersionText): NamedText => ({ name: `version ${version}`, text })

const vocabularyOf = (providers: ReadonlyArray<RoutableProvider>): RulesVocabulary => ({
  providers: providers.map(({ capabilities, id, mode }) => ({ id, mode, methods: Object.keys(capabilities.methods) })),
  conditions: conditionWords
})
