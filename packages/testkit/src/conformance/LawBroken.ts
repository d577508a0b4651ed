/** How a law fails. */
import { Schema } from "effect"

/** What was tried, what the law expects, and what was seen instead. */
export class LawBroken extends Schema.TaggedError<LawBroken>()("LawBroken", {
  tried: Schema.String,
  expected: Schema.String,
  seen: Schema.String,
  /** What the vendor saw and did, a line each. */
  vendor: Schema.Array(Schema.String)
}) {}
