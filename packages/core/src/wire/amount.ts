import { Schema } from "effect"
import { MAX_MINOR_UNITS } from "../domain/Money.ts"

const message = `must be a whole number of the smallest currency unit, as a JSON number from 1 to ${MAX_MINOR_UNITS}`

/** An amount that is asked for: never a float, never nothing. What is wrong with it, one sentence says. */
export const PositiveMinorUnits = Schema.Number.annotate({ message }).check(
  Schema.isInt({ message }).abort(),
  Schema.isBetween({ minimum: 1, maximum: MAX_MINOR_UNITS }, { message })
)

/** The same check, without an error message. */
export const isPositiveMinorUnits = (input: unknown): input is number =>
  Number.isInteger(input) && Number(input) >= 1 && Number(input) <= MAX_MINOR_UNITS
