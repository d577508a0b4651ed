import { Schema } from "effect"

/** The database is unavailable. A write may or may not have happened, unless the caller can read it again by id. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  cause: Schema.Defect()
}) {}
