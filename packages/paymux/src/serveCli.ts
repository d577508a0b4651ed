/** `paymux serve` alone: a server does not load the other commands. */
import { Command } from "effect/cli"
import { named, running } from "./command.ts"
import { serve } from "./commands/serve.ts"

export const run = running(Command.withSubcommands(named, [serve]))
