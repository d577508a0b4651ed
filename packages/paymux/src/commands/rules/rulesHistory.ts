import { iso } from "@paymux/core/wire"
import { Console, Effect, Layer, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { find, list } from "../../rules/RulesHistory.ts"
import { databaseFlag, jsonFlag, onExistingDatabase } from "../database.ts"
import { printTable } from "../table.ts"
import { userError } from "../userError.ts"

export const rulesHistory = Command.make(
  "history",
  {
    database: databaseFlag,
    json: jsonFlag,
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("1 to 1000"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
      Flag.withDefault(20)
    )
  },
  Effect.fnUntraced(function* ({ database, json, limit }) {
    const rulesets = yield* onExistingDatabase(database, Layer.empty, list(limit))
    if (json) return yield* Console.log(JSON.stringify(rulesets, null, 2))
    if (rulesets.length === 0) return yield* Console.error("No rules were in force yet.")
    yield* printTable(
      ["in force since", "ruleset", "from"],
      rulesets.map(({ inForceAt, ruleset, source }) => [iso(inForceAt), ruleset.slice(0, 23), source])
    )
  })
).pipe(Command.withDescription("List the rulesets that have been in force, newest first"))

export const rulesShow = Command.make(
  "show",
  {
    ruleset: Argument.String("ruleset").pipe(
      Argument.withDescription("The ruleset in a payment's routing, or a prefix of it: sha256:…")
    ),
    database: databaseFlag
  },
  Effect.fnUntraced(function* ({ database, ruleset }) {
    const found = yield* onExistingDatabase(database, Layer.empty, find(ruleset))
    switch (found._tag) {
      case "Found":
        return yield* Console.log(JSON.stringify(found.kept.config, null, 2))
      case "Ambiguous":
        return yield* userError(new Error(`${ruleset} is ambiguous. It matches:\n${found.rulesets.join("\n")}`))
      case "NotFound":
        return yield* userError(new Error(`Ruleset ${ruleset} not found: it was never in force.`))
    }
  })
).pipe(
  Command.withDescription("Show a ruleset that has been in force, as JSON"),
  Command.withExamples([
    { command: "paymux rules show sha256:76f775660d589014", description: "Show a ruleset from the history" }
  ])
)
