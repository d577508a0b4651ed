import { Schema } from "effect"
import type { Effect } from "effect"

/**
 * The database is unavailable. A write may or may not have happened; a caller that can read the row by its id can find
 * out.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  cause: Schema.Defect()
}) {}

/** An operation of a store, which fails only if the database is unavailable. */
export type StoreEffect<A> = Effect.Effect<A, StoreUnavailable>
