import { Data } from "effect"

/** Another process continues or has ended this run: nothing was written. */
export class RunLost extends Data.TaggedError("RunLost")<{ readonly run: number }> {
  override get message(): string {
    return `Run ${this.run} is continued by another process, or was canceled.`
  }
}

/** The cursor is not one that a list of this kind returned. */
export class StatementCursorInvalid extends Data.TaggedError("StatementCursorInvalid") {
  override get message(): string {
    return "The cursor must be the `next` of a former page of this list."
  }
}
