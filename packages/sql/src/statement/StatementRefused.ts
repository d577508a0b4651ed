import { Data } from "effect"

/** Error: another process continues or has ended this run. Nothing was written. */
export class RunLost extends Data.TaggedError("RunLost")<{ readonly run: number }> {
  override get message(): string {
    return `Run ${this.run} is continued by another process, or was canceled.`
  }
}

/** Error: the cursor was not issued for a list of this kind. */
export class StatementCursorInvalid extends Data.TaggedError("StatementCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of this list."
  }
}
