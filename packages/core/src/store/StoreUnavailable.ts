import { Schema } from "effect"

/** The database did not take or answer it. Nothing is known to be written, unless the caller can re-read it by id. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  cause: Schema.Defect()
}) {}
