import { CliError } from "effect/cli"

/** One sentence for the person at the terminal. */
export const told = (error: { readonly message: string }): CliError.UserError =>
  new CliError.UserError({ cause: error, userMessage: error.message })
