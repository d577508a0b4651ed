/**
 * The limits of a rule below which a provider is tried last. A stored reason has the limit's value, but not its name.
 */
import { Result, Schema } from "effect"
import type { CompiledRule } from "../CompiledRouting.ts"
import { percentText } from "../choose/judge.ts"
import { percent } from "../language/words.ts"

/** The limits, as rates from 0 to 1; `null` if the rule has no such limit, or it cannot be decoded. */
export interface Limits {
  readonly floor: number | null
  readonly within: number | null
}

export const limitsOf = (rule: CompiledRule): Limits => ({
  floor: "floor" in rule && Number.isFinite(rule.floor) ? rule.floor : null,
  within: "within" in rule && Number.isFinite(rule.within) ? rule.within : null
})

/** Reads the limits of a choice as written in the rules, possibly for another release. */
export const writtenLimits = (choose: unknown): Limits => {
  const read = Schema.decodeUnknownResult(Written)(choose)
  if (Result.isFailure(read)) return { floor: null, within: null }
  const { floor = null, within = null } = read.success
  return { floor, within }
}

const Written = Schema.Struct({
  floor: Schema.optionalKey(percent("")),
  within: Schema.optionalKey(percent(""))
})

/**
 * Names the limit that a provider is below. `below` is its value in the stored reason, rounded to tenths. The higher
 * limit of a rule applies, so if the rule has both, the limit is the floor if the values are equal.
 *
 * @example
 * ```ts
 * limitText({ floor: 0.9, within: null }, "90.0%") // => "the floor of 90.0%"
 * ```
 */
export const limitText = ({ floor, within }: Limits, below: string): string => {
  if (floor !== null && (within === null || percentText(floor) === below)) return `the floor of ${below}`
  return within === null ? `the limit of ${below}` : `${below}, the lowest rate that "within" allows`
}
