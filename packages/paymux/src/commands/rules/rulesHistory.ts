/** `paymux rules history`, `show` and `diff`: which rules there were. */
import { iso } from "@paymux/core/wire"
import { RoutingRules } from "@paymux/dashboard"
import type { RulesVersion } from "@paymux/dashboard"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { find } from "../../rules/RulesHistory.ts"
import { configuration } from "../configuration.ts"
import { databaseFlag, onExistingDatabase, orConfigured } from "../database.ts"
import { given, pageFlags, pageQuery, textFlag } from "../listFlags.ts"
import { printable, printableLines } from "../../printable.ts"
import { printPage } from "../table.ts"
import { userError } from "../userError.ts"
import { configFlag, rulesLayer } from "./rulesFlags.ts"

interface Place {
  readonly config: Option.Option<string>
  readonly database: Option.Option<string>
}

const onRules = Effect.fnUntraced(function* <A, E extends { readonly message: string }>(
  { config, database }: Place,
  effect: Effect.Effect<A, E, RoutingRules>
) {
  const options = yield* configuration(Option.getOrNull(config))
  return yield* onExistingDatabase(orConfigured(database, options), rulesLayer(options, database, []), effect)
})

export const rulesHistory = Command.make(
  "history",
  {
    database: databaseFlag,
    config: configFlag,
    ruleset: textFlag("ruleset", "Only versions with this ruleset, as in the routing of a payment"),
    ...pageFlags()
  },
  Effect.fnUntraced(function* ({ after, json, limit, ruleset, ...place }) {
    const query = { ...given({ ruleset }), ...pageQuery({ after, limit }) }
    const { next, versions } = yield* onRules(
      place,
      RoutingRules.use((rules) => rules.history(query))
    )
    const head = ["version", "since", "ruleset", "from", "by", "note"]
    yield* printPage({ next, entries: versions, json, none: "No rules were in force yet.", head, row })
  })
).pipe(
  Command.withDescription(
    "List the versions of the rules, newest first: those published in the database, or else the rulesets that have been in force"
  )
)

const row = ({ at, author, note, restores, ruleset, source, version }: RulesVersion): ReadonlyArray<string> => [
  String(version),
  iso(at),
  ruleset.slice(0, 23),
  source,
  author === null ? "" : printable(author.name ?? author.id),
  printable([restores === null ? "" : `rollback to ${restores}`, note ?? ""].filter((part) => part !== "").join(": "))
]

export const rulesShow = Command.make(
  "show",
  {
    rules: Argument.String("rules").pipe(
      Argument.withDescription(
        "The number of a version, as listed by history, or the ruleset in a payment's routing, or a prefix of it: sha256:…"
      )
    ),
    database: databaseFlag,
    config: configFlag
  },
  Effect.fnUntraced(function* ({ rules, ...place }) {
    if (/^\d{1,6}$/.test(rules)) {
      const { text } = yield* onRules(
        place,
        RoutingRules.use((service) => service.get(Number(rules)))
      )
      return yield* Console.log(onTerminal(text.replace(/\n$/, "")))
    }
    const options = yield* configuration(Option.getOrNull(place.config))
    const found = yield* onExistingDatabase(orConfigured(place.database, options), Layer.empty, find(rules))
    switch (found._tag) {
      case "Found":
        return yield* Console.log(JSON.stringify(JSON.parse(found.kept.config), null, 2))
      case "Ambiguous":
        return yield* userError(new Error(`${rules} is ambiguous. It matches:\n${found.rulesets.join("\n")}`))
      case "NotFound":
        return yield* userError(new Error(`Ruleset ${rules} not found: it was never in force.`))
    }
  })
).pipe(
  Command.withDescription(
    "Show a version of the rules as it was written, or a ruleset that has been in force, as JSON"
  ),
  Command.withExamples([
    { command: "paymux rules show 3", description: "Show version 3, with its comments" },
    { command: "paymux rules show sha256:76f775660d589014", description: "Show the ruleset that routed a payment" }
  ])
)

/** Not even styles: a merchant may have written them. A file gets the text as it is. */
const onTerminal = (text: string): string => (process.stdout.isTTY ? printableLines(text) : text)

const version = (name: string) =>
  Argument.Int(name).pipe(
    Argument.withDescription("The number of a version, as listed by history"),
    Argument.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })))
  )

export const rulesDiff = Command.make(
  "diff",
  { from: version("from"), to: version("to"), database: databaseFlag, config: configFlag },
  Effect.fnUntraced(function* ({ from, to, ...place }) {
    const patch = yield* onRules(
      place,
      RoutingRules.use((rules) => rules.diff(from, to))
    )
    if (patch === "") return yield* Console.error("The texts are the same.")
    yield* Console.log(onTerminal(patch.replace(/\n$/, "")))
  })
).pipe(
  Command.withDescription("Show what changed between two versions of the rules, as a unified diff"),
  Command.withExamples([{ command: "paymux rules diff 2 3", description: "What version 3 changed" }])
)
