import { StoreUnavailable } from "@paymux/core/store"
import { CliError } from "effect/cli"
import { printableLines } from "../printable.ts"

/** For the person at the terminal: one sentence, or a line for each problem, all of them indented alike. */
export const userError = (error: { readonly message: string }): CliError.UserError =>
  new CliError.UserError({ cause: error, userMessage: printableLines(sentence(error)).replaceAll("\n", "\n  ") })

const sentence = (error: { readonly message: string }): string =>
  error instanceof StoreUnavailable ? `The database is unavailable: ${rootMessage(error.cause)}` : error.message

/** A driver may wrap what the database said in sentences of its own, or say nothing itself. */
const rootMessage = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause instanceof Error ? rootMessage(cause.cause) : ""
  return inner === "" ? cause.message : inner
}
