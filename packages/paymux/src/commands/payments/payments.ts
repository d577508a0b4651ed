import { Command } from "effect/cli"
import { cancel, capture, refund } from "./change.ts"
import { get } from "./get.ts"
import { list } from "./list.ts"
import { timeline } from "./timeline.ts"

export const payments = Command.make("payments").pipe(
  Command.withDescription("List, show, capture, cancel and refund payments"),
  Command.withSubcommands([get, list, timeline, capture, cancel, refund])
)
