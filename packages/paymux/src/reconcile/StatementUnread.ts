import { Data } from "effect"

/** The statement cannot be read. `isFinal`: the run has failed; otherwise the next run continues it. */
export class StatementUnread extends Data.TaggedError("StatementUnread")<{
  readonly provider: string
  /** What happened, and what to do. */
  readonly problem: string
  readonly isFinal: boolean
}> {
  override get message(): string {
    return `The statement of ${this.provider} was not read: ${this.problem}`
  }
}
