/** The limits of a rule that put a provider after the others. A reason stores the rate, and not which limit it was. */
import { Result, Schema } from "effect"
import type { CompiledRule } from "../CompiledRouting.ts"
import { percentText } from "../choose/judge.ts"
import { percent } from "../language/words.ts"

/** 0 to 1; `null`: the rule does not have it, or it cannot be read. */
export interface Limits {
  readonly floor: number | null
  readonly within: number | null
}

export const limitsOf = (rule: CompiledRule): Limits => ({
  floor: "floor" in rule && Number.isFinite(rule.floor) ? rule.floor : null,
  within: "within" in rule && Number.isFinite(rule.within) ? rule.within : null
})

/** Of a choice as it is written, which another release may have written. */
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
 * `below`: the limit as the reason has it, rounded to tenths. The higher limit applies, so with both it is the floor if it
 * equals the floor.
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
