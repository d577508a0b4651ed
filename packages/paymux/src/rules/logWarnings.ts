import type { RulesDiagnostic } from "@paymux/dashboard"
import { Effect } from "effect"

/** For rules that are put in force: a line for each of their warnings. */
export const logWarnings = (lines: ReadonlyArray<string>): Effect.Effect<void> =>
  lines.length === 0
    ? Effect.void
    : Effect.logWarning(`Parts of the routing rules may not do what they seem to:\n${lines.join("\n")}`)

/** `version 3 of the rules:12:7 …` */
export const diagnosticLine = (file: string, { column, line, message }: RulesDiagnostic): string =>
  line === null ? `${file} ${message}` : `${file}:${line}:${column ?? 1} ${message}`

/**
 * The same for rules that are put in force one after the other: a file that a program writes each minute does not repeat the
 * same warning each minute. A warning that the rules before did not have is logged again. `logged`: of the first ones.
 */
export const newWarnings = (logged: ReadonlyArray<string>) => {
  const state = { logged: new Set(logged) }
  return (lines: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const added = lines.filter((line) => !state.logged.has(line))
      state.logged = new Set(lines)
      return logWarnings(added)
    })
}
