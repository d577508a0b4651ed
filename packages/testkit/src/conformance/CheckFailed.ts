/** How a check fails. */
import { Schema } from "effect"

/** What was tried, what the check expects, and what was seen instead. */
export class CheckFailed extends Schema.TaggedError<CheckFailed>()("CheckFailed", {
  tried: Schema.String,
  expected: Schema.String,
  seen: Schema.String,
  /** What the vendor saw and did, a line each. */
  vendor: Schema.Array(Schema.String)
}) {}
