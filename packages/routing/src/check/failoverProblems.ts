/** Reports decline codes in `failover` that contradict each other or have no effect. */
import { Result, Schema } from "effect"
import { Failover } from "../language/Failover.ts"
import { problemAt, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"

/** Reports decline codes with such problems. `rules` is the number of rules. */
export const failoverProblems = (config: unknown, rules: number): ReadonlyArray<RoutingProblem> => {
  const top = failoverAt(config, [])
  return [
    ...ownProblems(config, ["failover"], top),
    ...Array.from({ length: rules }, (_, index) => ["rules", index]).flatMap((rule) => {
      const own = failoverAt(config, rule)
      const path = [...rule, "failover"]
      return [...ownProblems(config, path, own), ...inheritedProblems(config, path, own, top)]
    })
  ]
}

const failoverAt = (config: unknown, path: Path): Failover => {
  const read = decode(valueAt(config, [...path, "failover"]))
  return Result.isSuccess(read) ? read.success : {}
}

const decode = Schema.decodeUnknownResult(Failover, { onExcessProperty: "error" })

const ownProblems = (
  config: unknown,
  path: Path,
  { not_on = [], on = [] }: Failover
): ReadonlyArray<RoutingProblem> => {
  const included = on.includes("soft_decline")
    ? on.flatMap((cause, index) =>
        cause === "not_executed" || cause === "soft_decline"
          ? []
          : [problemAt(config, [...path, "on", index], "is part of `soft_decline`: name one of the two")]
      )
    : []
  const contradicting = not_on.flatMap((code, index) =>
    on.includes(code) ? [problemAt(config, [...path, "not_on", index], "is in `on`, too")] : []
  )
  return [...included, ...contradicting]
}

/** Reports codes in a rule's `on` that the inherited top-level `not_on` excludes. */
const inheritedProblems = (
  config: unknown,
  path: Path,
  { not_on, on = [] }: Failover,
  { not_on: forbidden = [] }: Failover
): ReadonlyArray<RoutingProblem> =>
  not_on !== undefined
    ? []
    : on.flatMap((cause, index) =>
        forbidden.some((code) => code === cause)
          ? [problemAt(config, [...path, "on", index], "is in `not_on` at the top: add a `not_on` to this rule, too")]
          : []
      )
