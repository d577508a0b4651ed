import { Data } from "effect"

/** No adapter was made, and nothing is left of it. The message is one sentence for the person at the terminal. */
export class AdapterRefused extends Data.TaggedError("AdapterRefused")<{ readonly message: string }> {}

/** What the system says of a file it will not give. */
export const refusedBy = (what: string, error: unknown): AdapterRefused =>
  new AdapterRefused({ message: `${what}: ${error instanceof Error ? error.message : String(error)}` })
