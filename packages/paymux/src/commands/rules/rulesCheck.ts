import type { Tenant } from "@paymux/core"
import { RoutingInvalid } from "@paymux/routing"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { minimalRequestWarnings } from "../../rules/minimalRequest.ts"
import type { PlacedFault } from "../../rules/RulesDocument.ts"
import { faultLines, RulesFileInvalid } from "../../rules/RulesFile.ts"
import { accountFlag, DEFAULT_ACCOUNT, databaseFlag, jsonFlag, liveFlag } from "../database.ts"
import { userError } from "../userError.ts"
import { comparedText, comparison } from "./comparison.ts"
import type { Compared } from "./comparison.ts"
import { checkedRules, configFlag, sandboxFlag, sourceText } from "./rulesFlags.ts"
import type { CheckedRules } from "./rulesFlags.ts"

export const rulesCheck = Command.make(
  "check",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Rules in YAML or JSON; default: the configuration's rules"),
      Argument.optional
    ),
    database: databaseFlag.pipe(
      Flag.withDescription(
        "Also compare the rules with the payments of the last 30 days in this database: sqlite:<file> or postgres://…"
      )
    ),
    account: accountFlag.pipe(
      Flag.withDescription("The account whose payments are compared: 1 to 64 letters, digits, _ or -")
    ),
    live: liveFlag.pipe(Flag.withDescription("Compare live payments instead of test payments")),
    config: configFlag,
    sandbox: sandboxFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, config, database, file, json, live, sandbox }) {
    if (Option.isNone(database) && (live || account !== DEFAULT_ACCOUNT)) {
      return yield* userError(new Error("--account and --live select payments to compare: pass --database, too."))
    }
    const checking = Effect.tap(checkedRules({ config, sandbox, rules: file }), refuseNoRoute)
    const rules = yield* json ? Effect.tapError(checking, printProblems) : checking
    const checked = yield* compare(rules, database, { account, livemode: live })
    yield* json ? printJson(checked) : printText(checked)
  })
).pipe(
  Command.withDescription(
    "Check rules against your providers; prints every problem with its line and column, and warns of what does nothing and of providers that require more than the minimal request contains. With --database, also warns of rules and metadata keys that no payment of the last 30 days matches"
  ),
  Command.withExamples([
    { command: "paymux rules check routing.yaml", description: "Against the providers of ./paymux.config.ts" },
    { command: "paymux rules check routing.yaml --sandbox", description: "Against the simulated providers" },
    {
      command: "paymux rules check routing.yaml --database sqlite:paymux.db",
      description: "Also against the payments of the last 30 days"
    }
  ])
)

const refuseNoRoute = ({ noRoute, source }: CheckedRules) =>
  noRoute.length === 0 ? Effect.void : userError(new RulesFileInvalid({ file: sourceText(source), faults: noRoute }))

interface Checked extends CheckedRules {
  /** `null`: without a database. */
  readonly compared: Compared | null
}

const compare = (rules: CheckedRules, database: Option.Option<string>, tenant: Tenant) =>
  Option.match(database, {
    onNone: () => Effect.succeed<Checked>({ ...rules, compared: null }),
    onSome: (url) =>
      Effect.map(comparison(rules, url, tenant), ({ compared, warnings }): Checked => ({
        ...rules,
        compared,
        warnings: [...rules.warnings, ...warnings]
      }))
  })

const printText = Effect.fnUntraced(function* ({ compared, providers, routing, source, warnings }: Checked) {
  const found = warnings.length === 0 ? "nothing wrong" : count(warnings.length, "warning")
  yield* Console.log(`${sourceText(source)}: ${count(routing.rules.length, "rule")}, ${found}`)
  yield* Console.log(routing.ruleset)
  if (compared !== null) yield* Console.log(comparedText(compared))
  for (const warning of faultLines(sourceText(source), warnings)) yield* Console.error(`warning: ${warning}`)
  for (const warning of minimalRequestWarnings(providers)) yield* Console.error(`warning: ${warning}`)
})

const count = (number: number, noun: string): string => `${number} ${number === 1 ? noun : `${noun}s`}`

const printJson = ({ compared, providers, routing, source, warnings }: Checked) =>
  print({
    valid: true,
    rules: sourceText(source),
    ruleset: routing.ruleset,
    problems: [],
    warnings: [
      ...warnings.map(diagnostic),
      ...minimalRequestWarnings(providers).map((message) => ({ line: null, column: null, message }))
    ],
    ...(compared !== null && { compared })
  })

/** What cannot be read or used; any other error is left to the terminal. */
const printProblems = (error: CliError.UserError): Effect.Effect<void> => {
  const { cause } = error
  if (cause instanceof RulesFileInvalid) {
    return print({ valid: false, rules: cause.file, problems: cause.faults.map(diagnostic), warnings: [] })
  }
  if (!(cause instanceof RoutingInvalid)) return Effect.void
  const problems = cause.problems.map(({ message }) => ({ line: null, column: null, message }))
  return print({ valid: false, rules: null, problems, warnings: [] })
}

const diagnostic = ({ message, position }: PlacedFault) => ({
  line: position?.line ?? null,
  column: position?.column ?? null,
  message
})

const print = (value: unknown) => Console.log(JSON.stringify(value, null, 2))
