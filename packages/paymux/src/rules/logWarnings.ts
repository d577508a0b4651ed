import { Effect } from "effect"

/** Once for rules that are put in force: a line for each of their warnings. */
export const logWarnings = (lines: ReadonlyArray<string>): Effect.Effect<void> =>
  lines.length === 0
    ? Effect.void
    : Effect.logWarning(`Parts of the routing rules may not do what they seem to:\n${lines.join("\n")}`)
