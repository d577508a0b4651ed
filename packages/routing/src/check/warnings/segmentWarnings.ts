/**
 * Warns about segments that are the same for all payments of a rule, unless the rule also learns from other payments.
 */
import type { Rail } from "@paymux/core"
import type { FactName, FactValue } from "../../Facts.ts"
import type { Choose } from "../../language/Choose.ts"
import type { LensSegment } from "../../learn/Lens.ts"
import type { Condition } from "../../match/Condition.ts"
import type { Admits } from "../Reach.ts"
import { problemAt } from "../RoutingInvalid.ts"
import type { Path, RoutingProblem } from "../RoutingInvalid.ts"

export const segmentWarnings = (
  written: unknown,
  path: Path,
  choose: Choose,
  condition: Condition,
  methods: ReadonlyArray<Rail>,
  admits: Admits
): ReadonlyArray<RoutingProblem> => {
  if (!("best" in choose) || choose.learn_from !== "rule") return []
  const { segments = [] } = choose
  return segments.flatMap((segment, index) =>
    segment !== "amount" && isFixed(segment, condition, methods, admits)
      ? [
          problemAt(
            written,
            [...path, "segments", index],
            "is the same in all payments of this rule: with `learn_from: rule`, it distinguishes nothing"
          )
        ]
      : []
  )
}

/** Whether all payments of the rule have the same value of a fact. */
const isFixed = (
  fact: Exclude<LensSegment, "amount">,
  condition: Condition,
  methods: ReadonlyArray<Rail>,
  admits: Admits
): boolean =>
  [...new Set(equalTo(fact, condition))].some((value) => {
    const other = { _tag: "Fact", fact, test: { op: "in", values: new Set([value]) }, negated: true } as const
    return methods.every((rail) => !admits(rail, [other]))
  })

/** The values that a condition requires a fact to equal, except inside of `not`. */
const equalTo = (fact: FactName, condition: Condition): ReadonlyArray<FactValue> => {
  switch (condition._tag) {
    case "Fact": {
      const { test } = condition
      return condition.fact === fact && test.op === "in" && test.values.size === 1 ? [...test.values] : []
    }
    case "All":
    case "Any":
      return condition.of.flatMap((each) => equalTo(fact, each))
    case "Time":
    case "Not":
      return []
    default:
      return condition satisfies never
  }
}
