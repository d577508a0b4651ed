import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { minimalRequestWarnings } from "../../rules/minimalRequest.ts"
import { checkedRules, configFlag, sandboxFlag, sourceText } from "./rulesFlags.ts"

export const rulesCheck = Command.make(
  "check",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Rules in YAML or JSON; default: the configuration's rules"),
      Argument.optional
    ),
    config: configFlag,
    sandbox: sandboxFlag
  },
  Effect.fnUntraced(function* ({ config, file, sandbox }) {
    const { providers, routing, source } = yield* checkedRules({ config, sandbox, rules: file })
    const { length } = routing.rules
    yield* Console.log(`${sourceText(source)}: ${length} ${length === 1 ? "rule" : "rules"}, nothing wrong`)
    yield* Console.log(routing.ruleset)
    for (const warning of minimalRequestWarnings(providers)) yield* Console.error(`warning: ${warning}`)
  })
).pipe(
  Command.withDescription(
    "Check rules against your providers; prints every problem with its line and column, and warns about providers that require more than the minimal request contains"
  ),
  Command.withExamples([
    { command: "paymux rules check routing.yaml", description: "Against the providers of ./paymux.config.ts" },
    { command: "paymux rules check routing.yaml --sandbox", description: "Against the simulated providers" }
  ])
)
