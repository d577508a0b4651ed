import { Schema } from "effect"

/** The database is unavailable. A write may or may not have happened; a caller that can read the row by its id can find out. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  cause: Schema.Defect()
}) {}
