import { RoutingInvalid } from "@paymux/routing"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { CliError } from "effect/cli"
import { minimalRequestWarnings } from "../../rules/minimalRequest.ts"
import type { PlacedFault } from "../../rules/RulesDocument.ts"
import { faultLines, RulesFileInvalid } from "../../rules/RulesFile.ts"
import { jsonFlag } from "../database.ts"
import { checkedRules, configFlag, sandboxFlag, sourceText } from "./rulesFlags.ts"
import type { CheckedRules } from "./rulesFlags.ts"

export const rulesCheck = Command.make(
  "check",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Rules in YAML or JSON; default: the configuration's rules"),
      Argument.optional
    ),
    config: configFlag,
    sandbox: sandboxFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ config, file, json, sandbox }) {
    const checking = checkedRules({ config, sandbox, rules: file })
    const checked = yield* json ? Effect.tapError(checking, printProblems) : checking
    yield* json ? printJson(checked) : printText(checked)
  })
).pipe(
  Command.withDescription(
    "Check rules against your providers; prints every problem with its line and column, and warns of what does nothing and of providers that require more than the minimal request contains"
  ),
  Command.withExamples([
    { command: "paymux rules check routing.yaml", description: "Against the providers of ./paymux.config.ts" },
    { command: "paymux rules check routing.yaml --sandbox", description: "Against the simulated providers" }
  ])
)

const printText = Effect.fnUntraced(function* ({ providers, routing, source, warnings }: CheckedRules) {
  const found = warnings.length === 0 ? "nothing wrong" : count(warnings.length, "warning")
  yield* Console.log(`${sourceText(source)}: ${count(routing.rules.length, "rule")}, ${found}`)
  yield* Console.log(routing.ruleset)
  for (const warning of faultLines(sourceText(source), warnings)) yield* Console.error(`warning: ${warning}`)
  for (const warning of minimalRequestWarnings(providers)) yield* Console.error(`warning: ${warning}`)
})

const count = (number: number, noun: string): string => `${number} ${number === 1 ? noun : `${noun}s`}`

const printJson = ({ providers, routing, source, warnings }: CheckedRules) =>
  print({
    valid: true,
    rules: sourceText(source),
    ruleset: routing.ruleset,
    problems: [],
    warnings: [
      ...warnings.map(diagnostic),
      ...minimalRequestWarnings(providers).map((message) => ({ line: null, column: null, message }))
    ]
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
