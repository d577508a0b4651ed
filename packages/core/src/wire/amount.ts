import { Schema } from "effect"
import { MAX_MINOR_UNITS } from "../domain/Money.ts"

/** An amount that is asked for: never a float, never nothing. */
export const PositiveMinorUnits = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: MAX_MINOR_UNITS },
    { message: `must be an integer of the smallest currency unit, from 1 to ${MAX_MINOR_UNITS}` }
  )
)
