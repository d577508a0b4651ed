/** `paymux doctor`: checks a configuration before it takes payments. */
import { Config, Console, Effect, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { examineConfiguration } from "../doctor/examine.ts"
import { fault, findingText } from "../doctor/Finding.ts"
import { settingsOf } from "../options/PaymuxOptions.ts"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { cellFlag } from "./cellFlag.ts"
import { configuration } from "./configuration.ts"
import { jsonFlag } from "./database.ts"
import { secretFromEnvironment } from "./secretFromEnvironment.ts"
import { userError } from "./userError.ts"

export const doctor = Command.make(
  "doctor",
  {
    config: Flag.String("config").pipe(
      Flag.withDescription("The module that exports your options; default ./paymux.config.ts"),
      Flag.optional
    ),
    cell: cellFlag,
    provider: Flag.String("provider").pipe(Flag.withDescription("Only check this provider instance"), Flag.optional),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ cell, config, json, provider }) {
    const options = yield* optionsOf(Option.getOrNull(config), { cell })
    const all = yield* examined(options)
    const findings = Option.isNone(provider) ? all : all.filter(({ name }) => name === provider.value)
    if (Option.isSome(provider) && findings.length === 0) {
      return yield* userError(new Error(`The configuration has no provider ${provider.value}.`))
    }
    if (json) yield* Console.log(JSON.stringify(findings, null, 2))
    else yield* Effect.forEach(findings, (finding) => Console.log(findingText(finding)), { discard: true })
    const faults = findings.filter(({ grade }) => grade === "fault").length
    if (faults > 0) return yield* userError(new Error(`${faults} ${faults === 1 ? "problem" : "problems"} found.`))
    if (!json) yield* Console.log("No problems found.")
  })
).pipe(
  Command.withDescription("Check the configuration: credentials, database, clock, public URL, rules, webhooks"),
  Command.withExamples([
    { command: "paymux doctor", description: "Check before the first payment, or in a deployment" }
  ])
)

/** The flags of a command that override its configuration. */
interface Overrides {
  readonly cell?: Option.Option<string>
  readonly database?: Option.Option<string>
}

export const optionsOf = Effect.fnUntraced(function* (config: string | null, flags: Overrides = {}) {
  const given = yield* configuration(config)
  const secret = yield* secretFromEnvironment
  const inEnvironment = yield* Config.option(Config.String("PAYMUX_CELL"))
  const { cell: givenCell = Option.none(), database = Option.none() } = flags
  const cell = Option.orElse(givenCell, () => inEnvironment)
  const options: PaymuxOptions = {
    ...given,
    ...(secret !== undefined && { secret }),
    ...(Option.isSome(cell) && { cell: cell.value }),
    ...(Option.isSome(database) && { database: database.value })
  }
  return options
})

const examined = (options: PaymuxOptions) =>
  Result.match(settingsOf(options), {
    // Everything else needs valid options.
    onFailure: ({ problems }) => Effect.succeed(problems.map((problem) => fault("options", problem))),
    onSuccess: examineConfiguration
  })
