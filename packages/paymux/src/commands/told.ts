import { CliError } from "effect/cli"

/** For the person at the terminal: one sentence, or a line for each problem, all of them indented alike. */
export const told = (error: { readonly message: string }): CliError.UserError =>
  new CliError.UserError({ cause: error, userMessage: error.message.replaceAll("\n", "\n  ") })
