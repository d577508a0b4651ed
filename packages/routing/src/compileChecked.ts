/**
 * Compiles rules that another thread has checked against the same providers, in slices, so that a server with thousands
 * of rules still answers requests. The most expensive check, the search for unreachable rules, is not repeated.
 */
import { Effect, Result, Schema } from "effect"
import type { RoutableProvider } from "@paymux/core/routing"
import { valueAt } from "./check/RoutingInvalid.ts"
import type { RoutingInvalid } from "./check/RoutingInvalid.ts"
import { assembleSteps, compile } from "./CompiledRouting.ts"
import type { CompiledRouting } from "./CompiledRouting.ts"
import { conditionOf } from "./match/Condition.ts"
import type { Condition } from "./match/Condition.ts"
import { firstMatchSteps } from "./match/RuleIndex.ts"
import { RoutingConfig, Rule } from "./RoutingConfig.ts"
import { inSlices } from "./Steps.ts"
import type { Steps } from "./Steps.ts"

/** Rules that have been validated. */
export interface CheckedRules {
  /** The rules as written in the configuration, a JSON value. */
  readonly config: unknown
  /** The identifier of the ruleset: `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
}

/**
 * Returns the same result as `compile`. Rules that do not match the Schema are passed to `compile`, which reports their
 * problems.
 */
export const compileChecked = Effect.fnUntraced(function* (
  checked: CheckedRules,
  providers: ReadonlyArray<RoutableProvider>
): Effect.fn.Return<CompiledRouting, RoutingInvalid> {
  const compiled = yield* inSlices(steps(checked, providers))
  return compiled ?? (yield* compile(checked.config, providers))
})

function* steps(
  { config: given, ruleset }: CheckedRules,
  providers: ReadonlyArray<RoutableProvider>
): Steps<CompiledRouting | null> {
  const frame = decodeConfig(typeof given === "object" && given !== null ? { ...given, rules: [] } : given)
  if (Result.isFailure(frame)) return null
  const written = valueAt(given, ["rules"])
  const rules: Array<Rule> = []
  const conditions: Array<Condition> = []
  for (const each of Array.isArray(written) ? written : []) {
    const rule = decodeRule(each)
    if (Result.isFailure(rule)) return null
    rules.push(rule.success)
    conditions.push(conditionOf(rule.success.when, frame.success.holidays ?? {}))
    yield
  }
  const firstMatch = yield* firstMatchSteps(conditions)
  return yield* assembleSteps({ config: { ...frame.success, rules }, conditions, firstMatch }, ruleset, providers)
}

const strict = { onExcessProperty: "error" } as const
const decodeConfig = Schema.decodeUnknownResult(RoutingConfig, strict)
const decodeRule = Schema.decodeUnknownResult(Rule, strict)
