/** What `paymux` is, whatever its commands are. */
import { Console, Effect } from "effect"
import { CliOutput, Command } from "effect/cli"
import { terminalConsole } from "./commands/terminalConsole.ts"
import { version } from "./version.ts"

export const named = Command.make("paymux").pipe(
  Command.withDescription("One payments API in front of many payment providers")
)

/** The flags that every command has are described once, in the help of `paymux` itself. */
export const running = <Name extends string, Input, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) =>
  Command.run(command, { version }).pipe(
    Effect.provideService(CliOutput.Formatter, CliOutput.defaultFormatter({ globalFlags: "none" })),
    Effect.provideService(Console.Console, terminalConsole(globalThis.console, process))
  )
