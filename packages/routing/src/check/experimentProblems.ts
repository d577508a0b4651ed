/** Reports experiments that have the same name, since their payments would be counted together. */
import { problemIn, ruleText, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"

/** Reports duplicate names of experiments. `rules` is the number of rules. */
export const experimentProblems = (config: unknown, rules: number): ReadonlyArray<RoutingProblem> => {
  const seen = new Map<string, string>()
  const ofRules = Array.from({ length: rules }, (_, index): Place => [
    ["rules", index, "choose", "experiment"],
    `rule ${ruleText(config, index)}`
  ])
  return [...ofRules, inDefault].flatMap(([path, where]) => {
    const name = valueAt(config, path)
    if (typeof name !== "string") return []
    const first = seen.get(name)
    seen.set(name, first ?? where)
    return first === undefined
      ? []
      : [problemIn(config, path, `this name of an experiment is already used by ${first}: use another name`)]
  })
}

/** The path of an experiment's name, and the name of its rule for the message. */
type Place = readonly [path: Path, where: string]

const inDefault: Place = [["default", "experiment"], "the default"]
