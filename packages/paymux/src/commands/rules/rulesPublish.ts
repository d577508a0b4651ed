/** `paymux rules publish` and `rollback`: new versions of the rules in the database, which running servers put in force. */
import { RoutingRules } from "@paymux/dashboard"
import type { RulesVersion } from "@paymux/dashboard"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { load } from "../../rules/loadRules.ts"
import { providersOf } from "../../rules/providersOf.ts"
import { configuration } from "../configuration.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase, orConfigured } from "../database.ts"
import { userError } from "../userError.ts"
import { configFlag, rulesLayer, sandboxFlag } from "./rulesFlags.ts"

const number = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

const flags = {
  from: Flag.Int("from").pipe(
    Flag.withDescription(
      "The version that you started from: if another is the newest, nothing is published, and the differences are shown"
    ),
    Flag.withSchema(number)
  ),
  note: Flag.String("note").pipe(
    Flag.withDescription("Why, for the history: at most 500 characters on one line"),
    Flag.optional
  ),
  acceptNoRoute: Flag.Boolean("accept-no-route").pipe(
    Flag.withDescription(
      "Publish although `exclude` or `outages` leave payments without a provider; the audit log says so"
    ),
    Flag.withDefault(false)
  ),
  database: databaseFlag,
  config: configFlag,
  sandbox: sandboxFlag,
  account: accountFlag,
  live: liveFlag,
  json: jsonFlag
}

interface Written {
  readonly config: Option.Option<string>
  readonly database: Option.Option<string>
  readonly sandbox: boolean
  readonly json: boolean
}

const write = Effect.fnUntraced(function* <E extends { readonly message: string }>(
  { config, database, json, sandbox }: Written,
  effect: Effect.Effect<RulesVersion, E, RoutingRules>
) {
  const options = yield* configuration(Option.getOrNull(config))
  const providers = yield* Effect.mapError(providersOf(options, sandbox), userError)
  const published = yield* onExistingDatabase(
    orConfigured(database, options),
    rulesLayer(options, database, providers),
    Effect.mapError(effect, withDiff)
  )
  if (json) return yield* Console.log(JSON.stringify(published, null, 2))
  yield* Console.log(`Published version ${published.version} (${published.ruleset.slice(0, 23)}).`)
  yield* Console.log("Running servers put it in force within seconds.")
})

const withDiff = (error: { readonly message: string; readonly diff?: string }) =>
  error.diff === undefined || error.diff === "" ? error : new Error(`${error.message}\n${error.diff}`)

export const rulesPublish = Command.make(
  "publish",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The rules in YAML: stored as they are, with comments")
    ),
    ...flags
  },
  Effect.fnUntraced(function* ({ acceptNoRoute, account, file, from, live, note, ...written }) {
    const { text } = yield* Effect.mapError(load(file), userError)
    const publication = { text, from, note: Option.getOrNull(note), acceptNoRoute }
    yield* write(
      written,
      RoutingRules.use((rules) => rules.publish({ account, livemode: live }, publication))
    )
  })
).pipe(
  Command.withDescription("Publish a new version of the rules in the database, checked against your providers"),
  Command.withExamples([
    {
      command: 'paymux rules publish routing.yaml --from 3 --note "Dutch cards to adyen"',
      description: "Version 4, if 3 is still the newest"
    }
  ])
)

export const rulesRollback = Command.make(
  "rollback",
  {
    to: Argument.Int("to").pipe(
      Argument.withDescription("The version to return to: its text is published as a new version"),
      Argument.withSchema(number)
    ),
    ...flags
  },
  Effect.fnUntraced(function* ({ acceptNoRoute, account, from, live, note, to, ...written }) {
    const rollback = { to, from, note: Option.getOrNull(note), acceptNoRoute }
    yield* write(
      written,
      RoutingRules.use((rules) => rules.rollback({ account, livemode: live }, rollback))
    )
  })
).pipe(
  Command.withDescription("Publish the text of an earlier version again, as a new version"),
  Command.withExamples([{ command: "paymux rules rollback 2 --from 3", description: "Undo version 3" }])
)
