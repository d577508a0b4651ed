import { Command } from "effect/cli"
import { cancel, capture, refund } from "./change.ts"
import { get } from "./get.ts"
import { list } from "./list.ts"

export const payments = Command.make("payments").pipe(
  Command.withDescription("Look at payments, and capture, cancel or refund them"),
  Command.withSubcommands([get, list, capture, cancel, refund])
)
